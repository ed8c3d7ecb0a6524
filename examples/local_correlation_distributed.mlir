// Local correlation, distributed by hand: owners that never exchange anything.
//
// The learner is that of local_correlation.mlir. Its five regions are shared out unevenly: owner 0
// has three of them, owner 1 none, owner 2 two; by the sizes [3, 0, 2] lie the traces and, in rows
// of three words, both signals. Each owner runs the learner's own update on what it has. There is
// no replica, no transfer and no combine: the table of `alpha verify` says 0 bytes sent and
// received.

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

#regions = #shard.map<[3, 0, 2]>
!signals = !shard.owned<tensor<5x3xf64>, rows<3, #regions>, +0>

shard.learner @local_correlation owners #shard.owners<3, star> {
  shard.place @c by #regions
  shard.place @signals by #regions

  shard.round {
    %c, %rate = shard.read @c, @rate
      : !shard.owned<tensor<5xf64>, #regions, +0>, !shard.replica<f64, +0>
    %a, %b = shard.read @signals : !signals, !signals
    %c1 = shard.update @correlate(%c, %a, %b, %rate) : !shard.owned<tensor<5xf64>, #regions, +1>
    shard.advance @c = %c1
  }
}
