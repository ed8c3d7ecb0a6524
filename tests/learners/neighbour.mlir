// Plain steps with diffusion: each coordinate is drawn towards its neighbour on a ring.
//
// Refused: the new w[i] reads w[(i + 1) mod 4].

region.learner @neighbour attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<[0.5, -0.5, 0.25, 1.0]>
  region.constant @rate : f64 = 0.1
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

  pointwise.update @diffuse(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64)
      -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4]
        (%wi = %w[i], %next = %w[(i + 1) mod 4], %gi = %g[i], %r = %rate) {
      %away = arith.subf %wi, %next : f64
      %way = arith.addf %gi, %away : f64
      %step = arith.mulf %r, %way : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }

  region.round {
    %w, %rate = region.read @w, @rate : tensor<4xf64>, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @diffuse(%w, %g, %rate) : tensor<4xf64>
    region.advance @w = %w1
  }
}
