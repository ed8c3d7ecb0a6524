// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// An index lies inside its operand. The message says the first point at which it doesn't.

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [4] for operand 0, found [4] at point [3]}}
  %b = pointwise.map over [i : 4] (%x = %a[i + 1]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 3] (%x = %a[i + 1]) {
    pointwise.yield %x
  } : tensor<3xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [4] for operand 0, found [-1] at point [0]}}
  %b = pointwise.map over [i : 4] (%x = %a[i - 1]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4] (%x = %a[3 - i]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>, %b : tensor<2x3xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [2, 3] for operand 1, found [0, 3] at point [3]}}
  %c = pointwise.map over [i : 4] (%x = %a[i], %y = %b[0, i]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>, %b : tensor<2x3xf64>) -> (tensor<4xf64>) {
  %c = pointwise.map over [i : 4] (%x = %a[i], %y = %b[0, i mod 3]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %a
}

// -----

// The axes of a fold count as well.

pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [2, 3] for operand 0, found [2, 0] at point [0, 2]}}
  %b = pointwise.fold add left over [i : 2] along [j : 3] (%x = %a[j, i]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %b = pointwise.fold add left over [i : 2] along [j : 3] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// A tensor without words can't be read at any point, but over no point it may be.

pointwise.update @f(%a : tensor<0xf64>) -> (tensor<0xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [0] for operand 0, found [0] at point [0]}}
  %b = pointwise.map over [i : 1] (%x = %a[i]) {
    pointwise.yield %x
  } : tensor<1xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<0xf64>) -> (tensor<0xf64>) {
  %b = pointwise.map over [i : 0] (%x = %a[i + 7]) {
    pointwise.yield %x
  } : tensor<0xf64>
  pointwise.return %b
}

// -----

// In a domain that is too large to walk through the message still shows a point.

pointwise.update @f(%a : tensor<1000000000000xf64>) -> (tensor<1000000000000xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected an index inside [1000000000000] for operand 0, found [1000000000000] at point [999999999999]}}
  %b = pointwise.map over [i : 1000000000000] (%x = %a[i + 1]) {
    pointwise.yield %x
  } : tensor<1000000000000xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<1000000000000xf64>) -> (tensor<1000000000000xf64>) {
  %b = pointwise.map over [i : 1000000000000] (%x = %a[i]) {
    pointwise.yield %x
  } : tensor<1000000000000xf64>
  pointwise.return %b
}

// -----

// Indices are affine.

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected sums of axes times constants, mod and floordiv as an index, found a product or quotient of axes}}
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[i * j]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected sums of axes times constants, mod and floordiv as an index, found a product or quotient of axes}}
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[i mod j]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected sums of axes times constants, mod and floordiv in operand 0, found division by 0 in}}
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[i floordiv 0]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected sums of axes times constants, mod and floordiv in operand 0, found division by -2 in}}
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[i mod -2]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-footprint] expected a positive constant as divisor in an index, found 0}}
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[4 mod 0]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 2, j : 2] (%x = %a[i * 2 + j], %y = %a[i floordiv 2], %z = %a[(i + j) mod 2]) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

// A body reads its own arguments alone.

pointwise.update @f(%a : tensor<4xf64>, %r : f64) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4] (%x = %a[i]) {
    // expected-error@+1 {{[pointwise-footprint] expected only the body's own arguments and values, found a value from outside the body}}
    %y = arith.mulf %x, %r : f64
    pointwise.yield %y
  } : tensor<4xf64>
  pointwise.return %b
}

// -----

pointwise.update @f(%a : tensor<4xf64>, %r : f64) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4] (%x = %a[i]) {
    // expected-error@+1 {{[pointwise-footprint] expected only the body's own arguments and values, found a value from outside the body}}
    pointwise.yield %r
  } : tensor<4xf64>
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>, %r : f64) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4] (%x = %a[i], %s = %r) {
    %y = arith.mulf %x, %s : f64
    pointwise.yield %y
  } : tensor<4xf64>
  pointwise.return %b
}

// -----

// A round reads, sums, divides, applies and advances, and does nothing else.

region.learner @round_operation {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-footprint] expected read, sum, mean, apply and advance in a round, found arith.addf}}
    %s = arith.addf %w, %w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// It has no arguments.

region.learner @round_argument {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  // expected-error@+1 {{[pointwise-footprint] expected a round without arguments, found some}}
  region.round {
  ^bb0(%q : f64):
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// New words come from an update.

region.learner @advance_read {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[pointwise-footprint] expected the new words of @w from pointwise.apply, found a value that no update wrote}}
    region.advance @w = %w
  }
}

// -----

// accepted:
region.learner @round_operation {
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

// -----

// An update writes states alone.

region.learner @advance_constant {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[pointwise-footprint] expected a state, since an update writes only parameters and optimizer state, found @rate, which never changes}}
    region.advance @rate = %w1
  }
}

// -----

// accepted:
region.learner @advance_state {
  region.state @w : f64 = 0.0
  region.state @rate : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @rate = %w1
  }
}

// -----

region.learner @advance_samples {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (f64) = dense<1.0>
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[pointwise-footprint] expected a state, since an update writes only parameters and optimizer state, found @data, which never changes}}
    region.advance @data = %w1
  }
}

// -----

// accepted:
region.learner @advance_samples {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (f64) = dense<1.0>
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// A contribution reads parameters and constants of this version, not what the round made of them ...

region.learner @sum_of_mean {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %s, %n = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %s, %n
    // expected-error@+1 {{[pointwise-footprint] expected argument 0 of @pull read from a state or constant, found another value}}
    %s2, %n2 = pointwise.sum @pull(%g) over @data : f64
    %g2 = pointwise.mean %s2, %n2
    %w1 = pointwise.apply @step(%w, %g2) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @sum_of_mean {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %s, %n = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %s, %n
    %s2, %n2 = pointwise.sum @pull(%w) over @data : f64
    %g2 = pointwise.mean %s2, %n2
    %w1 = pointwise.apply @step(%w, %g2) : f64
    region.advance @w = %w1
  }
}

// -----

// ... and no samples but its own.

region.learner @sum_of_samples {
  region.state @w : f64 = 0.0
  region.constant @c : tensor<2xf64> = dense<1.0>
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%all : tensor<2xf64>) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w, %all = region.read @w, @data : f64, tensor<2xf64>
    // expected-error@+1 {{[pointwise-footprint] expected argument 0 of @pull read from a state or constant, found another value}}
    %s, %n = pointwise.sum @pull(%all) over @data : f64
    %g = pointwise.mean %s, %n
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @sum_of_samples {
  region.state @w : f64 = 0.0
  region.constant @c : tensor<2xf64> = dense<1.0>
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%all : tensor<2xf64>) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w, %all = region.read @w, @c : f64, tensor<2xf64>
    %s, %n = pointwise.sum @pull(%all) over @data : f64
    %g = pointwise.mean %s, %n
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
