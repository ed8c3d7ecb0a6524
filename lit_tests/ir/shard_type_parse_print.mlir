// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// What a distributed value is, where its words are, and the version it belongs to.

// Words that each have one owner.
// CHECK: builtin.module attributes {t = !shard.owned<tensor<4xf64>, cyclic, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.owned<tensor<4xf64>, cyclic, +0>} {}

// CHECK: builtin.module attributes {t = !shard.owned<f32, [1, 0], +1>} {
// CHECK-NEXT: }
module attributes {t = !shard.owned<f32, [1, 0], +1>} {}

// CHECK: builtin.module attributes {t = !shard.owned<tensor<2x3xf64>, rows<3, block>, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.owned<tensor<2x3xf64>, rows<3, block>, +0>} {}

// CHECK: builtin.module attributes {t = !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3))], -1>} {
// CHECK-NEXT: }
module attributes {t = !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3))], -1>} {}

// Words that every owner has a copy of.
// CHECK: builtin.module attributes {t = !shard.replica<tensor<4xf64>, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.replica<tensor<4xf64>, +0>} {}

// CHECK: builtin.module attributes {t = !shard.replica<f64, +1>} {
// CHECK-NEXT: }
module attributes {t = !shard.replica<f64, +1>} {}

// CHECK: builtin.module attributes {t = !shard.replica<tensor<0xf32>, -1>} {
// CHECK-NEXT: }
module attributes {t = !shard.replica<tensor<0xf32>, -1>} {}

// CHECK: builtin.module attributes {t = !shard.replica<f64, +12>} {
// CHECK-NEXT: }
module attributes {t = !shard.replica<f64, +12>} {}

// A version is a number: -0 is +0.
// CHECK: builtin.module attributes {t = !shard.replica<f64, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.replica<f64, -0>} {}

// A sum that is still in parts.
// CHECK: builtin.module attributes {t = !shard.contribution<tensor<4xf64>, @data, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.contribution<tensor<4xf64>, @data, +0>} {}

// CHECK: builtin.module attributes {t = !shard.contribution<f64, @"the data", +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.contribution<f64, @"the data", +0>} {}

// A whole sum, and where it was delivered.
// CHECK: builtin.module attributes {t = !shard.total<tensor<4xf64>, @data, all, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.total<tensor<4xf64>, @data, all, +0>} {}

// CHECK: builtin.module attributes {t = !shard.total<f64, @data, role 0, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.total<f64, @data, role 0, +0>} {}

// CHECK: builtin.module attributes {t = !shard.total<tensor<4xf64>, @data, owners block_cyclic<2>, +0>} {
// CHECK-NEXT: }
module attributes {t = !shard.total<tensor<4xf64>, @data, owners block_cyclic<2>, +0>} {}

// CHECK: builtin.module attributes {t = !shard.total<tensor<4xf64>, @data, owners [stride(0, 2, 2), stride(1, 2, 2)], +1>} {
// CHECK-NEXT: }
module attributes {t = !shard.total<tensor<4xf64>, @data, owners [stride(0, 2, 2), stride(1, 2, 2)], +1>} {}
