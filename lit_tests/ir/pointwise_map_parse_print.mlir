// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Every point of the domain on its own. The names of axes are printed as i, j, k, ...

// CHECK: pointwise.update @elementwise(%a: tensor<4xf64>, %b: tensor<4xf64>) -> (tensor<4xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 4] (%x = %a[i], %y = %b[i]) {
// CHECK-NEXT:     %s = arith.addf %x, %y : f64
// CHECK-NEXT:     pointwise.yield %s
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "elementwise", function_type = (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>, %b: tensor<4xf64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a, %b) <{domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     %s = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%s) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<4xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @elementwise(%a : tensor<4xf64>, %b : tensor<4xf64>) -> (tensor<4xf64>) {
  %c = pointwise.map over [i : 4] (%x = %a[i], %y = %b[i]) {
    %s = arith.addf %x, %y : f64
    pointwise.yield %s
  } : tensor<4xf64>
  pointwise.return %c
}

// A scalar is the same at every point.
// CHECK: pointwise.update @broadcast(%a: tensor<2x3xf32>, %r: f32) -> (tensor<2x3xf32>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 2, j : 3] (%x = %a[i, j], %s = %r) {
// CHECK-NEXT:     %p = arith.mulf %x, %s : f32
// CHECK-NEXT:     pointwise.yield %p
// CHECK-NEXT:   } : tensor<2x3xf32>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "broadcast", function_type = (tensor<2x3xf32>, f32) -> tensor<2x3xf32>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3xf32>, %r: f32):
// GENERIC-NEXT:   %c = "pointwise.map"(%a, %r) <{domain = array<i64: 2, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f32, %s: f32):
// GENERIC-NEXT:     %p = "arith.mulf"(%x, %s) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
// GENERIC-NEXT:     "pointwise.yield"(%p) : (f32) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3xf32>, f32) -> tensor<2x3xf32>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<2x3xf32>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @broadcast(%a : tensor<2x3xf32>, %r : f32) -> (tensor<2x3xf32>) {
  %c = pointwise.map over [row : 2, column : 3] (%x = %a[row, column], %s = %r) {
    %p = arith.mulf %x, %s : f32
    pointwise.yield %p
  } : tensor<2x3xf32>
  pointwise.return %c
}

// An outer product.
// CHECK: pointwise.update @outer(%a: tensor<2xf64>, %b: tensor<3xf64>) -> (tensor<2x3xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 2, j : 3] (%x = %a[i], %y = %b[j]) {
// CHECK-NEXT:     %p = arith.mulf %x, %y : f64
// CHECK-NEXT:     pointwise.yield %p
// CHECK-NEXT:   } : tensor<2x3xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "outer", function_type = (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2xf64>, %b: tensor<3xf64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a, %b) <{domain = array<i64: 2, 3>, indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     %p = "arith.mulf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%p) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<2x3xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @outer(%a : tensor<2xf64>, %b : tensor<3xf64>) -> (tensor<2x3xf64>) {
  %c = pointwise.map over [i : 2, j : 3] (%x = %a[i], %y = %b[j]) {
    %p = arith.mulf %x, %y : f64
    pointwise.yield %p
  } : tensor<2x3xf64>
  pointwise.return %c
}

// A transposition.
// CHECK: pointwise.update @transpose(%a: tensor<2x3xf64>) -> (tensor<3x2xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 3, j : 2] (%x = %a[j, i]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<3x2xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "transpose", function_type = (tensor<2x3xf64>) -> tensor<3x2xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2x3xf64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a) <{domain = array<i64: 3, 2>, indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2x3xf64>) -> tensor<3x2xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<3x2xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @transpose(%a : tensor<2x3xf64>) -> (tensor<3x2xf64>) {
  %c = pointwise.map over [i : 3, j : 2] (%x = %a[j, i]) {
    pointwise.yield %x
  } : tensor<3x2xf64>
  pointwise.return %c
}

// Several results, of several types.
// CHECK: pointwise.update @several(%a: tensor<2xf64>, %b: tensor<2xf32>) -> (tensor<2xf64>, tensor<2xf32>) {
// CHECK-NEXT:   %c, %d = pointwise.map over [i : 2] (%x = %a[i], %y = %b[i]) {
// CHECK-NEXT:     pointwise.yield %x, %y
// CHECK-NEXT:   } : tensor<2xf64>, tensor<2xf32>
// CHECK-NEXT:   pointwise.return %c, %d
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "several", function_type = (tensor<2xf64>, tensor<2xf32>) -> (tensor<2xf64>, tensor<2xf32>)}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<2xf64>, %b: tensor<2xf32>):
// GENERIC-NEXT:   %c, %d = "pointwise.map"(%a, %b) <{domain = array<i64: 2>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f32):
// GENERIC-NEXT:     "pointwise.yield"(%x, %y) : (f64, f32) -> ()
// GENERIC-NEXT:   }) : (tensor<2xf64>, tensor<2xf32>) -> (tensor<2xf64>, tensor<2xf32>)
// GENERIC-NEXT:   "pointwise.return"(%c, %d) : (tensor<2xf64>, tensor<2xf32>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @several(%a : tensor<2xf64>, %b : tensor<2xf32>) -> (tensor<2xf64>, tensor<2xf32>) {
  %c, %d = pointwise.map over [i : 2] (%x = %a[i], %y = %b[i]) {
    pointwise.yield %x, %y
  } : tensor<2xf64>, tensor<2xf32>
  pointwise.return %c, %d
}

// No operands.
// CHECK: pointwise.update @ones(%a: f64) -> (tensor<4xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 4] () {
// CHECK-NEXT:     %one = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:     pointwise.yield %one
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "ones", function_type = (f64) -> tensor<4xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: f64):
// GENERIC-NEXT:   %c = "pointwise.map"() <{domain = array<i64: 4>, indexing_maps = []}> ({
// GENERIC-NEXT:     %one = "arith.constant"() <{value = 1.000000e+00 : f64}> : () -> f64
// GENERIC-NEXT:     "pointwise.yield"(%one) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> tensor<4xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<4xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @ones(%a : f64) -> (tensor<4xf64>) {
  %c = pointwise.map over [i : 4] () {
    %one = arith.constant 1.0 : f64
    pointwise.yield %one
  } : tensor<4xf64>
  pointwise.return %c
}

// No axes: one point, and scalars.
// CHECK: pointwise.update @point(%a: f64, %b: tensor<f64>) -> (f64) {
// CHECK-NEXT:   %c = pointwise.map over [] (%x = %a, %y = %b) {
// CHECK-NEXT:     %s = arith.addf %x, %y : f64
// CHECK-NEXT:     pointwise.yield %s
// CHECK-NEXT:   } : f64
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "point", function_type = (f64, tensor<f64>) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: f64, %b: tensor<f64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a, %b) <{domain = array<i64>, indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64, %y: f64):
// GENERIC-NEXT:     %s = "arith.addf"(%x, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%s) : (f64) -> ()
// GENERIC-NEXT:   }) : (f64, tensor<f64>) -> f64
// GENERIC-NEXT:   "pointwise.return"(%c) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @point(%a : f64, %b : tensor<f64>) -> (f64) {
  %c = pointwise.map over [] (%x = %a, %y = %b) {
    %s = arith.addf %x, %y : f64
    pointwise.yield %s
  } : f64
  pointwise.return %c
}

// An empty domain.
// CHECK: pointwise.update @nowhere(%a: tensor<0x4xf64>) -> (tensor<4x0xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 4, j : 0] (%x = %a[j, i]) {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<4x0xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "nowhere", function_type = (tensor<0x4xf64>) -> tensor<4x0xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<0x4xf64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a) <{domain = array<i64: 4, 0>, indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<0x4xf64>) -> tensor<4x0xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<4x0xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @nowhere(%a : tensor<0x4xf64>) -> (tensor<4x0xf64>) {
  %c = pointwise.map over [i : 4, j : 0] (%x = %a[j, i]) {
    pointwise.yield %x
  } : tensor<4x0xf64>
  pointwise.return %c
}

// Attributes that mean nothing here are kept.
// CHECK: pointwise.update @noted(%a: tensor<4xf64>) -> (tensor<4xf64>) {
// CHECK-NEXT:   %c = pointwise.map over [i : 4] (%x = %a[i]) attributes {note = "copy", tile = 2 : i64} {
// CHECK-NEXT:     pointwise.yield %x
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   pointwise.return %c
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "noted", function_type = (tensor<4xf64>) -> tensor<4xf64>}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>):
// GENERIC-NEXT:   %c = "pointwise.map"(%a) <{domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) : (f64) -> ()
// GENERIC-NEXT:   }) {note = "copy", tile = 2 : i64} : (tensor<4xf64>) -> tensor<4xf64>
// GENERIC-NEXT:   "pointwise.return"(%c) : (tensor<4xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @noted(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %c = pointwise.map over [i : 4] (%x = %a[i]) attributes {note = "copy", tile = 2 : i64} {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %c
}

// A name inside a body hides nothing outside: it is printed with a number where both are in sight.
// CHECK: pointwise.update @names(%a: tensor<4xf64>, %x: f64) -> (tensor<4xf64>, f64) {
// CHECK-NEXT:   %c = pointwise.map over [i : 4] (%y = %a[i]) {
// CHECK-NEXT:     pointwise.yield %y
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   %d = pointwise.map over [i : 4] (%y = %c[i], %z = %x) {
// CHECK-NEXT:     %w = arith.addf %y, %z : f64
// CHECK-NEXT:     pointwise.yield %w
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   pointwise.return %d, %x
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "names", function_type = (tensor<4xf64>, f64) -> (tensor<4xf64>, f64)}> ({
// GENERIC-NEXT: ^bb0(%a: tensor<4xf64>, %x: f64):
// GENERIC-NEXT:   %c = "pointwise.map"(%a) <{domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%y: f64):
// GENERIC-NEXT:     "pointwise.yield"(%y) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<4xf64>) -> tensor<4xf64>
// GENERIC-NEXT:   %d = "pointwise.map"(%c, %x) <{domain = array<i64: 4>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]}> ({
// GENERIC-NEXT:   ^bb0(%y_1: f64, %z: f64):
// GENERIC-NEXT:     %w = "arith.addf"(%y_1, %z) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.yield"(%w) : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<4xf64>, f64) -> tensor<4xf64>
// GENERIC-NEXT:   "pointwise.return"(%d, %x) : (tensor<4xf64>, f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @names(%a : tensor<4xf64>, %x : f64) -> (tensor<4xf64>, f64) {
  %c = pointwise.map over [i : 4] (%y = %a[i]) {
    pointwise.yield %y
  } : tensor<4xf64>
  %d = pointwise.map over [i : 4] (%y = %c[i], %z = %x) {
    %w = arith.addf %y, %z : f64
    pointwise.yield %w
  } : tensor<4xf64>
  pointwise.return %d, %x
}
