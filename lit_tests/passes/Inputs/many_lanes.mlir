// A fold in more lanes than a block has threads.
pointwise.contribution @f() sample(%x : tensor<3000xf64>) -> (f64) {
  %s = pointwise.fold add lanes<2048> along [k : 3000] (%a = %x[k]) {
    pointwise.yield %a
  } : f64
  pointwise.return %s
}
