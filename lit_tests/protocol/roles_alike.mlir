// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// What no frame shows: roles choose, advance and publish alike.

// A word of its own is nothing to choose by together.
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  %s = protocol.local at role 0 {
    // expected-note@+1 {{role 0 makes it here}}
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s site 7 {
  } {
    protocol.local at role 0 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  %s = protocol.local at role 1 {
    // expected-note@+1 {{role 1 makes it here}}
    %a = arith.constant 0 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-step-differs] expected role 1 to make what it chooses by at site 7 as role 0 does, by arith.constant, found another, by arith.constant}}
  protocol.choice %s site 7 {
  } {
    protocol.local at role 1 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 1
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s site 7 {
  } {
    protocol.local at role 0 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  %s = protocol.local at role 1 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s site 7 {
  } {
    protocol.local at role 1 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 1
}

// -----

// Both advance once at most, and never together.
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
// expected-note@+1 {{role 0 is here}}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s site 7 {
  } {
    protocol.local at role 0 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  %s = protocol.local at role 1 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[shard-version-mixed] expected role 1 to advance in the repeats and arms in which role 0 does, found an advance elsewhere}}
  protocol.choice %s site 7 {
    protocol.local at role 1 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  } {
  }
  protocol.publish at role 1
}

// -----

// Words that were read before the repeat are old in its second round.
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  protocol.repeat 2 site 5 {
    %a, %b = protocol.local at role 0 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w, %v
    }
    protocol.local at role 0 (%w = %a, %v = %b) {
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  // expected-note@+1 {{it is made here}}
  %a, %b = protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w, %v
  }
  protocol.repeat 2 site 5 {
    // expected-error@+1 {{[shard-version-mixed] expected %a of version +0 where it is used, found -1 or older, since the version advances in between}}
    protocol.local at role 1 (%w = %a, %v = %b) {
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 1
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  protocol.repeat 2 site 5 {
    %a, %b = protocol.local at role 0 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w, %v
    }
    protocol.local at role 0 (%w = %a, %v = %b) {
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  protocol.repeat 2 site 5 {
    %a, %b = protocol.local at role 1 {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w, %v
    }
    protocol.local at role 1 (%w = %a, %v = %b) {
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at role 1
}

// -----

// A version is published by all who have words of it, or by none.
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
// expected-note@+1 {{role 0 is here}}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-error@+1 {{[protocol-publish-version] expected role 0 to publish its words where role 1 does, found none of its own of this version}}
  protocol.publish at role 1
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 1
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 8.000000e+00
  region.state @v : tensor<3xf64> = dense<1.000000e+00>
  pointwise.update @halve(%w: f64, %v: tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 5.000000e-01 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.role @keep role 0 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [1] {
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 0
  protocol.local at role 0 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "0000000000000000000000000000000000000000000000000000000000000000" edges [0] {
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 1
  protocol.local at role 1 {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at role 1
}
