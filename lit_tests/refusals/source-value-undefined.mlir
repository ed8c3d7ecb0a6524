// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A value that isn't defined at all.

pointwise.update @f(%p : f64) -> (f64) {
  // expected-error@+1 {{[source-value-undefined] expected a value that is defined before its use, found '%q'}}
  pointwise.return %q
}

// -----

// accepted:
pointwise.update @f(%p : f64) -> (f64) {
  pointwise.return %p
}

// -----

pointwise.update @f(%p : f64) -> (f64) {
  // expected-error@+1 {{[source-value-undefined] expected a value that is defined before its use, found '%q'}}
  %m = pointwise.map over [i : 2] (%x = %p, %y = %q) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %p
}

// -----

// accepted:
pointwise.update @f(%p : f64) -> (f64) {
  %m = pointwise.map over [i : 2] (%x = %p, %y = %p) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %p
}

// -----

// In operations of other dialects each one is named.

pointwise.update @f(%p : f64) -> (f64) {
  // expected-error@+1 {{[source-value-undefined] expected a value that is defined, found '%q'}}
  %a = arith.addf %p, %q : f64
  // expected-note@+1 {{nor is '%r' defined}}
  %b = arith.addf %p, %r : f64
  pointwise.return %p
}

// -----

// accepted:
pointwise.update @f(%p : f64) -> (f64) {
  %a = arith.addf %p, %p : f64
  %b = arith.addf %p, %a : f64
  pointwise.return %p
}

// -----

// A value that is defined later.

pointwise.update @f(%p : f64) -> (f64) {
  // expected-error@+1 {{[source-value-undefined] expected operands of 'arith.addf' that are defined before it on every path, found '%b', defined later or out of reach}}
  %a = arith.addf %p, %b : f64
  // expected-note@+1 {{'%b' is defined here}}
  %b = arith.addf %p, %p : f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%p : f64) -> (f64) {
  %b = arith.addf %p, %p : f64
  %a = arith.addf %p, %b : f64
  pointwise.return %a
}

// -----

// A program sees nothing of what stands around it.

region.learner @outside {
  region.state @w : f64 = 0.0
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[source-value-undefined] expected a value that is defined before its use, found '%w1'}}
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @outside {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
