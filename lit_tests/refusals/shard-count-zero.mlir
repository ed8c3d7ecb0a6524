// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A mean over no samples.

region.learner @no_samples {
  region.state @w : f64 = 0.0
  region.samples @data[0] : (f64) = dense<>
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
    // expected-error@+1 {{[shard-count-zero] expected at least one sample in @data to take a mean over, found 0}}
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @one_sample {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (f64) = dense<[1.0]>
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

// accepted: an owner may have none, and so may samples that no mean is taken over.
region.learner @owner_without_samples attributes {owners = #shard.owners<2, pair, samples = [0, 1]>} {
  region.state @w : f64 = 0.0
  region.samples @unused[0] : (f64) = dense<>
  region.samples @data[1] : (f64) = dense<[1.0]>
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
