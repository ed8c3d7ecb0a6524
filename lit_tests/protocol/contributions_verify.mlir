// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// What is contributed is summed.

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
    // expected-error@+1 {{[shard-contribution-missing] expected a sum of what is contributed over @data, found none}}
    %d = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
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

// accepted: through a scope and round a repeat
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
  %u = protocol.scope stride(0, 1, 4) {
    %v = protocol.repeat 2 (%x = %c) {
      protocol.yield %x
    }
    protocol.yield %v
  }
  %t = protocol.reduce sum %u by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// By the map of the contribution, wherever the sum is made.

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
    // expected-note@+1 {{they are contributed here}}
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    protocol.yield %c
  }
  %u = protocol.repeat 2 (%x = %c) {
    protocol.yield %x
  }
  // expected-error@+1 {{[shard-contribution-missing] expected the samples by [1, 2, 3, 0], as they are contributed, found by block}}
  %t = protocol.reduce sum %u by block contract #region.contract<groups = [2, 2, 1, 1], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// In the order that the learner declares.

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
  %u = protocol.repeat 2 (%x = %c) {
    protocol.yield %x
  }
  // expected-error@+1 {{[shard-combine-order] expected groups = [1, 2, 3, 0], combine = left, found groups = [1, 1, 1, 1, 1, 1], combine = left}}
  %t = protocol.reduce sum %u by [1, 2, 3, 0] contract #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = left> along star
  %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
  protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
    %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 4)
}

// -----

// And whole, before it is divided.

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
  %m = protocol.local at stride(0, 1, 4) (%c = %c) {
    // expected-error@+1 {{[shard-sum-pending] expected the mean of a total, behind protocol.reduce, found !shard.contribution<tensor<3xf64>, @data, +0>}}
    %m = shard.mean %c : !shard.contribution<tensor<3xf64>, @data, +0>
    protocol.yield %m
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
