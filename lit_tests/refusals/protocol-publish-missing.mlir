// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// What a run ends in is given out.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 0 to publish its words of @w behind the last advance, found none at the end}}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    // expected-note@+1 {{the version advances here}}
    shard.advance @w = %w1
  }
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
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// Of copies, those of role 0 are given out.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 0 to publish its words of @w behind the last advance, found none at the end}}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    // expected-note@+1 {{the version advances here}}
    shard.advance @w = %w1
  }
  // expected-note@+1 {{other words are published here}}
  protocol.publish at role 2
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
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at role 0
}

// -----

// What was given out before another version was made, isn't what the run ends in.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 0 to publish its words of @w behind the last advance, found none at the end}}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.publish at stride(0, 1, 3)
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    // expected-note@+1 {{the version advances here}}
    shard.advance @w = %w1
  }
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
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// On every path.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 0 to publish its words of @w behind the last advance, found none at the end of some path}}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  // expected-note@+1 {{they are published in some arms}}
  protocol.choice %s {
    protocol.publish at stride(0, 1, 3)
  } {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
  }
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
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    protocol.publish at stride(0, 1, 3)
  } {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
    protocol.publish at stride(0, 1, 3)
  }
}

// -----

// Also in a repeat.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 0 to publish its words of @w behind the last advance, found none at the end of some path}}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      // expected-note@+1 {{the version advances here}}
      shard.advance @w = %w1
    }
    %s = protocol.local at stride(0, 1, 3) {
      %one = arith.constant 1 : i64
      protocol.yield %one
    }
    // expected-note@+1 {{they are published in some arms}}
    protocol.choice %s {
      protocol.publish at stride(0, 1, 3)
    } {

    }
  }
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
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
      %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
      shard.advance @w = %w1
    }
    protocol.publish at stride(0, 1, 3)
  }
}

// -----

// Of a state that is shared out, each role gives its words; role 3 has none.

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
// expected-error@+1 {{[protocol-publish-missing] expected role 2 to publish its words of @w, found none at the end}}
protocol.global @mean_step of @mean_step group #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)> {
  %own = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    protocol.yield %w
  }
  // expected-note@+1 {{other words are published here}}
  protocol.publish at stride(0, 1, 2)
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
  protocol.publish at stride(0, 1, 3)
}
