// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// An index is an affine expression of the axes; constants stand right, and a difference is a sum.

// CHECK: pointwise.update @affine(%a: tensor<9xf64>) -> (tensor<2x3xf64>) {
// CHECK-NEXT:   %b = pointwise.map over [i : 2, j : 3] (%x0 = %a[i], %x1 = %a[i + j], %x2 = %a[i * 3 + j], %x3 = %a[i * 3 + j], %x4 = %a[j * -1 + 2], %x5 = %a[i + j * -1 + 2], %x6 = %a[i * -1 + 1], %x7 = %a[4], %x8 = %a[8], %x9 = %a[j * 0]) {
// CHECK-NEXT:     pointwise.yield %x0
// CHECK-NEXT:   } : tensor<2x3xf64>
// CHECK-NEXT:   pointwise.return %b
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "affine", function_type = (tensor<9xf64>) -> tensor<2x3xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<9xf64>):
// GENERIC-NEXT:   %b = "pointwise.map"(%a, %a, %a, %a, %a, %a, %a, %a, %a, %a) <{domain = array<i64: 2, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ((d0 + d1))>, affine_map<(d0, d1) -> (((d0 * 3) + d1))>, affine_map<(d0, d1) -> (((d0 * 3) + d1))>, affine_map<(d0, d1) -> (((d1 * -1) + 2))>, affine_map<(d0, d1) -> (((d0 + (d1 * -1)) + 2))>, affine_map<(d0, d1) -> (((d0 * -1) + 1))>, affine_map<(d0, d1) -> (4)>, affine_map<(d0, d1) -> (8)>, affine_map<(d0, d1) -> ((d1 * 0))>]}> ({
// GENERIC-NEXT:   ^bb0(%x0: f64, %x1: f64, %x2: f64, %x3: f64, %x4: f64, %x5: f64, %x6: f64, %x7: f64, %x8: f64, %x9: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x0) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>) -> tensor<2x3xf64>
// GENERIC-NEXT:   "pointwise.return"(%b) : (tensor<2x3xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @affine(%a : tensor<9xf64>) -> (tensor<2x3xf64>) {
  %b = pointwise.map over [i : 2, j : 3] (%x0 = %a[i], %x1 = %a[i + j], %x2 = %a[i * 3 + j], %x3 = %a[3 * i + j],
      %x4 = %a[2 - j], %x5 = %a[i - j + 2], %x6 = %a[-i + 1], %x7 = %a[4], %x8 = %a[0x8], %x9 = %a[j * 0]) {
    pointwise.yield %x0
  } : tensor<2x3xf64>
  pointwise.return %b
}

// CHECK: pointwise.update @quotients(%a: tensor<9xf64>) -> (tensor<8x3xf64>) {
// CHECK-NEXT:   %b = pointwise.map over [i : 8, j : 3] (%x0 = %a[i floordiv 2], %x1 = %a[i mod 3], %x2 = %a[i ceildiv 3], %x3 = %a[(i + j) mod 9], %x4 = %a[i + j mod 2], %x5 = %a[i floordiv 4 * 4 + i mod 4], %x6 = %a[i floordiv 2 mod 2], %x7 = %a[i floordiv 2 floordiv 2], %x8 = %a[(i * 2 + 2) floordiv 2], %x9 = %a[3]) {
// CHECK-NEXT:     pointwise.yield %x0
// CHECK-NEXT:   } : tensor<8x3xf64>
// CHECK-NEXT:   pointwise.return %b
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "quotients", function_type = (tensor<9xf64>) -> tensor<8x3xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<9xf64>):
// GENERIC-NEXT:   %b = "pointwise.map"(%a, %a, %a, %a, %a, %a, %a, %a, %a, %a) <{domain = array<i64: 8, 3>, indexing_maps = [affine_map<(d0, d1) -> ((d0 floordiv 2))>, affine_map<(d0, d1) -> ((d0 mod 3))>, affine_map<(d0, d1) -> ((d0 ceildiv 3))>, affine_map<(d0, d1) -> (((d0 + d1) mod 9))>, affine_map<(d0, d1) -> ((d0 + (d1 mod 2)))>, affine_map<(d0, d1) -> ((((d0 floordiv 4) * 4) + (d0 mod 4)))>, affine_map<(d0, d1) -> (((d0 floordiv 2) mod 2))>, affine_map<(d0, d1) -> (((d0 floordiv 2) floordiv 2))>, affine_map<(d0, d1) -> ((((d0 * 2) + 2) floordiv 2))>, affine_map<(d0, d1) -> (3)>]}> ({
// GENERIC-NEXT:   ^bb0(%x0: f64, %x1: f64, %x2: f64, %x3: f64, %x4: f64, %x5: f64, %x6: f64, %x7: f64, %x8: f64, %x9: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x0) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>, tensor<9xf64>) -> tensor<8x3xf64>
// GENERIC-NEXT:   "pointwise.return"(%b) : (tensor<8x3xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @quotients(%a : tensor<9xf64>) -> (tensor<8x3xf64>) {
  %b = pointwise.map over [i : 8, j : 3] (%x0 = %a[i floordiv 2], %x1 = %a[i mod 3], %x2 = %a[i ceildiv 3], %x3 = %a[(i + j) mod 9],
      %x4 = %a[i + j mod 2], %x5 = %a[i floordiv 4 * 4 + i mod 4], %x6 = %a[(i floordiv 2) mod 2], %x7 = %a[i floordiv 2 floordiv 2], %x8 = %a[(i + 1) * 2 floordiv 2], %x9 = %a[7 mod 4]) {
    pointwise.yield %x0
  } : tensor<8x3xf64>
  pointwise.return %b
}

// Indices that never leave the operand, though each part might.
// CHECK: pointwise.update @cancelled(%a: tensor<4xf64>) -> (tensor<4xf64>) {
// CHECK-NEXT:   %b = pointwise.map over [i : 4] (%x = %a[i + i * -1 + 3], %y = %a[i * 5 + i * -4]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   pointwise.return %b
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "cancelled", function_type = (tensor<4xf64>) -> tensor<4xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>):
// GENERIC-NEXT:   %b = "pointwise.map"(%a, %a) <{domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (((d0 + (d0 * -1)) + 3))>, affine_map<(d0) -> (((d0 * 5) + (d0 * -4)))>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// GENERIC-NEXT:   "pointwise.return"(%b) : (tensor<4xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @cancelled(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4] (%x = %a[i - i + 3], %y = %a[i * 5 - i * 4]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %b
}

// Axes beyond the letters.
// CHECK: pointwise.update @axes(%a: f64) -> (f64) {
// CHECK-NEXT:   %b = pointwise.map over [i : 1, j : 1, k : 1, l : 1, m : 1, n : 1, o : 1, p : 1, q : 1, r : 1, s : 1, t : 1, u : 1, v : 1, w : 1, x : 1, y : 1, z : 1, a0 : 1, a1 : 1] (%x = %a) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>
// CHECK-NEXT:   pointwise.return %a
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "axes", function_type = (f64) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: f64):
// GENERIC-NEXT:   %b = "pointwise.map"(%a) <{domain = array<i64: 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>, indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19) -> ()>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (f64) -> tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>
// GENERIC-NEXT:   "pointwise.return"(%a) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @axes(%a : f64) -> (f64) {
  %b = pointwise.map over [a : 1, b : 1, c : 1, d : 1, e : 1, f : 1, g : 1, h : 1, i : 1, j : 1, k : 1, l : 1, m : 1, n : 1, o : 1, p : 1, q : 1, r : 1, s : 1, t : 1] (%x = %a) {
    pointwise.yield %x
  } : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>
  pointwise.return %a
}
