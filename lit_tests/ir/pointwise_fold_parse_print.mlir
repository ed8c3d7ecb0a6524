// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// A reduction along axes in a declared order.

// CHECK: pointwise.update @dot(%a: tensor<4xf64>, %b: tensor<4xf64>) -> (f64) {
// CHECK-NEXT:   %s = pointwise.fold add left along [i : 4] (%x = %a[i], %y = %b[i]) {
// CHECK-NEXT:     %p = arith.mulf %x, %y : f64
// CHECK-NEXT:     pointwise.yield %p
// CHECK-NEXT:   } : f64
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "dot", function_type = (tensor<4xf64>, tensor<4xf64>) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a, %b) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     %p = "arith.mulf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%p) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<4xf64>, tensor<4xf64>) -> f64
// GENERIC-NEXT:   "pointwise.return"(%s) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @dot(%a : tensor<4xf64>, %b : tensor<4xf64>) -> (f64) {
  %s = pointwise.fold add left along [k : 4] (%x = %a[k], %y = %b[k]) {
    %p = arith.mulf %x, %y : f64
    pointwise.yield %p
  } : f64
  pointwise.return %s
}

// CHECK: pointwise.update @matrix_vector(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> (tensor<2xf32>) {
// CHECK-NEXT:   %s = pointwise.fold add pairs over [i : 2] along [j : 3] (%x = %a[i, j], %y = %b[j]) {
// CHECK-NEXT:     %p = arith.mulf %x, %y : f32
// CHECK-NEXT:     pointwise.yield %p
// CHECK-NEXT:   } : tensor<2xf32>
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "matrix_vector", function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3xf32>, %b: tensor<3xf32>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a, %b) <{kind = "add", order = #pointwise.order<pairs>, along = 1 : i64, domain = array<i64: 2, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f32, %y: f32):
// GENERIC-NEXT:     %p = "arith.mulf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:     "pointwise.yield"(%p) : (f32) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
// GENERIC-NEXT:   "pointwise.return"(%s) : (tensor<2xf32>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @matrix_vector(%a : tensor<2x3xf32>, %b : tensor<3xf32>) -> (tensor<2xf32>) {
  %s = pointwise.fold add pairs over [i : 2] along [k : 3] (%x = %a[i, k], %y = %b[k]) {
    %p = arith.mulf %x, %y : f32
    pointwise.yield %p
  } : tensor<2xf32>
  pointwise.return %s
}

// Where the reduced axis isn't the last of the operand.
// CHECK: pointwise.update @vector_matrix(%a: tensor<2x3xf64>, %b: tensor<2xf64>) -> (tensor<3xf64>) {
// CHECK-NEXT:   %s = pointwise.fold add lanes<4> over [i : 3] along [j : 2] (%x = %a[j, i], %y = %b[j]) {
// CHECK-NEXT:     %p = arith.mulf %x, %y : f64
// CHECK-NEXT:     pointwise.yield %p
// CHECK-NEXT:   } : tensor<3xf64>
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "vector_matrix", function_type = (tensor<2x3xf64>, tensor<2xf64>) -> tensor<3xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3xf64>, %b: tensor<2xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a, %b) <{kind = "add", order = #pointwise.order<lanes<4>>, along = 1 : i64, domain = array<i64: 3, 2>, indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     %p = "arith.mulf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%p) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3xf64>, tensor<2xf64>) -> tensor<3xf64>
// GENERIC-NEXT:   "pointwise.return"(%s) : (tensor<3xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @vector_matrix(%a : tensor<2x3xf64>, %b : tensor<2xf64>) -> (tensor<3xf64>) {
  %s = pointwise.fold add lanes<4> over [j : 3] along [i : 2] (%x = %a[i, j], %y = %b[i]) {
    %p = arith.mulf %x, %y : f64
    pointwise.yield %p
  } : tensor<3xf64>
  pointwise.return %s
}

// CHECK: pointwise.update @largest(%a: tensor<2x3xf64>) -> (tensor<2xf64>) {
// CHECK-NEXT:   %s = pointwise.fold max left over [i : 2] along [j : 3] (%x = %a[i, j]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<2xf64>
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "largest", function_type = (tensor<2x3xf64>) -> tensor<2xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "max", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3xf64>) -> tensor<2xf64>
// GENERIC-NEXT:   "pointwise.return"(%s) : (tensor<2xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @largest(%a : tensor<2x3xf64>) -> (tensor<2xf64>) {
  %s = pointwise.fold max left over [i : 2] along [j : 3] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %s
}

// Along several axes, the last of them fastest.
// CHECK: pointwise.update @all(%a: tensor<2x3x4xf64>) -> (f64) {
// CHECK-NEXT:   %s = pointwise.fold max lanes<1> along [i : 2, j : 3, k : 4] (%x = %a[i, j, k]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : f64
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "all", function_type = (tensor<2x3x4xf64>) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3x4xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "max", order = #pointwise.order<lanes<1>>, along = 3 : i64, domain = array<i64: 2, 3, 4>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3x4xf64>) -> f64
// GENERIC-NEXT:   "pointwise.return"(%s) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @all(%a : tensor<2x3x4xf64>) -> (f64) {
  %s = pointwise.fold max lanes<1> along [i : 2, j : 3, k : 4] (%x = %a[i, j, k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %s
}

// CHECK: pointwise.update @inner(%a: tensor<2x3x4xf64>) -> (tensor<3x2xf64>) {
// CHECK-NEXT:   %s = pointwise.fold add pairs over [i : 3, j : 2] along [k : 4] (%x = %a[j, i, k]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<3x2xf64>
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "inner", function_type = (tensor<2x3x4xf64>) -> tensor<3x2xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3x4xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<pairs>, along = 1 : i64, domain = array<i64: 3, 2, 4>, indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3x4xf64>) -> tensor<3x2xf64>
// GENERIC-NEXT:   "pointwise.return"(%s) : (tensor<3x2xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @inner(%a : tensor<2x3x4xf64>) -> (tensor<3x2xf64>) {
  %s = pointwise.fold add pairs over [j : 3, i : 2] along [k : 4] (%x = %a[i, j, k]) {
    pointwise.yield %x
  } : tensor<3x2xf64>
  pointwise.return %s
}

// An empty sum, and a sum for no point.
// CHECK: pointwise.update @empty(%a: tensor<0xf64>) -> (f64) {
// CHECK-NEXT:   %s = pointwise.fold add left along [i : 0] (%x = %a[i]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : f64
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "empty", function_type = (tensor<0xf64>) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<0xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 0>, indexing_maps = [affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<0xf64>) -> f64
// GENERIC-NEXT:   "pointwise.return"(%s) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @empty(%a : tensor<0xf64>) -> (f64) {
  %s = pointwise.fold add left along [k : 0] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %s
}

// CHECK: pointwise.update @nowhere(%a: tensor<0x3xf64>) -> (tensor<0xf64>) {
// CHECK-NEXT:   %s = pointwise.fold add lanes<65536> over [i : 0] along [j : 3] (%x = %a[i, j]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<0xf64>
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "nowhere", function_type = (tensor<0x3xf64>) -> tensor<0xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<0x3xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<lanes<65536>>, along = 1 : i64, domain = array<i64: 0, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<0x3xf64>) -> tensor<0xf64>
// GENERIC-NEXT:   "pointwise.return"(%s) : (tensor<0xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @nowhere(%a : tensor<0x3xf64>) -> (tensor<0xf64>) {
  %s = pointwise.fold add lanes<65536> over [i : 0] along [k : 3] (%x = %a[i, k]) {
    pointwise.yield %x
  } : tensor<0xf64>
  pointwise.return %s
}

// Attributes that mean nothing here are kept.
// CHECK: pointwise.update @noted(%a: tensor<4xf64>) -> (f64) {
// CHECK-NEXT:   %s = pointwise.fold add left along [i : 4] (%x = %a[i]) attributes {note = "total"} {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : f64
// CHECK-NEXT:   pointwise.return %s
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "noted", function_type = (tensor<4xf64>) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>):
// GENERIC-NEXT:   %s = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) {note = "total"} : (tensor<4xf64>) -> f64
// GENERIC-NEXT:   "pointwise.return"(%s) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @noted(%a : tensor<4xf64>) -> (f64) {
  %s = pointwise.fold add left along [k : 4] (%x = %a[k]) attributes {note = "total"} {
    pointwise.yield %x
  } : f64
  pointwise.return %s
}
