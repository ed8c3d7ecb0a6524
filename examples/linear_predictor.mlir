// A linear predictor of two coordinates, each with an accumulator of squared gradients (Adagrad).
//
// Every coordinate's new words depend on that coordinate alone, so each can belong to an owner of
// its own, together with its accumulator. The contract is written at the sum: one group, so the
// samples are added one after another.

region.learner @linear_predictor {
  region.state @w : tensor<2xf64> = dense<[0.25, -0.5]>
  region.state @h : tensor<2xf64> = dense<0.0>
  region.constant @rate : f64 = 0.5
  region.constant @eps : f64 = 1.0e-10
  region.samples @data[5] : (tensor<2xf64>, f64) =
    dense<[[1.0, 2.0], [-1.5, 0.5], [0.75, -0.25], [2.0, 1.0], [0.1, -3.0]]>,
    dense<[3.0, -2.0, 1.0, 2.5, -4.0]>

  pointwise.contribution @gradient(%w : tensor<2xf64>) sample(%x : tensor<2xf64>, %y : f64)
      -> (tensor<2xf64>, observed "loss" : f64) {
    %p = pointwise.fold add pairs along [k : 2] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 2] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<2xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }

  pointwise.update @adagrad(%w : tensor<2xf64>, %h : tensor<2xf64>, %g : tensor<2xf64>,
      %rate : f64, %eps : f64) -> (tensor<2xf64>, tensor<2xf64>) {
    %w1, %h1 = pointwise.map over [i : 2]
        (%wi = %w[i], %hi = %h[i], %gi = %g[i], %r = %rate, %e = %eps) {
      %hi1 = math.fma %gi, %gi, %hi : f64
      %root = math.sqrt %hi1 : f64
      %below = arith.addf %root, %e : f64
      %above = arith.mulf %r, %gi : f64
      %step = arith.divf %above, %below : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %hi1
    } : tensor<2xf64>, tensor<2xf64>
    pointwise.return %w1, %h1
  }

  region.round {
    %w, %h = region.read @w, @h : tensor<2xf64>, tensor<2xf64>
    %rate, %eps = region.read @rate, @eps : f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data
      contract #region.contract<groups = [5], combine = left> : tensor<2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %h1 = pointwise.apply @adagrad(%w, %h, %g, %rate, %eps) : tensor<2xf64>, tensor<2xf64>
    region.advance @w = %w1, @h = %h1
  }
}
