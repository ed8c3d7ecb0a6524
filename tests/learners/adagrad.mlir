// Adagrad (Duchi, Hazan and Singer, 2011): each coordinate's step shrinks with the sum of the
// squares of its own gradients.
//
// Separable: the sum is state of each coordinate.

region.learner @adagrad attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @h : tensor<4xf64> = dense<0.0>
  region.constant @rate : f64 = 0.5
  region.constant @eps : f64 = 1.0e-10
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

  pointwise.update @adagrad(%w : tensor<4xf64>, %h : tensor<4xf64>, %g : tensor<4xf64>,
      %rate : f64, %eps : f64) -> (tensor<4xf64>, tensor<4xf64>) {
    %w1, %h1 = pointwise.map over [i : 4]
        (%wi = %w[i], %hi = %h[i], %gi = %g[i], %r = %rate, %e = %eps) {
      %gg = arith.mulf %gi, %gi : f64
      %hi1 = arith.addf %hi, %gg : f64
      %root = math.sqrt %hi1 : f64
      %below = arith.addf %root, %e : f64
      %above = arith.mulf %r, %gi : f64
      %step = arith.divf %above, %below : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %hi1
    } : tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %h1
  }

  region.round {
    %w, %h, %rate, %eps = region.read @w, @h, @rate, @eps : tensor<4xf64>, tensor<4xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %h1 = pointwise.apply @adagrad(%w, %h, %g, %rate, %eps) : tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @h = %h1
  }
}
