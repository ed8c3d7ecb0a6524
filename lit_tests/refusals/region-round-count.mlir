// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{[region-round-count] expected exactly one region.round, found 0}}
region.learner @none {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
}

// -----

region.learner @two {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
  // expected-error@+1 {{[region-round-count] expected exactly one region.round, found 2}}
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// A round that ends in something else has no end.

region.learner @other_end {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[region-round-count] expected region.advance as the last operation, found pointwise.return}}
    pointwise.return %w1
  }
}

// -----

// accepted:
region.learner @one {
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
