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

// Up to 8 groups of one size in a row are written out, more of them once.
// CHECK: builtin.module attributes {c = #region.contract<groups = [1, 1, 1, 1, 1, 1, repeat(199994, 0)], combine = tree<64>>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [repeat(6, 1), repeat(199994, 0)], combine = tree<64>>} {}

// CHECK: builtin.module attributes {c = #region.contract<groups = [repeat(9, 2), 5, 3, 3], combine = left>} {
// CHECK-NEXT: }
module attributes {c = #region.contract<groups = [2, 2, repeat(7, 2), repeat(1, 5), 3, 3], combine = left>} {}
