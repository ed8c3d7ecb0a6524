// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// A set of coordinates or roles is an expression, and is printed as it is written: two expressions
// with the same members stay different expressions.

// CHECK: builtin.module attributes {s = #region.select<empty>} {
// CHECK-NEXT: }
module attributes {s = #region.select<empty>} {}

// CHECK: builtin.module attributes {s = #region.select<stride(0, 1, 4)>} {
// CHECK-NEXT: }
module attributes {s = #region.select<stride(0, 1, 4)>} {}

// CHECK: builtin.module attributes {s = #region.select<stride(7, 3, 1)>} {
// CHECK-NEXT: }
module attributes {s = #region.select<stride(7, 3, 1)>} {}

// CHECK: builtin.module attributes {s = #region.select<stride(0, 9223372036854775807, 2)>} {
// CHECK-NEXT: }
module attributes {s = #region.select<stride(0, 9223372036854775807, 2)>} {}

// CHECK: builtin.module attributes {s = #region.select<repeat(1, 1, stride(0, 1, 1))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<repeat(1, 1, stride(0, 1, 1))>} {}

// CHECK: builtin.module attributes {s = #region.select<join(stride(0, 1, 2))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<join(stride(0, 1, 2))>} {}

// CHECK: builtin.module attributes {s = #region.select<join(stride(0, 2, 3), repeat(2, 10, stride(5, 1, 3)), stride(100, 1, 1))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<join(stride(0, 2, 3), repeat(2, 10, stride(5, 1, 3)), stride(100, 1, 1))>} {}

// 200,000 roles cost four index nodes ...
// CHECK: builtin.module attributes {s = #region.select<repeat(625, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<repeat(625, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))>} {}

// ... and so do 200 billion.
// CHECK: builtin.module attributes {s = #region.select<repeat(625000000, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<repeat(625000000, 320, repeat(8, 40, repeat(2, 20, stride(0, 1, 20))))>} {}

// White space doesn't matter, and numbers may be in hexadecimal.
// CHECK: builtin.module attributes {s = #region.select<repeat(2, 20, stride(0, 1, 10))>} {
// CHECK-NEXT: }
module attributes {s = #region.select<repeat( 2,20 ,
  stride(0x0,1,0xA))>} {}
