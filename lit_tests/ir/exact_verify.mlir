// RUN: alpha-opt %s --split-input-file --verify-diagnostics

func.func @integer(%x : i64) -> i64 {
  // expected-error@+1 {{[source-structure] expected f32, f64, or a vector of them, found i64}}
  %s = exact.sqrt %x : i64
  func.return %s : i64
}

// -----

func.func @half(%x : f16) {
  // expected-error@+1 {{[source-structure] expected f32, f64, or a vector of them, found f16}}
  %h, %l, %m = exact.reciprocal %x : f16
  func.return
}

// -----

func.func @other_divisor(%x : f64, %c : f64, %d : f64) -> f64 {
  %h, %l, %m = exact.reciprocal %c : f64
  // expected-error@+1 {{[source-structure] expected the three results of exact.reciprocal of the divisor, in their order, found other values}}
  %q = exact.divide %x, %d, %h, %l, %m : f64
  func.return %q : f64
}

// -----

func.func @order(%x : f64, %c : f64) -> f64 {
  %h, %l, %m = exact.reciprocal %c : f64
  // expected-error@+1 {{[source-structure] expected the three results of exact.reciprocal of the divisor}}
  %q = exact.divide %x, %c, %l, %h, %m : f64
  func.return %q : f64
}

// -----

func.func @any_value(%x : f64, %c : f64) -> f64 {
  // expected-error@+1 {{[source-structure] expected the three results of exact.reciprocal of the divisor}}
  %q = exact.divide %x, %c, %c, %c, %c : f64
  func.return %q : f64
}

// -----

func.func @looked_at(%c : f64) -> f64 {
  %h, %l, %m = exact.reciprocal %c : f64
  // expected-error@+1 {{[source-structure] expected no user of what exact.reciprocal gives but exact.divide, found arith.addf}}
  %s = arith.addf %h, %l : f64
  func.return %s : f64
}
