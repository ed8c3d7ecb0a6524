func.func @names(%a: f64, %a_2: f64, %a_1_2: f64, %_: f64, %_1: f64, %x.y$-z: f64) {
  %0 = arith.addf %a, %a_2 : f64
  %bb0 = arith.addf %0, %a_1_2 : f64
  %10, %r:2 = func.call @three(%bb0) : (f64) -> (f64, f64, f64)
  %a_1 = arith.addf %r#1, %10 : f64
  func.call @"odd name"(%a_1, %_1) : (f64, f64) -> ()
  return
}
func.func private @three(f64) -> (f64, f64, f64)
func.func private @"odd name"(f64, f64)
