// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is legal and isn't built yet is refused by name: sin and its kin ...

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.sin, not built yet}}
  %b = math.sin %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b = pointwise.map over [i : 2] (%x = %a[i]) {
    // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.erf, not built yet}}
    %y = math.erf %x : f64
    pointwise.yield %y
  } : tensor<2xf64>
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f32) -> (f32) {
  // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.log1p, not built yet}}
  %b = math.log1p %a : f32
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.rsqrt, not built yet}}
  %b = math.rsqrt %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.powf, not built yet}}
  %b = math.powf %a, %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = math.exp %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f32) -> (f32) {
  // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.expm1, not built yet}}
  %b = math.expm1 %a : f32
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f32) -> (f32) {
  %b = pointwise.sigmoid %a : f32
  pointwise.return %b
}

// -----

// ... and the exact order of a reduction.

pointwise.update @f(%a : tensor<2xf64>) -> (f64) {
  // expected-error@+1 {{[target-unsupported] expected left, pairs or lanes<L> as the order, found exact}}
  %b = pointwise.fold add exact along [k : 2] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (f64) {
  %b = pointwise.fold add pairs along [k : 2] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// expected-error@+1 {{[target-unsupported] expected left, pairs or lanes<L> as the order, found exact}}
module attributes {o = #pointwise.order<exact>} {}

// -----

// accepted:
module attributes {o = #pointwise.order<left>} {}

// -----

// ... and the exact sum of a contract.
region.learner @exact {
  region.state @w : f64 = 0.0
  region.samples @d[1] : (f64) = dense<1.0>
  pointwise.contribution @g(%w : f64) sample(%x : f64) -> (f64) { pointwise.return %x }
  pointwise.update @u(%w : f64) -> (f64) { pointwise.return %w }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[target-unsupported] expected left or tree<F> as the combine, found exact}}
    %s, %n = pointwise.sum @g(%w) over @d contract #region.contract<groups = [1], combine = exact> : f64
    %g = pointwise.mean %s, %n
    %v = pointwise.apply @u(%g) : f64
    region.advance @w = %v
  }
}

// -----

// accepted:
region.learner @exact {
  region.state @w : f64 = 0.0
  region.samples @d[1] : (f64) = dense<1.0>
  pointwise.contribution @g(%w : f64) sample(%x : f64) -> (f64) { pointwise.return %x }
  pointwise.update @u(%w : f64) -> (f64) { pointwise.return %w }
  region.round {
    %w = region.read @w : f64
    %s, %n = pointwise.sum @g(%w) over @d contract #region.contract<groups = [1], combine = left> : f64
    %g = pointwise.mean %s, %n
    %v = pointwise.apply @u(%g) : f64
    region.advance @w = %v
  }
}
