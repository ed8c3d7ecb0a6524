// RMSprop (Tieleman and Hinton, 2012), centered: each coordinate keeps a running mean of its
// gradient and of the gradient's square.
//
// Separable: the two running means are state of each coordinate.

region.learner @rmsprop attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @s : tensor<4xf64> = dense<0.0>
  region.state @c : tensor<4xf64> = dense<0.0>
  region.constant @rate : f64 = 0.01
  region.constant @alpha : f64 = 0.99
  region.constant @eps : f64 = 1.0e-08
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

  pointwise.update @rmsprop(%w : tensor<4xf64>, %s : tensor<4xf64>, %c : tensor<4xf64>,
      %g : tensor<4xf64>, %rate : f64, %alpha : f64, %eps : f64)
      -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
    %w1, %s1, %c1 = pointwise.map over [i : 4]
        (%wi = %w[i], %si = %s[i], %ci = %c[i], %gi = %g[i], %r = %rate, %a = %alpha, %e = %eps) {
      %one = arith.constant 1.0 : f64
      %zero = arith.constant 0.0 : f64
      %b = arith.subf %one, %a : f64
      %gg = arith.mulf %gi, %gi : f64
      %s_kept = arith.mulf %a, %si : f64
      %s_new = arith.mulf %b, %gg : f64
      %si1 = arith.addf %s_kept, %s_new : f64
      %c_kept = arith.mulf %a, %ci : f64
      %c_new = arith.mulf %b, %gi : f64
      %ci1 = arith.addf %c_kept, %c_new : f64
      %cc = arith.mulf %ci1, %ci1 : f64
      %spread = arith.subf %si1, %cc : f64
      %variance = pointwise.max %spread, %zero : f64
      %root = math.sqrt %variance : f64
      %below = arith.addf %root, %e : f64
      %above = arith.mulf %r, %gi : f64
      %step = arith.divf %above, %below : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %si1, %ci1
    } : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %s1, %c1
  }

  region.round {
    %w, %s, %c = region.read @w, @s, @c : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    %rate, %alpha, %eps = region.read @rate, @alpha, @eps : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %s1, %c1 = pointwise.apply @rmsprop(%w, %s, %c, %g, %rate, %alpha, %eps)
      : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @s = %s1, @c = %c1
  }
}
