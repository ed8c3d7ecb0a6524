// RUN: alpha-opt %s --split-input-file --verify-diagnostics

region.learner @read {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a state, constant or samples (there is: @rate, @w), found @v, which isn't defined}}
    %w = region.read @v : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @read {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
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

// A program can't be read.

region.learner @read_program {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a state, constant or samples (there is: @w), found @keep, a pointwise.update}}
    %w = region.read @keep : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @read_program {
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

region.learner @apply {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of an update (there is: @keep), found @adam, which isn't defined}}
    %w1 = pointwise.apply @adam(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @apply {
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

// Where there is nothing of the kind at all, the message says so.

region.learner @apply_none {
  region.state @w : f64 = 0.0
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of an update (there is: none), found @w, a region.state}}
    %w1 = pointwise.apply @w(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @apply_none {
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

region.learner @advance {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a state (there is: @w), found @v, which isn't defined}}
    region.advance @v = %w1
  }
}

// -----

// accepted:
region.learner @advance {
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

region.learner @sum {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @keep(%w : f64, %g : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a contribution (there is: @pull), found @push, which isn't defined}}
    %sum, %count = pointwise.sum @push(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

region.learner @sum_of_update {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @keep(%w : f64, %g : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a contribution (there is: @pull), found @keep, a pointwise.update}}
    %sum, %count = pointwise.sum @keep(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

region.learner @sum_over {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @keep(%w : f64, %g : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[region-symbol-unknown] expected the name of samples (there is: @data), found @w, a region.state}}
    %sum, %count = pointwise.sum @pull(%w) over @w : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @sum {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
  }
  pointwise.update @keep(%w : f64, %g : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : f64
    region.advance @w = %w1
  }
}
