// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-separability

// A second moment is computed from the coordinates' gradients, so it isn't shared.

region.learner @second_moment {
  region.state @w : tensor<2xf64> = dense<1.0>
  region.state @v : tensor<2xf64> = dense<0.0> {shared}
  region.samples @data[2] : (tensor<2xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : tensor<2xf64>) -> (tensor<2xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %v : tensor<2xf64>, %g : tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    // expected-error@+1 {{[pointwise-shared-overclaim] expected new words of shared @v[0] from shared words and constants alone, found mean %g[0] through pointwise.map (%v1)}}
    %v1 = pointwise.map over [i : 2] (%vi = %v[i], %gi = %g[i]) {
      %gg = math.fma %gi, %gi, %vi : f64
      pointwise.yield %gg
    } : tensor<2xf64>
    pointwise.return %w, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : tensor<2xf64>, tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %v1 = pointwise.apply @step(%w, %v, %g) : tensor<2xf64>, tensor<2xf64>
    region.advance @w = %w1, @v = %v1
  }
}

// -----

// accepted:
region.learner @second_moment {
  region.state @w : tensor<2xf64> = dense<1.0>
  region.state @v : tensor<2xf64> = dense<0.0>
  region.samples @data[2] : (tensor<2xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : tensor<2xf64>) -> (tensor<2xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %v : tensor<2xf64>, %g : tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    %v1 = pointwise.map over [i : 2] (%vi = %v[i], %gi = %g[i]) {
      %gg = math.fma %gi, %gi, %vi : f64
      pointwise.yield %gg
    } : tensor<2xf64>
    pointwise.return %w, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : tensor<2xf64>, tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %v1 = pointwise.apply @step(%w, %v, %g) : tensor<2xf64>, tensor<2xf64>
    region.advance @w = %w1, @v = %v1
  }
}

// -----

// A shared word that takes a coordinate's.

region.learner @power {
  region.state @w : f64 = 1.0
  region.state @p : f64 = 1.0 {shared}
  region.constant @beta : f64 = 0.5
  pointwise.update @step(%w : f64, %p : f64, %beta : f64) -> (f64, f64) {
    // expected-error@+1 {{[pointwise-shared-overclaim] expected new words of shared @p from shared words and constants alone, found state @w through arith.mulf (%p1)}}
    %p1 = arith.mulf %w, %beta : f64
    pointwise.return %w, %p1
  }
  region.round {
    %w, %p, %beta = region.read @w, @p, @beta : f64, f64, f64
    %w1, %p1 = pointwise.apply @step(%w, %p, %beta) : f64, f64
    region.advance @w = %w1, @p = %p1
  }
}

// -----

// accepted:
region.learner @power {
  region.state @w : f64 = 1.0
  region.state @p : f64 = 1.0 {shared}
  region.constant @beta : f64 = 0.5
  pointwise.update @step(%w : f64, %p : f64, %beta : f64) -> (f64, f64) {
    %p1 = arith.mulf %p, %beta : f64
    pointwise.return %w, %p1
  }
  region.round {
    %w, %p, %beta = region.read @w, @p, @beta : f64, f64, f64
    %w1, %p1 = pointwise.apply @step(%w, %p, %beta) : f64, f64
    region.advance @w = %w1, @p = %p1
  }
}
