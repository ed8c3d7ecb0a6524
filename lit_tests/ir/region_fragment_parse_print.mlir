// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// Where a region physically is.

// CHECK: builtin.module attributes {f = #region.fragment<owner = 2, space = host, layout = row_major, lifetime = persistent>} {
// CHECK-NEXT: }
module attributes {f = #region.fragment<owner = 2, space = host, layout = row_major, lifetime = persistent>} {}

// CHECK: builtin.module attributes {f = #region.fragment<owner = 0, space = device, layout = row_major, lifetime = round>} {
// CHECK-NEXT: }
module attributes {f = #region.fragment<owner = 0, space = device, layout = row_major, lifetime = round>} {}

// CHECK: builtin.module attributes {f = #region.fragment<owner = 199999, space = host, layout = row_major, lifetime = replica>} {
// CHECK-NEXT: }
module attributes {f = #region.fragment<owner = 199999, space = host, layout = row_major, lifetime = replica>} {}
