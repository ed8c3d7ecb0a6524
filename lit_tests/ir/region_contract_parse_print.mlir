// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// The declared order of a sum over samples.

// CHECK: builtin.module attributes {c = #region.contract<groups = [6], combine = left>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [6], combine = left>} {}

// CHECK: builtin.module attributes {c = #region.contract<groups = [1, 2, 3, 0], combine = left>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [1, 2, 3, 0], combine = left>} {}

// CHECK: builtin.module attributes {c = #region.contract<groups = [0, 0, 5, 0, 1], combine = tree<2>>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [0, 0, 5, 0, 1], combine = tree<2>>} {}

// CHECK: builtin.module attributes {c = #region.contract<groups = [4, 2], combine = tree<1>>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [4, 2], combine = tree<1>>} {}
