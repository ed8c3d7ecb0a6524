// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Programs may hold `linalg` as MLIR spells it, until it is converted. The generic form has the bodies.

// CHECK: pointwise.update @contractions(%A: tensor<3x4xf64>, %B: tensor<4x2xf64>, %x: tensor<4xf64>, %y: tensor<3xf64>) -> (f64) {
// CHECK-NEXT:   %e = tensor.empty() : tensor<3xf64>
// CHECK-NEXT:   %zero = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:   %i = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT:   %p = linalg.matvec ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
// CHECK-NEXT:   %d0 = arith.constant dense<-0.000000e+00> : tensor<f64>
// CHECK-NEXT:   %d = linalg.dot ins(%p, %y : tensor<3xf64>, tensor<3xf64>) outs(%d0 : tensor<f64>) -> tensor<f64>
// CHECK-NEXT:   %v0 = arith.constant dense<-0.000000e+00> : tensor<4xf64>
// CHECK-NEXT:   %v = linalg.vecmat ins(%y, %A : tensor<3xf64>, tensor<3x4xf64>) outs(%v0 : tensor<4xf64>) -> tensor<4xf64>
// CHECK-NEXT:   %m0 = arith.constant dense<0.000000e+00> : tensor<3x2xf64>
// CHECK-NEXT:   %m = linalg.matmul {note = "kept"} ins(%A, %B : tensor<3x4xf64>, tensor<4x2xf64>) outs(%m0 : tensor<3x2xf64>) -> tensor<3x2xf64>
// CHECK-NEXT:   %s = tensor.extract %d[] : tensor<f64>
// CHECK-NEXT:   pointwise.return %s
// GENERIC: %p = "linalg.matvec"(%A, %x, %i) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// GENERIC-NEXT: ^bb0(%in_1: f64, %in_2: f64, %out_1: f64):
// GENERIC-NEXT:   %0 = "arith.mulf"(%in_1, %in_2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %1 = "arith.addf"(%out_1, %0) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   "linalg.yield"(%1) : (f64) -> ()
// GENERIC-NEXT: }) : (tensor<3x4xf64>, tensor<4xf64>, tensor<3xf64>) -> tensor<3xf64>
pointwise.update @contractions(%A : tensor<3x4xf64>, %B : tensor<4x2xf64>, %x : tensor<4xf64>, %y : tensor<3xf64>) -> (f64) {
  %e = tensor.empty() : tensor<3xf64>
  %zero = arith.constant -0.0 : f64
  %i = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %p = linalg.matvec ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  %d0 = arith.constant dense<-0.0> : tensor<f64>
  %d = linalg.dot ins(%p, %y : tensor<3xf64>, tensor<3xf64>) outs(%d0 : tensor<f64>) -> tensor<f64>
  %v0 = arith.constant dense<-0.0> : tensor<4xf64>
  %v = linalg.vecmat ins(%y, %A : tensor<3xf64>, tensor<3x4xf64>) outs(%v0 : tensor<4xf64>) -> tensor<4xf64>
  %m0 = arith.constant dense<0.0> : tensor<3x2xf64>
  %m = linalg.matmul {note = "kept"} ins(%A, %B : tensor<3x4xf64>, tensor<4x2xf64>) outs(%m0 : tensor<3x2xf64>) -> tensor<3x2xf64>
  %s = tensor.extract %d[] : tensor<f64>
  pointwise.return %s
}

// A generic operation; its trait may stand under an alias. Names of a body end with it.
// CHECK: pointwise.update @generic(%A: tensor<3x4xf32>, %s: f32) -> (tensor<4xf32>) {
// CHECK:   %a, %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], doc = "sums", library_call = "sums_of_rows"} ins(%A : tensor<3x4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) attrs = {note} {
// CHECK-NEXT:   ^bb0(%in: f32, %out: f32, %other: f32):
// CHECK-NEXT:     %t = arith.mulf %in, %s : f32
// CHECK-NEXT:     %u = arith.addf %out, %t : f32
// CHECK-NEXT:     %v = arith.addf %in, %other : f32
// CHECK-NEXT:     linalg.yield %u, %v : f32, f32
// CHECK-NEXT:   } -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:   %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
// CHECK-NEXT:   ^bb0(%out: f32):
// CHECK-NEXT:     %t = linalg.index 0 : index
// CHECK-NEXT:     linalg.yield {note} %out : f32
// CHECK-NEXT:   } -> tensor<4xf32>
// GENERIC: %a, %b = "linalg.generic"(%A, %e, %e) <{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], doc = "sums", library_call = "sums_of_rows", operandSegmentSizes = array<i32: 1, 2>}> ({
// GENERIC: "linalg.index"() <{dim = 0 : i64}> : () -> index
#rows = {
  indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", #linalg.iterator_type<reduction>],
  doc = "sums",
  library_call = "sums_of_rows"
}
pointwise.update @generic(%A : tensor<3x4xf32>, %s : f32) -> (tensor<4xf32>) {
  %e = arith.constant dense<0.0> : tensor<4xf32>
  %a, %b = linalg.generic #rows ins(%A : tensor<3x4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) attrs = {note} {
  ^bb0(%in: f32, %out: f32, %other: f32):
    %t = arith.mulf %in, %s : f32
    %u = arith.addf %out, %t : f32
    %v = arith.addf %in, %other : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %n = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %t = linalg.index 0 : index
    linalg.yield {note} %out : f32
  } -> tensor<4xf32>
  pointwise.return %a
}

// Operations on words, one after another.
// CHECK: pointwise.update @words(%a: tensor<2x3xf64>, %b: tensor<2x3xf64>) -> (tensor<2x3xf64>) {
// CHECK: %0 = linalg.add ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
// CHECK-NEXT: %1 = linalg.sub ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
// CHECK-NEXT: %2 = linalg.mul ins
// CHECK-NEXT: %3 = linalg.div ins
// CHECK-NEXT: %4 = linalg.max ins
// CHECK-NEXT: %5 = linalg.min ins
// CHECK-NEXT: %6 = linalg.negf ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
// CHECK-NEXT: %7 = linalg.abs ins
// CHECK-NEXT: %8 = linalg.sqrt ins
// CHECK-NEXT: %9 = linalg.exp ins
// CHECK-NEXT: %10 = linalg.log ins
// CHECK-NEXT: %11 = linalg.tanh ins
// CHECK-NEXT: %12 = linalg.copy ins
// GENERIC: "linalg.copy"(%a, %e) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// GENERIC-NEXT: ^bb0(%in{{[_0-9]*}}: f64, %out{{[_0-9]*}}: f64):
// GENERIC-NEXT:   "linalg.yield"(%in{{[_0-9]*}}) : (f64) -> ()
pointwise.update @words(%a : tensor<2x3xf64>, %b : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %e = tensor.empty() {note} : tensor<2x3xf64>
  %0 = linalg.add ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %1 = linalg.sub ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %2 = linalg.mul ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %3 = linalg.div ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %4 = linalg.max ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %5 = linalg.min ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %6 = linalg.negf ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %7 = linalg.abs ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %8 = linalg.sqrt ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %9 = linalg.exp ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %10 = linalg.log ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %11 = linalg.tanh ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %12 = linalg.copy ins(%a : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  pointwise.return %0
}

// Axes that are moved, added and folded; the short body of a reduction is written out.
// CHECK: %t = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0] {note}
// CHECK-NEXT: %b = linalg.broadcast ins(%v : tensor<2xf64>) outs(%e : tensor<3x2xf64>) dimensions = [0]
// CHECK: %r = linalg.reduce ins(%a : tensor<2x3xf64>) outs(%z : tensor<2xf64>) dimensions = [1] (%in: f64, %out: f64) {
// CHECK-NEXT:   %s = arith.mulf %in, %in : f64
// CHECK-NEXT:   %u = arith.addf %s, %out : f64
// CHECK-NEXT:   linalg.yield %u : f64
// CHECK-NEXT: }
// CHECK-NEXT: %q = linalg.reduce ins(%a : tensor<2x3xf64>) outs(%z : tensor<2xf64>) dimensions = [1] (%in: f64, %out: f64) {
// CHECK-NEXT:   %0 = arith.addf %out, %in : f64
// CHECK-NEXT:   linalg.yield %0 : f64
// CHECK-NEXT: }
// GENERIC: "linalg.reduce"(%a, %z) <{dimensions = array<i64: 1>}> ({
pointwise.update @axes(%a : tensor<2x3xf64>, %v : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<3x2xf64>
  %t = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0] {note}
  %b = linalg.broadcast ins(%v : tensor<2xf64>) outs(%e : tensor<3x2xf64>) dimensions = [0]
  %z = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.reduce ins(%a : tensor<2x3xf64>) outs(%z : tensor<2xf64>) dimensions = [1] (%in: f64, %out: f64) {
    %s = arith.mulf %in, %in : f64
    %u = arith.addf %s, %out : f64
    linalg.yield %u : f64
  }
  %q = linalg.reduce { arith.addf } ins(%a : tensor<2x3xf64>) outs(%z : tensor<2xf64>) dimensions = [1]
  pointwise.return %r
}

// Outside of programs they are IR like any other.
// CHECK: func.func @f(%a: tensor<2xf32>, %i: index) -> f32 {
// CHECK-NEXT: %0 = tensor.extract %a[%i] {note} : tensor<2xf32>
func.func @f(%a : tensor<2xf32>, %i : index) -> f32 {
  %0 = tensor.extract %a[%i] {note} : tensor<2xf32>
  func.return %0 : f32
}
