// All parts of a contribution are sums of one contract's groups, and declared samples are kept.
// RUN: alpha-opt %s --verify-shards --split-input-file --verify-diagnostics

region.learner @twice attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<[1.0, 2.0, 4.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64, %h : f64) -> (f64) {
    %gh = arith.addf %g, %h : f64
    %w1 = arith.addf %w, %gh : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %s0, %n0 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2], combine = left> : f64
    %s1, %n1 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [3, 0], combine = left> : f64
    %g = pointwise.mean %s0, %n0
    %h = pointwise.mean %s1, %n1
    %w1 = pointwise.apply @step(%w, %g, %h) : f64
    region.advance @w = %w1
  }
}
shard.learner @twice owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c0 = shard.contribute @pull(%w) over @data by [3, 0] : !shard.contribution<f64, @data, +0>
    %t0 = shard.combine sum %c0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    // expected-note@-1 {{another part is combined here}}
    // expected-error@+1 {{[shard-combine-order] expected groups = [1, 2], combine = left for all parts of one shard.contribute, found groups = [3, 0], combine = left}}
    %t1 = shard.combine sum %c0 contract #region.contract<groups = [3, 0], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t0 : !shard.replica<f64, +0>
    %h = shard.mean %t1 : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %h) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @twice attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<[1.0, 2.0, 4.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64, %h : f64) -> (f64) {
    %gh = arith.addf %g, %h : f64
    %w1 = arith.addf %w, %gh : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %s0, %n0 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2], combine = left> : f64
    %s1, %n1 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [3, 0], combine = left> : f64
    %g = pointwise.mean %s0, %n0
    %h = pointwise.mean %s1, %n1
    %w1 = pointwise.apply @step(%w, %g, %h) : f64
    region.advance @w = %w1
  }
}
shard.learner @twice owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c0 = shard.contribute @pull(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>
    %t0 = shard.combine sum %c0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %c1 = shard.contribute @pull(%w) over @data by [3, 0] : !shard.contribution<f64, @data, +0>
    %t1 = shard.combine sum %c1 contract #region.contract<groups = [3, 0], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t0 : !shard.replica<f64, +0>
    %h = shard.mean %t1 : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %h) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @twice attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<[1.0, 2.0, 4.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64, %h : f64) -> (f64) {
    %gh = arith.addf %g, %h : f64
    %w1 = arith.addf %w, %gh : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %s0, %n0 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2], combine = left> : f64
    %s1, %n1 = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [3, 0], combine = left> : f64
    %g = pointwise.mean %s0, %n0
    %h = pointwise.mean %s1, %n1
    %w1 = pointwise.apply @step(%w, %g, %h) : f64
    region.advance @w = %w1
  }
}
shard.learner @twice owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @data replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c0 = shard.contribute @pull(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>
    %t0 = shard.combine sum %c0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    // expected-error@+1 {{[region-contract-groups] expected 1 samples of @data for owner 0, as its owners are declared, found 3}}
    %c1 = shard.contribute @pull(%w) over @data by [3, 0] : !shard.contribution<f64, @data, +0>
    %t1 = shard.combine sum %c1 contract #region.contract<groups = [3, 0], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t0 : !shard.replica<f64, +0>
    %h = shard.mean %t1 : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %h) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
