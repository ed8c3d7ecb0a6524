pointwise.contribution @grad(%w : tensor<3000xf64>) sample(%x : tensor<3000xf64>) -> (f64, f64) {
  %y = pointwise.map over [i : 3000] (%a = %w[i], %b = %x[i]) {
    %d = arith.mulf %a, %b : f64
    pointwise.yield %d
  } : tensor<3000xf64>
  %s = pointwise.fold add left along [i : 3000] (%a = %y[i]) {
    pointwise.yield %a
  } : f64
  %t = pointwise.fold max pairs along [i : 3000] (%a = %y[2999 - i], %b = %x[i]) {
    %c = arith.subf %a, %b : f64
    pointwise.yield %c
  } : f64
  pointwise.return %s, %t
}
"memref.global"() <{sym_name = "grad.buffer0", sym_visibility = "private", type = memref<3000xf64>, initial_value = dense<7.0> : tensor<3000xf64>}> : () -> ()
func.func @rd(%i : index) -> f64 {
  %m = memref.get_global @grad.buffer0 : memref<3000xf64>
  %v = memref.load %m[%i] : memref<3000xf64>
  func.return %v : f64
}
