// A refusal names an operation of an unknown dialect as the text does, wherever one may stand.
// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// expected-error@+1 {{[source-syntax] expected the generic form of an operation that isn't known, "foo.bar", found a bare foo.bar}}
%a = foo.bar

// -----

func.func @f() {
  // expected-error@+1 {{[source-structure] expected an operation with successors at the end of its block, found 'foo.bar' before the end}}
  "foo.bar"()[^a] : () -> ()
  func.return
^a:
  func.return
}

// -----

// expected-error@+1 {{[source-value-undefined] expected operands of 'foo.bar' that are defined before it on every path, found '%b', defined later or out of reach}}
%a = "foo.bar"(%b) : (f64) -> f64
// expected-note@+1 {{'%b' is defined here}}
%b = "foo.bar"(%a) : (f64) -> f64

// -----

"foo.bar"() ({
  // expected-error@+1 {{[source-structure] expected a terminator at the end of each block of 'foo.bar', found 'arith.constant'}}
  %a = arith.constant 1.0 : f64
^b:
  func.return
}) : () -> ()

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected a scalar operation of exact meaning, found foo.bar}}
  %b = "foo.bar"(%a) : (f64) -> f64
  pointwise.return %b
}

// -----

// expected-error@+1 {{[pointwise-type] expected pointwise.return as the last operation, found foo.bar}}
pointwise.update @f(%a : f64) -> (f64) {
  "foo.bar"(%a) : (f64) -> ()
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.yield as the last operation, found foo.bar}}
  %b = pointwise.map over [i : 2] (%x = %a[i]) {
    "foo.bar"(%x) : (f64) -> ()
  } : tensor<2xf64>
  pointwise.return %b
}

// -----

region.learner @l {
  // expected-error@+1 {{[region-identity] expected a state, constant, samples, program or round in a learner, found foo.bar}}
  "foo.bar"() : () -> ()
}

// -----

region.learner @l {
  region.state @w : f64 = 1.0
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-footprint] expected read, sum, mean, apply and advance in a round, found foo.bar}}
    "foo.bar"() : () -> ()
    region.advance @w = %w
  }
}

// -----

region.learner @l {
  region.state @w : f64 = 1.0
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-round-count] expected region.advance as the last operation, found foo.bar}}
    "foo.bar"() : () -> ()
  }
}

// -----

// accepted:
"foo.bar"() : () -> ()
