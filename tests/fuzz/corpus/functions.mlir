func.func @callee(%a: f64, %b: f64) -> (f64, f64) {
  %sum = arith.addf %a, %b : f64
  %product = arith.mulf %a, %b fastmath<fast> : f64
  func.return %sum, %product : f64, f64
}
func.func @caller(%x: f64) -> f64 {
  %c = arith.constant 2.5 : f64
  %pair:2 = func.call @callee(%x, %c) : (f64, f64) -> (f64, f64)
  %less = arith.cmpf olt, %pair#0, %pair#1 : f64
  %chosen = arith.select %less, %pair#0, %pair#1 : f64
  %root = math.sqrt %chosen : f64
  func.return %root : f64
}
func.func private @declared(tensor<4xf64>, index) -> i1
