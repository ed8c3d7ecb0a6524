// Regression with one parameter, whose samples are partitioned: two owners hold one and two.
//
// The work is unequal by construction, so a mean of the owners' means is not the mean: the sum of
// gradients travels with its count, and one division by three ends it.

region.learner @partitioned_regression attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 0.5
  region.constant @rate : f64 = 0.1
  region.samples @data[3] : (f64, f64) = dense<[1.0, 2.0, -3.0]>, dense<[2.5, 3.0, -7.0]>

  pointwise.contribution @gradient(%w : f64) sample(%x : f64, %y : f64)
      -> (f64, observed "loss" : f64) {
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %g = arith.mulf %r, %x : f64
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }

  pointwise.update @plain_step(%w : f64, %g : f64, %rate : f64) -> (f64) {
    %step = arith.mulf %rate, %g : f64
    %w1 = arith.subf %w, %step : f64
    pointwise.return %w1
  }

  region.round {
    %w, %rate = region.read @w, @rate : f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @plain_step(%w, %g, %rate) : f64
    region.advance @w = %w1
  }
}
