// Least squares by heavy-ball momentum on the diabetes data of diabetes_sgd.mlir.

region.learner @diabetes_momentum attributes {owners = #shard.owners<4, star, samples = [265, 133, 44, 0]>} {
  region.state @w : tensor<10xf64> = dense<0.0>
  region.state @u : tensor<10xf64> = dense<0.0>
  region.constant @rate : f64 = 0.02
  region.constant @mu : f64 = 0.9
  region.samples @data[442] : (tensor<10xf64>, f64) from "data/diabetes_x.npy", "data/diabetes_y.npy"

  pointwise.contribution @gradient(%w : tensor<10xf64>) sample(%x : tensor<10xf64>, %y : f64)
      -> (tensor<10xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left along [k : 10] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 10] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<10xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }

  pointwise.update @heavy_ball(%w : tensor<10xf64>, %u : tensor<10xf64>, %g : tensor<10xf64>,
      %rate : f64, %mu : f64) -> (tensor<10xf64>, tensor<10xf64>) {
    %w1, %u1 = pointwise.map over [i : 10]
        (%wi = %w[i], %ui = %u[i], %gi = %g[i], %r = %rate, %m = %mu) {
      %kept = arith.mulf %m, %ui : f64
      %ui1 = arith.addf %kept, %gi : f64
      %step = arith.mulf %r, %ui1 : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %ui1
    } : tensor<10xf64>, tensor<10xf64>
    pointwise.return %w1, %u1
  }

  region.round {
    %w, %u, %rate, %mu = region.read @w, @u, @rate, @mu : tensor<10xf64>, tensor<10xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<10xf64>
    %g = pointwise.mean %sum, %count
    %w1, %u1 = pointwise.apply @heavy_ball(%w, %u, %g, %rate, %mu) : tensor<10xf64>, tensor<10xf64>
    region.advance @w = %w1, @u = %u1
  }
}
