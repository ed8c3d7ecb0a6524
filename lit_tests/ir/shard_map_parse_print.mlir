// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// Which owner has which coordinates of a domain.

// Regular maps are right for every number of owners and every size.
// CHECK: builtin.module attributes {m = #shard.map<cyclic>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<cyclic>} {}

// CHECK: builtin.module attributes {m = #shard.map<block>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<block>} {}

// CHECK: builtin.module attributes {m = #shard.map<block_cyclic<2>>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<block_cyclic<2>>} {}

// CHECK: builtin.module attributes {m = #shard.map<block_cyclic<9223372036854775807>>} {
// CHECK-NEXT: }
module attributes {m = #shard.map< block_cyclic < 9223372036854775807 > >} {}

// The sizes of contiguous blocks in role order; an owner may have none.
// CHECK: builtin.module attributes {m = #shard.map<[1, 2, 3, 0]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[1, 2, 3, 0]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[4]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[4]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[2, 2, 3, 3, 3, repeat(9, 0)]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[repeat(2, 2), 3, 3, 3, 0, repeat(8, 0)]>} {}

// Rows of some words each, dealt as a map of their numbers says; also rows of rows.
// CHECK: builtin.module attributes {m = #shard.map<rows<3, block>>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<rows<3, block>>} {}

// CHECK: builtin.module attributes {m = #shard.map<rows<2, rows<3, [1, 0, 2]>>>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<rows<2, rows<3, [1, 0, 2]>>>} {}

// CHECK: builtin.module attributes {m = #shard.map<rows<4, [stride(0, 2, 2), stride(1, 2, 2)]>>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<rows<4, [stride(0, 2, 2), stride(1, 2, 2)]>>} {}

// One selection an owner: what strides, repeats and joins say, and nothing.
// CHECK: builtin.module attributes {m = #shard.map<[stride(0, 1, 3), empty, stride(3, 1, 1)]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[stride(0, 1, 3), empty, stride(3, 1, 1)]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[repeat(2, 10, stride(0, 1, 5)), repeat(2, 10, stride(5, 1, 5))]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[repeat(2, 10, stride(0, 1, 5)), repeat(2, 10, stride(5, 1, 5))]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[join(stride(0, 1, 2), stride(3, 1, 1)), stride(2, 1, 1)]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[join(stride(0, 1, 2), stride(3, 1, 1)), stride(2, 1, 1)]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[empty]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[empty]>} {}

// A family is many owners, each with the piece of the one before, moved up by a step.
// CHECK: builtin.module attributes {m = #shard.map<[family(200000, 5000000, stride(0, 1, 5000000))]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[family(200000, 5000000, stride(0, 1, 5000000))]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[family(2, 12, family(3, 2, repeat(2, 6, stride(0, 1, 2))))]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[family(2, 12, family(3, 2, repeat(2, 6, stride(0, 1, 2))))]>} {}

// CHECK: builtin.module attributes {m = #shard.map<[family(2, 1, stride(0, 2, 2)), empty, stride(4, 1, 1)]>} {
// CHECK-NEXT: }
module attributes {m = #shard.map<[family(2, 1, stride(0, 2, 2)), empty, stride(4, 1, 1)]>} {}

// Maps stand in other attributes.
// CHECK: builtin.module attributes {m = [#shard.map<block>, {of = #shard.map<[0, 2]>}]} {
// CHECK-NEXT: }
module attributes {m = [#shard.map<block>, {of = #shard.map<[0, 2]>}]} {}

// Where words are: with all owners, with one role, each with its owner.
// CHECK: builtin.module attributes {w = #shard.where<all>} {
// CHECK-NEXT: }
module attributes {w = #shard.where<all>} {}

// CHECK: builtin.module attributes {w = #shard.where<role 3>} {
// CHECK-NEXT: }
module attributes {w = #shard.where<role 3>} {}

// CHECK: builtin.module attributes {w = #shard.where<owners cyclic>} {
// CHECK-NEXT: }
module attributes {w = #shard.where<owners cyclic>} {}

// CHECK: builtin.module attributes {w = #shard.where<owners [stride(0, 1, 4), empty]>} {
// CHECK-NEXT: }
module attributes {w = #shard.where<owners [stride(0, 1, 4), empty]>} {}

// CHECK: builtin.module attributes {w = #shard.where<owners rows<2, block>>} {
// CHECK-NEXT: }
module attributes {w = #shard.where<owners rows<2, block>>} {}
