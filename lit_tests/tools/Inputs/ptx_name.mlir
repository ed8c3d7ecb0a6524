pointwise.update @WARP_SZ(%w : tensor<9xf64>) -> (tensor<9xf64>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i]) {
    %x1 = arith.addf %x, %x : f64
    pointwise.yield %x1
  } : tensor<9xf64>
  pointwise.return %w1
}
