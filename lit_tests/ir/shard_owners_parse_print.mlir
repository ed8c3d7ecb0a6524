// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// Who owns the samples of a learner, and who exchanges with whom.

// CHECK: builtin.module attributes {o = #shard.owners<2, pair>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<2, pair>} {}

// CHECK: builtin.module attributes {o = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {}

// CHECK: builtin.module attributes {o = #shard.owners<200000, tree<64>>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<200000, tree<64>>} {}

// CHECK: builtin.module attributes {o = #shard.owners<3, tree<2>, samples = [0, 0, 0]>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<3, tree<2>, samples = [0, 0, 0]>} {}

// CHECK: builtin.module attributes {o = #shard.owners<1, star>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<1, star>} {}

// Up to 8 equal numbers of samples in a row are written out, more of them once.
// CHECK: builtin.module attributes {o = #shard.owners<200000, tree<64>, samples = [1, 1, 1, 1, 1, 1, repeat(199994, 0)]>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<200000, tree<64>, samples = [repeat(6, 1), repeat(199994, 0)]>} {}

// CHECK: builtin.module attributes {o = #shard.owners<9, star, samples = [repeat(9, 2)]>} {
// CHECK-NEXT: }
module attributes {o = #shard.owners<9, star, samples = [2, 2, 2, 2, 2, 2, 2, repeat(2, 2)]>} {}
