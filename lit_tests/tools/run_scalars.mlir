// RUN: alpha run %s --interpret --metrics %t | filecheck %s --check-prefix=DIGEST
// RUN: filecheck %s < %t

// The scalars at their edges: NaN, infinities and both zeros as intermediate values.
// CHECK-DAG: "min of NaN and 1": {"total": 1.0,
// CHECK-DAG: "min of 1 and NaN": {"total": "nan",
// CHECK-DAG: "max of -0 and 0": {"total": 0.0,
// CHECK-DAG: "max of 0 and -0": {"total": -0.0,
// CHECK-DAG: "1 / -0": {"total": "-inf",
// CHECK-DAG: "sqrt of -0": {"total": -0.0,
// CHECK-DAG: "sqrt of 2": {"total": 1.4142135623730951,
// CHECK-DAG: "fused": {"total": -4.930380657631324e-32,
// CHECK-DAG: "not fused": {"total": 0.0,
// CHECK-DAG: "copysign": {"total": -3.0,
// CHECK-DAG: "ult of NaN": {"total": 1.0,
// CHECK-DAG: "olt of NaN": {"total": 2.0,
// DIGEST: state sha256:fb96dace0524e3747dd1e094027dd15c272abbb4e703a9a2ee5191dd18c411d0

region.learner @scalars {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (f64) = dense<1.0>
  pointwise.contribution @edges() sample(%one : f64)
      -> (observed "min of NaN and 1" : f64, observed "min of 1 and NaN" : f64, observed "max of -0 and 0" : f64,
          observed "max of 0 and -0" : f64, observed "1 / -0" : f64, observed "sqrt of -0" : f64,
          observed "sqrt of 2" : f64, observed "fused" : f64, observed "not fused" : f64, observed "copysign" : f64,
          observed "ult of NaN" : f64, observed "olt of NaN" : f64) {
    %nan = arith.constant 0x7FF8000000000000 : f64
    %zero = arith.constant 0.0 : f64
    %minus = arith.constant -0.0 : f64
    %two = arith.constant 2.0 : f64
    %three = arith.constant 3.0 : f64
    %a = pointwise.min %nan, %one : f64
    %b = pointwise.min %one, %nan : f64
    %c = pointwise.max %minus, %zero : f64
    %d = pointwise.max %zero, %minus : f64
    %e = arith.divf %one, %minus : f64
    %f = math.sqrt %minus : f64
    %g = math.sqrt %two : f64
    // (1 + u) * (1 - u) - 1 with u = 2^-52 is -2^-104, which only a fused operation sees.
    %u = arith.constant 0x3CB0000000000000 : f64
    %up = arith.addf %one, %u : f64
    %down = arith.subf %one, %u : f64
    %less = arith.negf %one : f64
    %h = math.fma %up, %down, %less : f64
    %p = arith.mulf %up, %down : f64
    %i = arith.addf %p, %less : f64
    %j = math.copysign %three, %minus : f64
    %s = arith.cmpf ult, %nan, %one : f64
    %t = arith.cmpf olt, %nan, %one : f64
    %k = arith.select %s, %one, %two : f64
    %l = arith.select %t, %one, %two : f64
    pointwise.return %a, %b, %c, %d, %e, %f, %g, %h, %i, %j, %k, %l
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %n = pointwise.sum @edges() over @data
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
