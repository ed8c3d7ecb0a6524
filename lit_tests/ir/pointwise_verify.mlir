// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is legal: values that aren't used, arguments that are written as they are, one operand read
// through several maps, and results of operations over a domain as operands of others.
pointwise.update @legal(%a : tensor<4xf64>, %b : f64) -> (tensor<4xf64>, tensor<4xf64>, f64, f64) {
  %unused = arith.negf %b : f64
  %t = arith.cmpf olt, %b, %unused : f64
  %c = arith.select %t, %b, %unused : f64
  %m = pointwise.map over [i : 4] (%x = %a[i], %y = %a[3 - i], %z = %a[0], %s = %c) {
    %two = arith.constant 2.0 : f64
    %u = arith.cmpf uno, %x, %y : f64
    %v = arith.select %u, %z, %two : f64
    %w = arith.mulf %v, %s : f64
    pointwise.yield %w
  } : tensor<4xf64>
  %f = pointwise.fold add left along [i : 4, j : 4] (%x = %m[i], %y = %a[j]) {
    %p = arith.mulf %x, %y : f64
    pointwise.yield %p
  } : f64
  pointwise.return %a, %a, %f, %b
}

// -----

// An index is looked at where the domain reaches, and not beyond: the edges are legal.
pointwise.update @edges(%a : tensor<6xf64>) -> (tensor<6xf64>) {
  %m = pointwise.map over [i : 2, j : 3] (%x = %a[i * 3 + j], %y = %a[5 - i * 3 - j], %z = %a[(i * 3 + j) floordiv 2 * 2]) {
    pointwise.yield %x
  } : tensor<2x3xf64>
  pointwise.return %a
}

// -----

pointwise.update @edges(%a : tensor<6xf64>) -> (tensor<6xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [6] for operand 0, found [6] at point [1, 2]}}
  %m = pointwise.map over [i : 2, j : 3] (%x = %a[i * 4 + j]) {
    pointwise.yield %x
  } : tensor<2x3xf64>
  pointwise.return %a
}

// -----

// Domains cost nothing here, whatever their extent.
pointwise.update @large(%a : tensor<1000000x1000000xf32>, %b : tensor<1000000xf32>) -> (tensor<1000000x1000000xf32>, f32) {
  %m = pointwise.map over [i : 1000000, j : 1000000] (%x = %a[j, i], %y = %b[999999 - i], %z = %a[i mod 1000, j floordiv 1000]) {
    pointwise.yield %x
  } : tensor<1000000x1000000xf32>
  %s = pointwise.fold max lanes<16> along [i : 1000000, j : 1000000] (%x = %m[i, j]) {
    pointwise.yield %x
  } : f32
  pointwise.return %m, %s
}

// -----

// A program is isolated: it sees nothing but its arguments.
func.func @outer(%a : f64) {
  // expected-error@+1 {{[source-structure] expected 'pointwise.update' to hold its rules, found Operation using value defined out of its IsolatedFromAbove parent}}
  pointwise.update @inner(%b : f64) -> (f64) {
    pointwise.return %a
  }
  func.return
}

// -----

// The two kinds of word don't mix.
pointwise.update @mixed(%a : tensor<2xf64>, %b : tensor<2xf32>) -> (tensor<2xf64>) {
  %m = pointwise.map over [i : 2] (%x = %a[i], %y = %b[i]) {
    // expected-error@+1 {{[source-syntax] expected a value of type f64, found one that is used or defined with type f32 before}}
    %z = arith.addf %x, %y : f64
    pointwise.yield %z
  } : tensor<2xf64>
  pointwise.return %m
}

// -----

// Scalars of either kind.
pointwise.update @single(%a : f32, %b : f32) -> (f32) {
  %m = pointwise.max %a, %b : f32
  %n = pointwise.min %m, %b : f32
  pointwise.return %n
}

// -----

// Programs may stand outside of a learner, and be named as anything there is.
pointwise.contribution @"a program" () sample(%x : tensor<2x2xf64>) -> (tensor<2x2xf64>, observed "trace" : f64) {
  %t = pointwise.fold add left along [i : 2] (%d = %x[i, i]) {
    pointwise.yield %d
  } : f64
  pointwise.return %x, %t
}

// -----

// xDSL takes any number for a predicate, and can print the names of sixteen.
pointwise.update @predicate(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected 'arith.cmpf' to hold its rules, found expected a predicate from 0 to 15, found 16}}
  %t = "arith.cmpf"(%a, %a) <{predicate = 16 : i64}> : (f64, f64) -> i1
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @predicate(%a : f64) -> (f64) {
  %t = "arith.cmpf"(%a, %a) <{predicate = 15 : i64}> : (f64, f64) -> i1
  pointwise.return %a
}
