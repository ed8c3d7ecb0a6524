// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// The words that a run gives out are of one version.

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
    shard.release %w
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  // expected-error@+1 {{[protocol-publish-version] expected role 1 to publish its words of @w together with these, found none before the version advances}}
  protocol.publish at role 0
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    // expected-note@+1 {{all words are published before the version advances, or none}}
    shard.advance @w = %w1
  }
  protocol.publish at stride(1, 1, 2)
}

// -----

// accepted: several roles publish one behind the other
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
  protocol.publish at role 0
  protocol.publish at stride(1, 1, 2)
}

// -----

// Parts of a publication stand in one body: here they would be of several versions from the second
// iteration on.

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
  // expected-error@+1 {{[protocol-publish-version] expected role 0 to publish its words of @w together with these, found none before the repeat}}
  protocol.publish at role 1
  // expected-note@+1 {{all words are published before the repeat, or none}}
  protocol.repeat 2 {
    protocol.publish at stride(0, 1, 3)
    protocol.local at stride(0, 1, 3) {
      %w = shard.read @w : !shard.replica<f64, +0>
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
  protocol.publish at role 1
  protocol.repeat 2 {
    protocol.publish at stride(0, 1, 3)
  }
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}

// -----

// And not in several arms.

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
    // expected-error@+1 {{[protocol-publish-version] expected role 0 to publish its words of @w together with these, found none in this arm}}
    protocol.publish at role 1
    // expected-note@+1 {{all words are published in this arm, or none}}
    protocol.local at stride(0, 1, 3) {
      protocol.yield
    }
  } {
    protocol.publish at role 0
    protocol.publish at role 1
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
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
  protocol.choice %s {
    protocol.publish at role 1
    protocol.publish at role 0
  } {
    protocol.publish at role 0
    protocol.publish at role 1
  }
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}
