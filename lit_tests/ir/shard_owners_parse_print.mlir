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
