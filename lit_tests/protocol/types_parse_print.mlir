// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// A value and the roles that have it: words, a selector, or a value of the shard dialect.

// CHECK: builtin.module attributes {t = !protocol.at<f64, role 2>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<f64, role 2>} {}

// CHECK: builtin.module attributes {t = !protocol.at<tensor<4x3xf32>, stride(0, 1, 4)>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<tensor<4x3xf32>, stride(0, 1, 4)>} {}

// CHECK: builtin.module attributes {t = !protocol.at<i64, join(stride(0, 1, 1), repeat(2, 10, stride(5, 2, 3)))>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<i64, join(stride(0, 1, 1), repeat(2, 10, stride(5, 2, 3)))>} {}

// CHECK: builtin.module attributes {t = !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 200000)>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 200000)>} {}

// CHECK: builtin.module attributes {t = !protocol.at<!shard.contribution<f64, @data, +0>, role 0>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<!shard.contribution<f64, @data, +0>, role 0>} {}

// CHECK: builtin.module attributes {t = !protocol.at<!shard.total<f64, @data, all, +0>, stride(0, 1, 2)>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<!shard.total<f64, @data, all, +0>, stride(0, 1, 2)>} {}

// The roles by an alias; one role as a selection is another expression than its number.
#some = #region.select<stride(1, 2, 2)>
// CHECK: builtin.module attributes {t = !protocol.at<!shard.replica<f64, +1>, stride(1, 2, 2)>, u = !protocol.at<f64, stride(3, 7, 1)>} {
// CHECK-NEXT: }
module attributes {t = !protocol.at<!shard.replica<f64, +1>, #some>, u = !protocol.at<f64, stride(3, 7, 1)>} {}

// Who hears of a choice from whom: role by role, or along a topology.

// CHECK: builtin.module attributes {r = #protocol.routes<[]>} {
// CHECK-NEXT: }
module attributes {r = #protocol.routes<[]>} {}

// CHECK: builtin.module attributes {r = #protocol.routes<[0 -> 1, 1 -> 2, 0 -> 3]>} {
// CHECK-NEXT: }
module attributes {r = #protocol.routes<[0 -> 1, 1 -> 2, 0 -> 3]>} {}

// CHECK: builtin.module attributes {r = #protocol.routes<tree<64> over stride(0, 1, 200000)>} {
// CHECK-NEXT: }
module attributes {r = #protocol.routes<tree<64> over stride(0, 1, 200000)>} {}

// CHECK: builtin.module attributes {r = #protocol.routes<star over stride(1, 2, 2)>, s = #protocol.routes<pair over stride(1, 2, 2)>} {
// CHECK-NEXT: }
module attributes {r = #protocol.routes<star over #some>, s = #protocol.routes<pair over stride(1, 2, 2)>} {}
