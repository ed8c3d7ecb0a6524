// Plain steps whose rate is a state that shrinks by the first word of the gradient.
//
// Refused: the rate is a scalar with a coordinate of its own, whose owner need not own w's. It
// can't be declared shared either, since it is updated from a mean.

region.learner @learned_rate attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @rate : f64 = 0.1
  region.samples @data[6] : (tensor<4xf64>, f64) =
    dense<[[1.0, -0.5, 0.25, 2.0], [0.3, 1.7, -1.1, 0.2], [-2.0, 0.4, 0.9, -0.7],
           [0.1, 0.2, 0.3, 0.4], [1.5, -1.5, 2.5, -0.1], [-0.6, 3.0, 0.05, 1.3]]>,
    dense<[1.2, -0.7, 3.1, 0.45, -2.3, 0.9]>

  pointwise.contribution @gradient(%w : tensor<4xf64>) sample(%x : tensor<4xf64>, %y : f64)
      -> (tensor<4xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left along [k : 4] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 4] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<4xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }

  pointwise.update @adapt(%w : tensor<4xf64>, %rate : f64, %g : tensor<4xf64>)
      -> (tensor<4xf64>, f64) {
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate) {
      %step = arith.mulf %r, %gi : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    %first = pointwise.fold max left along [i : 1] (%gi = %g[i]) {
      %size = math.absf %gi : f64
      pointwise.yield %size
    } : f64
    %one = arith.constant 1.0 : f64
    %below = arith.addf %one, %first : f64
    %rate1 = arith.divf %rate, %below : f64
    pointwise.return %w1, %rate1
  }

  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %rate1 = pointwise.apply @adapt(%w, %rate, %g) : tensor<4xf64>, f64
    region.advance @w = %w1, @rate = %rate1
  }
}
