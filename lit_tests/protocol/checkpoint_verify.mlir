// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// What is stored as a generation is of all roles, and of a version that isn't stored yet.

// All roles store their words: a generation without some is no state of the learner.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-error@+1 {{[protocol-publish-missing] expected all 3 roles to store their words, found role 1 doesn't}}
  protocol.checkpoint at stride(0, 2, 2) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// A version is stored once, since a generation is never replaced.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  // expected-note@+1 {{it is stored here}}
  protocol.checkpoint at stride(0, 1, 3) along star
  // expected-error@+1 {{[region-identity] expected one checkpoint of a version, found two}}
  protocol.checkpoint at stride(0, 1, 3) along tree<2>
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: the version advances in between
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.checkpoint at stride(0, 1, 3) along tree<2>
  protocol.publish at stride(0, 1, 3)
}

// -----

// Also in a repeat, of which every iteration is of one version.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.repeat 2 {
    // expected-note@+2 {{it is stored here}}
    // expected-error@+1 {{[region-identity] expected one checkpoint of a version, found two}}
    protocol.checkpoint at stride(0, 1, 3) along star
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: one iteration
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.repeat 1 {
    protocol.checkpoint at stride(0, 1, 3) along star
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: every iteration advances
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.repeat 2 {
    protocol.checkpoint at stride(0, 1, 3) along star
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// On no path.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    // expected-note@+1 {{it is stored here}}
    protocol.checkpoint at stride(0, 1, 3) along star
  } {
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  // expected-error@+1 {{[region-identity] expected one checkpoint of a version, found two}}
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    protocol.checkpoint at stride(0, 1, 3) along star
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  } {
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
    protocol.checkpoint at stride(0, 1, 3) along star
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// Every role has to know whether it stores its words.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at role 0 {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in [0 -> 2]}}
  // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 2, 0 -> 1]'}}
  protocol.choice %s by 0 along [0 -> 2] {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
    protocol.checkpoint at stride(0, 1, 3) along star
  } {
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at role 0 {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s by 0 along [0 -> 1, 0 -> 2] {
    protocol.checkpoint at stride(0, 1, 3) along star
  } {
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// What is stored are states of a learner.

protocol.global @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-error@+1 {{[protocol-unrealized] expected a learner whose states are stored, found none}}
  protocol.checkpoint at stride(0, 1, 3) along star
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.checkpoint at stride(0, 1, 3) along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// And so are those that a run begins with.

// expected-error@+1 {{[protocol-unrealized] expected a learner whose states begin with those of a generation, found none}}
protocol.global @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
  protocol.local at stride(0, 1, 3) {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1, @v = %v1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Roles of the protocol alone take part, and all those of a scope.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-error@+1 {{[protocol-role-range] expected roles from 0 to 2, found role 3}}
  protocol.checkpoint at stride(0, 1, 4) along star
  protocol.publish at stride(0, 1, 3)
}

// -----


region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
    protocol.checkpoint at stride(0, 1, 3) along star
  }
  protocol.publish at stride(0, 1, 3)
}

// -----


region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-error@+1 {{[shard-owner-range] expected 2 owners in a pair, found 3}}
  protocol.checkpoint at stride(0, 1, 3) along pair
  protocol.publish at stride(0, 1, 3)
}

// -----


region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-error@+1 {{[select-empty] expected a group with at least one role, found empty}}
  protocol.checkpoint at empty along star
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: all of them
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.scope stride(0, 1, 3) {
    protocol.checkpoint at stride(0, 1, 3) along tree<1>
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Versions are numbered in words of 64 bits, also behind the one with which a run begins.

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<18446744073709551611, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
  // expected-error@+2 {{[protocol-repeat-version-overflow] expected at most 4 versions at role 0 behind version 18446744073709551611, found 5}}
  // expected-note@+2 {{1 here, each time}}
  protocol.repeat 5 {
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<18446744073709551611, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
  protocol.repeat 4 {
    protocol.local at stride(0, 1, 3) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  protocol.publish at stride(0, 1, 3)
}
