// AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay isn't part of the gradient.
//
// Separable: the moments belong to their coordinates, and the two powers are shared words that are
// updated from shared words and constants alone.

region.learner @adamw attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<[0.5, -0.5, 0.25, 1.0]>
  region.state @m : tensor<4xf64> = dense<0.0>
  region.state @v : tensor<4xf64> = dense<0.0>
  region.state @b1_power : f64 = 1.0 {shared}
  region.state @b2_power : f64 = 1.0 {shared}
  region.constant @rate : f64 = 0.05
  region.constant @b1 : f64 = 0.9
  region.constant @b2 : f64 = 0.999
  region.constant @eps : f64 = 1.0e-08
  region.constant @decay : f64 = 0.01
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

  pointwise.update @adamw(%w : tensor<4xf64>, %m : tensor<4xf64>, %v : tensor<4xf64>, %p1 : f64,
      %p2 : f64, %g : tensor<4xf64>, %rate : f64, %b1 : f64, %b2 : f64, %eps : f64, %decay : f64)
      -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, f64, f64) {
    %one = arith.constant 1.0 : f64
    %q1 = arith.mulf %p1, %b1 : f64
    %q2 = arith.mulf %p2, %b2 : f64
    %c1 = arith.subf %one, %q1 : f64
    %c2 = arith.subf %one, %q2 : f64
    %a1 = arith.subf %one, %b1 : f64
    %a2 = arith.subf %one, %b2 : f64
    %shrink = arith.mulf %rate, %decay : f64
    %keep = arith.subf %one, %shrink : f64
    %w1, %m1, %v1 = pointwise.map over [i : 4]
        (%wi = %w[i], %mi = %m[i], %vi = %v[i], %gi = %g[i], %r = %rate, %e = %eps,
         %k1 = %b1, %k2 = %b2, %n1 = %a1, %n2 = %a2, %d1 = %c1, %d2 = %c2, %k = %keep) {
      %m_kept = arith.mulf %k1, %mi : f64
      %m_new = arith.mulf %n1, %gi : f64
      %mi1 = arith.addf %m_kept, %m_new : f64
      %gg = arith.mulf %gi, %gi : f64
      %v_kept = arith.mulf %k2, %vi : f64
      %v_new = arith.mulf %n2, %gg : f64
      %vi1 = arith.addf %v_kept, %v_new : f64
      %m_hat = arith.divf %mi1, %d1 : f64
      %v_hat = arith.divf %vi1, %d2 : f64
      %root = math.sqrt %v_hat : f64
      %below = arith.addf %root, %e : f64
      %above = arith.mulf %r, %m_hat : f64
      %step = arith.divf %above, %below : f64
      %decayed = arith.mulf %k, %wi : f64
      %wi1 = arith.subf %decayed, %step : f64
      pointwise.yield %wi1, %mi1, %vi1
    } : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %m1, %v1, %q1, %q2
  }

  region.round {
    %w, %m, %v = region.read @w, @m, @v : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    %p1, %p2 = region.read @b1_power, @b2_power : f64, f64
    %rate, %b1, %b2, %eps, %decay = region.read @rate, @b1, @b2, @eps, @decay
      : f64, f64, f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %m1, %v1, %q1, %q2
      = pointwise.apply @adamw(%w, %m, %v, %p1, %p2, %g, %rate, %b1, %b2, %eps, %decay)
      : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, f64, f64
    region.advance @w = %w1, @m = %m1, @v = %v1, @b1_power = %q1, @b2_power = %q2
  }
}
