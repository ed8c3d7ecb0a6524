// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-separability

// A gradient that is clipped by its norm: every coordinate reads all means.

region.learner @clip_by_norm {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[3] from words of coordinate [3], shared words and constants, found mean %g[0] through pointwise.fold (%n)}}
    %n = pointwise.fold add left along [i : 4] (%gi = %g[i]) {
      %gg = arith.mulf %gi, %gi : f64
      pointwise.yield %gg
    } : f64
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate, %nn = %n) {
      %c = arith.divf %gi, %nn : f64
      %s = arith.mulf %r, %c : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// accepted: clipped one by one
region.learner @clip_one_by_one {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    %n = pointwise.map over [i : 4] (%gi = %g[i]) {
      %gg = arith.mulf %gi, %gi : f64
      pointwise.yield %gg
    } : tensor<4xf64>
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate, %nn = %n[i]) {
      %c = arith.divf %gi, %nn : f64
      %s = arith.mulf %r, %c : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// A coordinate that reads its neighbour's mean.

region.learner @neighbour {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found mean %g[1] through pointwise.map (%w1)}}
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[(i + 1) mod 4], %r = %rate) {
      %s = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @own {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i mod 4], %r = %rate) {
      %s = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// The mirrored coordinate.

region.learner @mirror {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found mean %g[3] through pointwise.map (%w1)}}
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[3 - i], %r = %rate) {
      %s = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// Every coordinate reads the first one, which only the first may.

region.learner @first {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[3] from words of coordinate [3], shared words and constants, found mean %g[0] through pointwise.map (%w1)}}
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[0], %r = %rate) {
      %s = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @own {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    %d = pointwise.map over [i : 4] (%wi = %w[i], %xi = %x[i]) {
      %di = arith.subf %wi, %xi : f64
      pointwise.yield %di
    } : tensor<4xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate) {
      %s = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// -----

// The word of another shape belongs to no coordinate.

region.learner @one_word_for_all {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.state @scale : f64 = 1.0
  pointwise.update @step(%w : tensor<4xf64>, %scale : f64) -> (tensor<4xf64>, f64) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found state @scale through pointwise.map (%w1)}}
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %s = %scale) {
      %wi1 = arith.mulf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1, %scale
  }
  region.round {
    %w, %scale = region.read @w, @scale : tensor<4xf64>, f64
    %w1, %scale1 = pointwise.apply @step(%w, %scale) : tensor<4xf64>, f64
    region.advance @w = %w1, @scale = %scale1
  }
}

// -----

// accepted: unless it is declared shared
region.learner @one_word_for_all {
  region.state @w : tensor<4xf64> = dense<1.0>
  region.state @scale : f64 = 1.0 {shared}
  pointwise.update @step(%w : tensor<4xf64>, %scale : f64) -> (tensor<4xf64>, f64) {
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %s = %scale) {
      %wi1 = arith.mulf %wi, %s : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1, %scale
  }
  region.round {
    %w, %scale = region.read @w, @scale : tensor<4xf64>, f64
    %w1, %scale1 = pointwise.apply @step(%w, %scale) : tensor<4xf64>, f64
    region.advance @w = %w1, @scale = %scale1
  }
}

// -----

// Samples lie with the coordinates along their first axes.

region.learner @other_samples {
  region.state @w : tensor<3xf64> = dense<1.0>
  region.samples @signal[3] : (tensor<2xf64>) = dense<1.0>
  pointwise.update @step(%w : tensor<3xf64>, %s : tensor<3x2xf64>) -> (tensor<3xf64>) {
    // expected-error@+1 {{[pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found samples @signal[2, 0] through pointwise.fold (%w1)}}
    %w1 = pointwise.fold add left over [i : 3] along [t : 2] (%st = %s[2 - i, t]) {
      pointwise.yield %st
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %s = region.read @signal : tensor<3x2xf64>
    %w1 = pointwise.apply @step(%w, %s) : tensor<3xf64>
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @own_samples {
  region.state @w : tensor<3xf64> = dense<1.0>
  region.samples @signal[3] : (tensor<2xf64>) = dense<1.0>
  pointwise.update @step(%w : tensor<3xf64>, %s : tensor<3x2xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.fold add left over [i : 3] along [t : 2] (%st = %s[i, t]) {
      pointwise.yield %st
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %s = region.read @signal : tensor<3x2xf64>
    %w1 = pointwise.apply @step(%w, %s) : tensor<3xf64>
    region.advance @w = %w1
  }
}

// -----

// Every further violation is a note.

region.learner @swapped {
  region.state @w : tensor<2xf64> = dense<1.0>
  region.state @v : tensor<2xf64> = dense<1.0>
  pointwise.update @step(%w : tensor<2xf64>, %v : tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    // expected-error@+2 {{[pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found state @w[1] through pointwise.map (%w1, %v1)}}
    // expected-note@+1 {{[pointwise-not-separable] expected new words of @v[0] from words of coordinate [0], shared words and constants, found state @v[1] through pointwise.map (%w1, %v1)}}
    %w1, %v1 = pointwise.map over [i : 2] (%wi = %w[1 - i], %vi = %v[1 - i]) {
      pointwise.yield %wi, %vi
    } : tensor<2xf64>, tensor<2xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : tensor<2xf64>, tensor<2xf64>
    %w1, %v1 = pointwise.apply @step(%w, %v) : tensor<2xf64>, tensor<2xf64>
    region.advance @w = %w1, @v = %v1
  }
}

// -----

// accepted: each coordinate may read the words of all fields at itself
region.learner @crossed {
  region.state @w : tensor<2xf64> = dense<1.0>
  region.state @v : tensor<2xf64> = dense<1.0>
  pointwise.update @step(%w : tensor<2xf64>, %v : tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    %w1, %v1 = pointwise.map over [i : 2] (%wi = %w[i], %vi = %v[i]) {
      pointwise.yield %vi, %wi
    } : tensor<2xf64>, tensor<2xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : tensor<2xf64>, tensor<2xf64>
    %w1, %v1 = pointwise.apply @step(%w, %v) : tensor<2xf64>, tensor<2xf64>
    region.advance @w = %w1, @v = %v1
  }
}
