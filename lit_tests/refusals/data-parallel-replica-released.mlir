// RUN: alpha-opt %s --split-input-file --verify-diagnostics --verify-shards

// A replica is read before its release.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    // expected-note@+1 {{it is released here}}
    shard.release %w
    // expected-error@+1 {{[data-parallel-replica-released] expected %w read before its release, found shard.contribute behind it}}
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// It is released once.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    // expected-note@+1 {{it is released here}}
    shard.release %w
    // expected-error@+1 {{[data-parallel-replica-released] expected %w read before its release, found shard.release behind it}}
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// The copies of a replicated state are nobody's to release.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    // expected-error@+1 {{[data-parallel-replica-released] expected a replica that shard.replicate made, to release, found another value}}
    shard.release %w
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
