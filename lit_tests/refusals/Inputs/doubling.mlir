// The second word becomes 2^1024 in the third round, which no f64 word holds.
region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 0x7FC0000000000000]>
  pointwise.update @double(%w : tensor<2xf64>) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%x = %w[i]) {
      %y = arith.addf %x, %x : f64
      pointwise.yield %y
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %w1 = pointwise.apply @double(%w) : tensor<2xf64>
    region.advance @w = %w1
  }
}
