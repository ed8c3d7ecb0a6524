// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// A version in a type is relative to the round: what was read before the version advanced is of
// another one behind it.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-note@+1 {{it is made here}}
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    // expected-note@+1 {{the version advances here}}
    shard.advance @w = %w1
  }
  // expected-error@+1 {{[shard-version-mixed] expected %old of version +0 where it is used, found -1 or older, since the version advances in between}}
  protocol.local at stride(0, 1, 3) (%w = %old) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.local at stride(0, 1, 3) (%w = %old) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// The same of new words that a later version would be made of.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-note@+1 {{it is made here}}
  %new = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    protocol.yield %w1
  }
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    // expected-note@+1 {{the version advances here}}
    shard.advance @w = %w1
  }
  // expected-error@+1 {{[shard-version-mixed] expected %new of version +1 where it is used, found +0 or older, since the version advances in between}}
  protocol.local at stride(0, 1, 3) (%w1 = %new) {
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %new = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    protocol.yield %w1
  }
  protocol.local at stride(0, 1, 3) (%w1 = %new) {
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Behind the first iteration.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-note@+1 {{it is made here}}
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.repeat 3 {
    // expected-error@+1 {{[shard-version-mixed] expected %old of version +0 where it is used, found -1 or older, since the version advances in between}}
    protocol.local at stride(0, 1, 3) (%w = %old) {
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: there is no second
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.repeat 1 {
    protocol.local at stride(0, 1, 3) (%w = %old) {
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: the version doesn't advance in the repeat
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 3) (%w = %old) {
      protocol.yield
    }
  }
  protocol.local at stride(0, 1, 3) (%w = %old) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// What is carried round is used there.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %r = protocol.repeat 3 (%c = %old) {
    // expected-note@+1 {{it is made here}}
    %next = protocol.local at stride(0, 1, 3) (%w = %c) {
      %w1 = shard.read @w : !shard.replica<f64, +0>
      protocol.yield %w1
    }
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
    // expected-error@+1 {{[shard-version-mixed] expected %next of version +0 where it is used, found -1 or older, since the version advances in between}}
    protocol.yield %next
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %r = protocol.repeat 3 (%c = %old) {
    protocol.local at stride(0, 1, 3) (%w = %c) {
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
    %next = protocol.local at stride(0, 1, 3) {
      %w1 = shard.read @w : !shard.replica<f64, +0>
      protocol.yield %w1
    }
    protocol.yield %next
  }
  protocol.local at stride(0, 1, 3) (%w = %r) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Behind an arm in which it advances.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-note@+1 {{it is made here}}
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    protocol.local at stride(0, 1, 3) (%w = %old) {
      protocol.yield
    }
  } {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
  }
  // expected-error@+1 {{[shard-version-mixed] expected %old of version +0 where it is used, found -1 or older, since the version advances in between}}
  protocol.local at stride(0, 1, 3) (%w = %old) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: in another arm
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
  } {
    protocol.local at stride(0, 1, 3) (%w = %old) {
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Handed out of a scope.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  // expected-note@+1 {{it is made here}}
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %z = protocol.scope stride(0, 1, 3) {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
    // expected-error@+1 {{[shard-version-mixed] expected %old of version +0 where it is used, found -1 or older, since the version advances in between}}
    protocol.yield %old
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %z = protocol.scope stride(0, 1, 3) {
    %old = protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      protocol.yield %w
    }
    protocol.yield %old
  }
  protocol.local at stride(0, 1, 3) (%w = %z) {
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// accepted: words are of no version
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %old = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  %x = protocol.local at stride(0, 1, 3) (%w = %old) {
    %x = protocol.words %w
    protocol.yield %x
  }
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.local at stride(0, 1, 3) (%x = %x) {
    %y = arith.addf %x, %x : f64
    protocol.yield
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// A replica that was made before the rounds is of one round alone.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  // expected-note@+1 {{it is made here}}
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  protocol.repeat 2 {
    %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
      // expected-error@+1 {{[data-parallel-replica-version] expected a replica of version +0 to contribute from, found -1 or older, since the version advances in between}}
      %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
      protocol.yield %c
    }
    %again = protocol.local at stride(0, 1, 4) {
      %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w
    }
    %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
    %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
    protocol.local at stride(0, 1, 4) (%total = %mine, %words = %again) {
      %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  protocol.repeat 2 {
    %own = protocol.local at stride(0, 1, 4) {
      %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w
    }
    %whole = protocol.gather %own along star
    %copy = protocol.replicate %whole along star over stride(0, 1, 4)
    %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
      %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
      shard.release %w
      protocol.yield %c
    }
    %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
    %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
    protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
      %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1
    }
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// A replica is read before its release, also by later work of the same round.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    // expected-note@+1 {{it is released here}}
    shard.release %w
    protocol.yield %c
  }
  // expected-error@+1 {{[data-parallel-replica-released] expected %copy read before its release, found protocol.local behind it}}
  protocol.local at stride(0, 1, 4) (%w = %copy) {
    protocol.yield
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%w = %copy) {
    protocol.yield
  }
  %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// By any name.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  %c = protocol.local at stride(0, 1, 4) (%w = %copy, %v = %copy) {
    // expected-note@+1 {{it is released here}}
    shard.release %v
    // expected-error@+1 {{[data-parallel-replica-released] expected %w read before its release, found shard.contribute behind it}}
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  %c = protocol.local at stride(0, 1, 4) (%w = %copy, %v = %copy) {
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %v
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// It is released as often as it is made.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  // expected-note@+1 {{it is made here}}
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  // expected-note@+1 {{this is repeated}}
  protocol.repeat 2 {
    %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
      %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
      // expected-error@+1 {{[data-parallel-replica-released] expected %copy released once, in the repeat that makes it, found shard.release up to 2 times}}
      shard.release %w
      protocol.yield %c
    }
    %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
    %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  protocol.repeat 2 {
    %copy = protocol.replicate %whole along star over stride(0, 1, 4)
    %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
      %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
      shard.release %w
      protocol.yield %c
    }
    %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
    %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// Nobody has it under another name.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  %other = protocol.scope stride(0, 1, 4) {
    // expected-note@+1 {{it is handed on here}}
    protocol.yield %copy
  }
  %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    // expected-error@+1 {{[data-parallel-replica-released] expected %copy released under its only name, found a replica that is handed on}}
    shard.release %w
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<0.0>
  region.samples @data[6] : (tensor<3xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  %whole = protocol.gather %own along star
  %copy = protocol.replicate %whole along star over stride(0, 1, 4)
  %other = protocol.scope stride(0, 1, 4) {
    protocol.yield %copy
  }
  %c = protocol.local at stride(0, 1, 4) (%w = %other) {
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// The copies of a replicated state are nobody's to release.

region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[data-parallel-replica-released] expected a replica that an exchange of the protocol made, to release, found another value}}
    shard.release %w
    protocol.yield
  }
  protocol.publish at stride(0, 1, 3)
}
