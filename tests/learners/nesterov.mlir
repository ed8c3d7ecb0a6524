// Nesterov's accelerated gradient (1983) in the form of Sutskever et al. (2013), where the gradient
// is taken at w and the step looks ahead: u1 = mu * u + g, w1 = w - rate * (g + mu * u1).
//
// Separable, and written as two updates in a row: the second reads what the first has written.

region.learner @nesterov attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @u : tensor<4xf64> = dense<0.0>
  region.constant @rate : f64 = 0.05
  region.constant @mu : f64 = 0.9
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

  pointwise.update @velocity(%u : tensor<4xf64>, %g : tensor<4xf64>, %mu : f64) -> (tensor<4xf64>) {
    %u1 = pointwise.map over [i : 4] (%ui = %u[i], %gi = %g[i], %m = %mu) {
      %kept = arith.mulf %m, %ui : f64
      %ui1 = arith.addf %kept, %gi : f64
      pointwise.yield %ui1
    } : tensor<4xf64>
    pointwise.return %u1
  }

  pointwise.update @look_ahead(%w : tensor<4xf64>, %u1 : tensor<4xf64>, %g : tensor<4xf64>,
      %rate : f64, %mu : f64) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4]
        (%wi = %w[i], %ui = %u1[i], %gi = %g[i], %r = %rate, %m = %mu) {
      %ahead = arith.mulf %m, %ui : f64
      %way = arith.addf %gi, %ahead : f64
      %step = arith.mulf %r, %way : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }

  region.round {
    %w, %u, %rate, %mu = region.read @w, @u, @rate, @mu : tensor<4xf64>, tensor<4xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %u1 = pointwise.apply @velocity(%u, %g, %mu) : tensor<4xf64>
    %w1 = pointwise.apply @look_ahead(%w, %u1, %g, %rate, %mu) : tensor<4xf64>
    region.advance @w = %w1, @u = %u1
  }
}
