// Local correlation: a learner without a gradient and without a sum.
//
// Each of five regions keeps a trace c of how its own two immutable signals, a and b, vary
// together: c1 = c + rate * (mean of a * b - c). A region reads its own words and samples alone,
// so regions can evolve with owners that never exchange anything.

region.learner @local_correlation attributes {owners = #shard.owners<3, star>} {
  region.state @c : tensor<5xf64> = dense<[0.0, 0.1, -0.2, 0.3, 0.0]>
  region.constant @rate : f64 = 0.125
  region.samples @signals[5] : (tensor<3xf64>, tensor<3xf64>) =
    dense<[[1.0, 0.5, -0.5], [0.25, -1.0, 2.0], [3.0, 0.0, 1.0], [-1.0, -2.0, 0.5], [0.7, 0.1, 0.2]]>,
    dense<[[0.5, 1.5, 1.0], [2.0, 0.5, -0.25], [1.0, 1.0, -1.0], [0.3, 0.2, 0.1], [-0.4, 2.2, 0.9]]>

  pointwise.update @correlate(%c : tensor<5xf64>, %a : tensor<5x3xf64>, %b : tensor<5x3xf64>,
      %rate : f64) -> (tensor<5xf64>) {
    %sum = pointwise.fold add left over [i : 5] along [t : 3] (%ait = %a[i, t], %bit = %b[i, t]) {
      %ab = arith.mulf %ait, %bit : f64
      pointwise.yield %ab
    } : tensor<5xf64>
    %three = arith.constant 3.0 : f64
    %c1 = pointwise.map over [i : 5] (%ci = %c[i], %si = %sum[i], %r = %rate, %n = %three) {
      %mean = arith.divf %si, %n : f64
      %away = arith.subf %mean, %ci : f64
      %step = arith.mulf %r, %away : f64
      %ci1 = arith.addf %ci, %step : f64
      pointwise.yield %ci1
    } : tensor<5xf64>
    pointwise.return %c1
  }

  region.round {
    %c, %rate = region.read @c, @rate : tensor<5xf64>, f64
    %a, %b = region.read @signals : tensor<5x3xf64>, tensor<5x3xf64>
    %c1 = pointwise.apply @correlate(%c, %a, %b, %rate) : tensor<5xf64>
    region.advance @c = %c1
  }
}
