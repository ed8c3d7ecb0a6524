// RUN: alpha-opt %s --split-input-file --verify-diagnostics

pointwise.update @f(%a : tensor<6xf64>) -> (f64) {
  // expected-error@+1 {{[pointwise-fold-lanes] expected a power of two from 1 to 65536 as the number of lanes, found 6}}
  %b = pointwise.fold add lanes<6> along [k : 6] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted: there may be more lanes than elements.
pointwise.update @f(%a : tensor<6xf64>) -> (f64) {
  %b = pointwise.fold add lanes<8> along [k : 6] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : tensor<6xf64>) -> (f64) {
  // expected-error@+1 {{[pointwise-fold-lanes] expected a power of two from 1 to 65536 as the number of lanes, found 0}}
  %b = pointwise.fold add lanes<0> along [k : 6] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : tensor<6xf64>) -> (f64) {
  %b = pointwise.fold add lanes<1> along [k : 6] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// The same as an attribute.

// expected-error@+1 {{[pointwise-fold-lanes] expected a power of two from 1 to 65536 as the number of lanes, found 131072}}
module attributes {o = #pointwise.order<lanes<131072>>} {}

// -----

// accepted:
module attributes {o = #pointwise.order<lanes<65536>>} {}
