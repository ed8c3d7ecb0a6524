// Lion (Chen et al., 2023) in binary32: the step is the sign of a blend of momentum and gradient.
//
// Separable: the sign is taken coordinate by coordinate. It is 0 where the blend is 0.

region.learner @lion attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf32> = dense<0.0>
  region.state @m : tensor<4xf32> = dense<0.0>
  region.constant @rate : f32 = 0.01
  region.constant @b1 : f32 = 0.9
  region.constant @b2 : f32 = 0.99
  region.constant @decay : f32 = 0.1
  region.samples @data[6] : (tensor<4xf32>, f32) =
    dense<[[1.0, -0.5, 0.25, 2.0], [0.3, 1.7, -1.1, 0.2], [-2.0, 0.4, 0.9, -0.7],
           [0.1, 0.2, 0.3, 0.4], [1.5, -1.5, 2.5, -0.1], [-0.6, 3.0, 0.05, 1.3]]>,
    dense<[1.2, -0.7, 3.1, 0.45, -2.3, 0.9]>

  pointwise.contribution @gradient(%w : tensor<4xf32>) sample(%x : tensor<4xf32>, %y : f32)
      -> (tensor<4xf32>, observed "loss" : f32) {
    %p = pointwise.fold add left along [k : 4] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f32
      pointwise.yield %ab
    } : f32
    %r = arith.subf %p, %y : f32
    %g = pointwise.map over [i : 4] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f32
      pointwise.yield %gi
    } : tensor<4xf32>
    %l = arith.mulf %r, %r : f32
    pointwise.return %g, %l
  }

  pointwise.update @lion(%w : tensor<4xf32>, %m : tensor<4xf32>, %g : tensor<4xf32>,
      %rate : f32, %b1 : f32, %b2 : f32, %decay : f32) -> (tensor<4xf32>, tensor<4xf32>) {
    %one = arith.constant 1.0 : f32
    %a1 = arith.subf %one, %b1 : f32
    %a2 = arith.subf %one, %b2 : f32
    %w1, %m1 = pointwise.map over [i : 4]
        (%wi = %w[i], %mi = %m[i], %gi = %g[i], %r = %rate, %k1 = %b1, %k2 = %b2, %n1 = %a1,
         %n2 = %a2, %d = %decay) {
      %up = arith.constant 1.0 : f32
      %down = arith.constant -1.0 : f32
      %zero = arith.constant 0.0 : f32
      %m_old = arith.mulf %k1, %mi : f32
      %m_add = arith.mulf %n1, %gi : f32
      %blend = arith.addf %m_old, %m_add : f32
      %above = arith.cmpf ogt, %blend, %zero : f32
      %below = arith.cmpf olt, %blend, %zero : f32
      %falls = arith.select %below, %down, %zero : f32
      %sign = arith.select %above, %up, %falls : f32
      %decayed = arith.mulf %d, %wi : f32
      %way = arith.addf %sign, %decayed : f32
      %step = arith.mulf %r, %way : f32
      %wi1 = arith.subf %wi, %step : f32
      %m_kept = arith.mulf %k2, %mi : f32
      %m_new = arith.mulf %n2, %gi : f32
      %mi1 = arith.addf %m_kept, %m_new : f32
      pointwise.yield %wi1, %mi1
    } : tensor<4xf32>, tensor<4xf32>
    pointwise.return %w1, %m1
  }

  region.round {
    %w, %m = region.read @w, @m : tensor<4xf32>, tensor<4xf32>
    %rate, %b1, %b2, %decay = region.read @rate, @b1, @b2, @decay : f32, f32, f32, f32
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf32>
    %g = pointwise.mean %sum, %count
    %w1, %m1 = pointwise.apply @lion(%w, %m, %g, %rate, %b1, %b2, %decay)
      : tensor<4xf32>, tensor<4xf32>
    region.advance @w = %w1, @m = %m1
  }
}
