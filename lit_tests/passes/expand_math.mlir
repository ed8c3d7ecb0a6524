// RUN: alpha-opt %s --expand-math | filecheck %s
// RUN: alpha-opt %s --expand-math -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %s --expand-math --expand-math | diff %t -

// A scalar: x less k ln 2, a polynomial, and 2^k from the bits of k.
// CHECK-LABEL: func.func @scalar(%x: f64) -> f64 {
// CHECK-NEXT:   %0 = arith.constant 7.100000e+02 : f64
// CHECK-NEXT:   %1 = arith.cmpf olt, %0, %x : f64
// CHECK-NEXT:   %2 = arith.select %1, %0, %x : f64
// CHECK-NEXT:   %3 = arith.constant -7.460000e+02 : f64
// CHECK-NEXT:   %4 = arith.cmpf ogt, %3, %2 : f64
// CHECK-NEXT:   %5 = arith.select %4, %3, %2 : f64
// CHECK-NEXT:   %6 = arith.constant 1.4426950408889634 : f64
// CHECK-NEXT:   %7 = arith.constant 6755399441055744.0 : f64
// CHECK-NEXT:   %8 = math.fma %5, %6, %7 : f64
// CHECK-NEXT:   %9 = arith.subf %8, %7 : f64
// CHECK-NEXT:   %10 = arith.bitcast %8 : f64 to i64
// CHECK-NOT:    math.exp
// CHECK:        arith.shli
// CHECK:        %e = arith.mulf
// CHECK-NEXT:   func.return %e : f64
func.func @scalar(%x : f64) -> f64 {
  %e = math.exp %x : f64
  func.return %e : f64
}

// In f32 the operations are of f64, and the result is rounded once.
// CHECK-LABEL: func.func @single(%x: f32) -> f32 {
// CHECK-NEXT:   %0 = arith.extf %x : f32 to f64
// CHECK-NOT:    pointwise.sigmoid
// CHECK:        arith.divf
// CHECK-NEXT:   %s = arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT:   func.return %s : f32
func.func @single(%x : f32) -> f32 {
  %s = pointwise.sigmoid %x : f32
  func.return %s : f32
}

// Vectors, also inside of loops: every operation is one of vectors, and constants are splats.
// CHECK-LABEL: func.func @loop
// CHECK:        scf.for
// CHECK:          arith.constant dense<2.2250738585072014e-308> : vector<4xf64>
// CHECK-NEXT:     arith.cmpf olt, %{{.*}}, %{{.*}} : vector<4xf64>
// CHECK:          arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi1>, vector<4xf64>
// CHECK:          arith.bitcast %{{.*}} : vector<4xf64> to vector<4xi64>
// CHECK:          arith.shrui %{{.*}}, %{{.*}} : vector<4xi64>
// CHECK-NOT:      math.log
// CHECK:          arith.extf %w : vector<8xf32> to vector<8xf64>
// CHECK-NOT:      math.tanh
// CHECK:          math.copysign %{{.*}}, %{{.*}} : vector<8xf64>
// CHECK-NEXT:     arith.truncf %{{.*}} : vector<8xf64> to vector<8xf32>
func.func @loop(%n : index, %v : vector<4xf64>, %w : vector<8xf32>) -> (vector<4xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %v) -> (vector<4xf64>) {
    %b = math.log %a : vector<4xf64>
    %c = math.tanh %w : vector<8xf32>
    scf.yield %b : vector<4xf64>
  }
  func.return %r : vector<4xf64>
}

// What has no list stays, and so does what isn't in a function.
// CHECK-LABEL: func.func @other
// CHECK-NEXT:   math.sin %x : f64
// CHECK:      pointwise.update @program
// CHECK-NEXT:   math.exp %a : f64
func.func @other(%x : f64) -> f64 {
  %y = math.sin %x : f64
  func.return %y : f64
}
pointwise.update @program(%a : f64) -> (f64) {
  %b = math.exp %a : f64
  pointwise.return %b
}
