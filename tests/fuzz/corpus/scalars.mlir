func.func @scalars(%a: f32, %b: f32, %i: i32, %n: index) -> f32 {
  %0 = arith.constant 1 : i32
  %1 = arith.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %2 = arith.negf %a : f32
  %3 = arith.divf %2, %b : f32
  %4 = arith.subf %3, %a : f32
  %5 = math.absf %4 : f32
  %6 = math.copysign %5, %a : f32
  %7 = math.fma %5, %6, %a : f32
  %8 = arith.cmpi slt, %i, %0 : i32
  %9 = arith.select %8, %7, %6 : f32
  %10 = arith.index_cast %n : index to i32
  %11 = arith.sitofp %10 : i32 to f32
  %12 = arith.maximumf %11, %9 : f32
  func.return %12 : f32
}
