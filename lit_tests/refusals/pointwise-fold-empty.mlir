// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A fold by max starts at its first element.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-fold-empty] expected at least one element along the axes of a fold by max, found 0}}
  %b = pointwise.fold max left along [k : 0] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.fold max left along [k : 1] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted: an empty sum is -0.0.
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.fold add left along [k : 0] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// One empty axis is enough.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-fold-empty] expected at least one element along the axes of a fold by max, found 0}}
  %b = pointwise.fold max pairs over [i : 2] along [j : 3, k : 0] (%x = %a) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted: the result has no words, so none of them needs a first element.
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.fold max pairs over [i : 0] along [j : 3, k : 1] (%x = %a) {
    pointwise.yield %x
  } : tensor<0xf64>
  pointwise.return %a
}
