// Plain steps whose gradient is scaled down where its norm exceeds a limit.
//
// Refused: the norm is a sum over all coordinates, so no owner of some of them can know it.
// Clipping each word of the gradient by itself is separable (clip_by_word.mlir).

region.learner @clip_by_norm attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.constant @rate : f64 = 0.1
  region.constant @limit : f64 = 1.0
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

  pointwise.update @clipped(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64, %limit : f64)
      -> (tensor<4xf64>) {
    %squares = pointwise.fold add left along [i : 4] (%gi = %g[i]) {
      %gg = arith.mulf %gi, %gi : f64
      pointwise.yield %gg
    } : f64
    %norm = math.sqrt %squares : f64
    %one = arith.constant 1.0 : f64
    %ratio = arith.divf %limit, %norm : f64
    %scale = pointwise.min %ratio, %one : f64
    %w1 = pointwise.map over [i : 4] (%wi = %w[i], %gi = %g[i], %r = %rate, %s = %scale) {
      %less = arith.mulf %s, %gi : f64
      %step = arith.mulf %r, %less : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1
    } : tensor<4xf64>
    pointwise.return %w1
  }

  region.round {
    %w, %rate, %limit = region.read @w, @rate, @limit : tensor<4xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @clipped(%w, %g, %rate, %limit) : tensor<4xf64>
    region.advance @w = %w1
  }
}
