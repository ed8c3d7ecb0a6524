// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Owners without samples, more owners than samples, and owners of a learner that sums nothing.

region.learner @more_owners attributes {owners = #shard.owners<5, star>} {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
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

// Where sums are over several samples, one split can't be right for both.

region.learner @two_sums attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @other[4] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    // expected-error@+1 {{[region-contract-groups] expected owners' samples that add up to 4, found 3}}
    %more, %number = pointwise.sum @pull(%w) over @other : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted: unless that sum says its own contract.

region.learner @two_sums attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @other[4] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %more, %number = pointwise.sum @pull(%w) over @other contract #region.contract<groups = [2, 2], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// The words of the attribute.

// expected-error@+1 {{[source-syntax] expected one of 'pair', 'star', 'tree', found 'ring'}}
module attributes {o = #shard.owners<4, ring>} {}

// -----

// expected-error@+1 {{[source-syntax] expected ',', found '>'}}
module attributes {o = #shard.owners<4>} {}

// -----

// expected-error@+1 {{[source-syntax] expected 'samples', found '['}}
module attributes {o = #shard.owners<4, star, [1, 2, 3, 0]>} {}

// -----

// expected-error@+1 {{[source-syntax] expected '<', found '>'}}
module attributes {o = #shard.owners<4, tree>} {}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found '-'}}
module attributes {o = #shard.owners<2, pair, samples = [1, -1]>} {}
