// RUN: alpha-opt %s --split-input-file --verify-diagnostics --verify-shards

// An owner reads what it has: its own words of a state that is owned ...

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
    // expected-error@+1 {{[shard-not-held] expected @w as words owned by cyclic, found a replica}}
    %w_all = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %w_own = shard.partition %w_all by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
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

// ... by the map by which it is owned ...

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
  shard.place @w by block_cyclic<2>
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    // expected-error@+1 {{[shard-not-held] expected @w as words owned by block_cyclic<2>, found words owned by cyclic}}
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    %w2 = shard.transfer %w1 to block_cyclic<2> : !shard.owned<tensor<4xf64>, block_cyclic<2>, +1>
    shard.advance @w = %w2
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
  shard.place @w by block_cyclic<2>
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_kept = shard.read @w : !shard.owned<tensor<4xf64>, block_cyclic<2>, +0>
    %w_own = shard.transfer %w_kept to cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    %w2 = shard.transfer %w1 to block_cyclic<2> : !shard.owned<tensor<4xf64>, block_cyclic<2>, +1>
    shard.advance @w = %w2
  }
}

// -----

// ... and all words of one that is replicated.

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
    // expected-error@+1 {{[shard-not-held] expected @w as a replica, found words owned by cyclic}}
    %own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
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
    %own = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// It contributes from all words, not from its own alone.

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
    // expected-error@+1 {{[shard-not-held] expected a replica of %w_own to contribute from, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
    %c = shard.contribute @pull(%w_own) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
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

// It sums samples that it has.

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
  shard.place @data by [1, 2, 0, 3]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    // expected-error@+1 {{[shard-not-held] expected owner 2 with sample 3 of @data, found owner 3 has it}}
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
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
  shard.place @data replicated
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

// -----

// It computes coordinates from words of the same owner: a mean that was delivered by another map
// isn't there.

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
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners [2, 2, 0, 0] : !shard.total<tensor<4xf64>, @data, owners [2, 2, 0, 0], +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, [2, 2, 0, 0], +0>
    // expected-error@+1 {{[shard-not-held] expected owner 1 with %g[1] for %w1[1], found owner 0 has it}}
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// accepted: unless it is moved.
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
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners [2, 2, 0, 0] : !shard.total<tensor<4xf64>, @data, owners [2, 2, 0, 0], +0>
    %h = shard.mean %t : !shard.owned<tensor<4xf64>, [2, 2, 0, 0], +0>
    %g = shard.transfer %h to cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// -----

// Where new words depend on those of another coordinate, both have one owner.

region.learner @shift {
  region.state @w : tensor<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>
  pointwise.update @turn(%w : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[3 - i]) {
      pointwise.yield %a
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %w1 = pointwise.apply @turn(%w) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @shift owners #shard.owners<2, pair> {
  shard.place @w by block
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<4xf64>, block, +0>
    // expected-error@+1 {{[shard-not-held] expected owner 0 with %w[3] for %w1[0], found owner 1 has it}}
    %w1 = shard.update @turn(%w) : !shard.owned<tensor<4xf64>, block, +1>
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @shift {
  region.state @w : tensor<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>
  pointwise.update @turn(%w : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[3 - i]) {
      pointwise.yield %a
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %w1 = pointwise.apply @turn(%w) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @shift owners #shard.owners<2, pair> {
  shard.place @w by [stride(0, 3, 2), stride(1, 1, 2)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<4xf64>, [stride(0, 3, 2), stride(1, 1, 2)], +0>
    %w1 = shard.update @turn(%w) : !shard.owned<tensor<4xf64>, [stride(0, 3, 2), stride(1, 1, 2)], +1>
    shard.advance @w = %w1
  }
}

// -----

// What every owner computes, it computes from words that every owner has.

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
    // expected-error@+1 {{[shard-not-held] expected owner 1 with %w_own[0] for %w_all[0], found owner 0 has it}}
    %w_all = shard.update @step(%w_own, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w_all
    %w1 = shard.partition %w_all by cyclic : !shard.owned<tensor<4xf64>, cyclic, +1>
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
