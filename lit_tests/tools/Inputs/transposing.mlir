// A round transposes @w and doubles @s, a scalar.
region.learner @transposing {
  region.state @w : tensor<2x2xf64> = dense<[[1.0, 2.0], [3.0, 4.0]]>
  region.state @s : f64 = 1.0
  pointwise.update @turn(%w : tensor<2x2xf64>, %s : f64) -> (tensor<2x2xf64>, f64) {
    %t = pointwise.map over [i : 2, j : 2] (%x = %w[j, i]) {
      pointwise.yield %x
    } : tensor<2x2xf64>
    %d = arith.addf %s, %s : f64
    pointwise.return %t, %d
  }
  region.round {
    %w, %s = region.read @w, @s : tensor<2x2xf64>, f64
    %w1, %s1 = pointwise.apply @turn(%w, %s) : tensor<2x2xf64>, f64
    region.advance @w = %w1, @s = %s1
  }
}
