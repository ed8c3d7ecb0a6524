// LARS (You, Gitman and Ginsburg, 2017): momentum whose rate is scaled by the ratio of two norms,
// |w| / (|g| + decay * |w|).
//
// Refused: both norms are sums over all coordinates.

region.learner @lars attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<[0.5, -0.5, 0.25, 1.0]>
  region.state @u : tensor<4xf64> = dense<0.0>
  region.constant @rate : f64 = 0.01
  region.constant @mu : f64 = 0.9
  region.constant @decay : f64 = 0.0005
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

  pointwise.update @lars(%w : tensor<4xf64>, %u : tensor<4xf64>, %g : tensor<4xf64>,
      %rate : f64, %mu : f64, %decay : f64) -> (tensor<4xf64>, tensor<4xf64>) {
    %ww = pointwise.fold add pairs along [i : 4] (%wi = %w[i]) {
      %square = arith.mulf %wi, %wi : f64
      pointwise.yield %square
    } : f64
    %gg = pointwise.fold add pairs along [i : 4] (%gi = %g[i]) {
      %square = arith.mulf %gi, %gi : f64
      pointwise.yield %square
    } : f64
    %w_norm = math.sqrt %ww : f64
    %g_norm = math.sqrt %gg : f64
    %decayed = arith.mulf %decay, %w_norm : f64
    %below = arith.addf %g_norm, %decayed : f64
    %trust = arith.divf %w_norm, %below : f64
    %local_rate = arith.mulf %rate, %trust : f64
    %w1, %u1 = pointwise.map over [i : 4]
        (%wi = %w[i], %ui = %u[i], %gi = %g[i], %r = %local_rate, %m = %mu, %d = %decay) {
      %pull = arith.mulf %d, %wi : f64
      %way = arith.addf %gi, %pull : f64
      %step = arith.mulf %r, %way : f64
      %kept = arith.mulf %m, %ui : f64
      %ui1 = arith.addf %kept, %step : f64
      %wi1 = arith.subf %wi, %ui1 : f64
      pointwise.yield %wi1, %ui1
    } : tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %u1
  }

  region.round {
    %w, %u = region.read @w, @u : tensor<4xf64>, tensor<4xf64>
    %rate, %mu, %decay = region.read @rate, @mu, @decay : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %u1 = pointwise.apply @lars(%w, %u, %g, %rate, %mu, %decay)
      : tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @u = %u1
  }
}
