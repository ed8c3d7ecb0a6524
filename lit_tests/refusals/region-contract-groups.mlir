// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The groups of a contract add up to the number of samples.

region.learner @groups {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
    // expected-error@+1 {{[region-contract-groups] expected groups that add up to 6 samples, found 3}}
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @groups {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// So do the samples of the owners.

region.learner @owners attributes {owners = #shard.owners<3, star, samples = [1, 2, 4]>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
    // expected-error@+1 {{[region-contract-groups] expected owners' samples that add up to 6, found 7}}
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @owners attributes {owners = #shard.owners<3, star, samples = [1, 2, 3]>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// Owners of samples in a learner that sums nothing.

// expected-error@+1 {{[region-contract-groups] expected no samples of owners in a learner without a sum, found [1, 1]}}
region.learner @no_sum attributes {owners = #shard.owners<2, pair, samples = [1, 1]>} {
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

// accepted:
region.learner @no_sum attributes {owners = #shard.owners<2, pair>} {
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

// A contract by itself: it has at least one group.

// expected-error@+1 {{[region-contract-groups] expected at least one group, found none}}
module attributes {c = #region.contract<groups = [], combine = left>} {}

// -----

// accepted:
module attributes {c = #region.contract<groups = [0], combine = left>} {}

// -----

// A few letters can say more groups than there can be owners.

// expected-error@+1 {{[region-contract-groups] expected at most 16777216 groups, found 16777217}}
module attributes {c = #region.contract<groups = [6, repeat(16777216, 0)], combine = left>} {}

// -----

// accepted:
module attributes {c = #region.contract<groups = [6, repeat(16777215, 0)], combine = left>} {}
