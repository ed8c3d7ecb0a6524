// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// The scalar operations, in a program and in a body over a domain.

// CHECK: pointwise.update @arithmetic(%a: f64, %b: f64) -> (f64) {
// CHECK-NEXT:   %one = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:   %0 = arith.addf %a, %b : f64
// CHECK-NEXT:   %1 = arith.subf %0, %b : f64
// CHECK-NEXT:   %2 = arith.mulf %1, %b : f64
// CHECK-NEXT:   %3 = arith.divf %2, %one : f64
// CHECK-NEXT:   %4 = arith.negf %3 : f64
// CHECK-NEXT:   %5 = math.sqrt %4 : f64
// CHECK-NEXT:   %6 = math.absf %5 : f64
// CHECK-NEXT:   %7 = math.copysign %6, %a : f64
// CHECK-NEXT:   %8 = math.fma %7, %a, %b : f64
// CHECK-NEXT:   pointwise.return %8
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "arithmetic", function_type = (f64, f64) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: f64, %b: f64):
// GENERIC-NEXT:   %one = "arith.constant"() <{value = 1.000000e+00 : f64}> : () -> f64
// GENERIC-NEXT:   %0 = "arith.addf"(%a, %b) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %1 = "arith.subf"(%0, %b) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %2 = "arith.mulf"(%1, %b) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %3 = "arith.divf"(%2, %one) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %4 = "arith.negf"(%3) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %5 = "math.sqrt"(%4) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %6 = "math.absf"(%5) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %7 = "math.copysign"(%6, %a) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %8 = "math.fma"(%7, %a, %b) <{fastmath = #arith.fastmath<none>}> : (f64, f64, f64) -> f64
// GENERIC-NEXT:   "pointwise.return"(%8) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @arithmetic(%a : f64, %b : f64) -> (f64) {
  %one = arith.constant 1.0 : f64
  %0 = arith.addf %a, %b : f64
  %1 = arith.subf %0, %b : f64
  %2 = arith.mulf %1, %b : f64
  %3 = arith.divf %2, %one : f64
  %4 = arith.negf %3 : f64
  %5 = math.sqrt %4 : f64
  %6 = math.absf %5 : f64
  %7 = math.copysign %6, %a : f64
  %8 = math.fma %7, %a, %b : f64
  pointwise.return %8
}

// Of NaN and of two zeros, min and max give the second.
// CHECK: pointwise.update @choice(%a: f32, %b: f32) -> (f32) {
// CHECK-NEXT:   %0 = pointwise.min %a, %b : f32
// CHECK-NEXT:   %1 = pointwise.max %0, %b {note} : f32
// CHECK-NEXT:   pointwise.return %1
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "choice", function_type = (f32, f32) -> f32}> ({
// GENERIC-NEXT: ^bb0(%a: f32, %b: f32):
// GENERIC-NEXT:   %0 = "pointwise.min"(%a, %b) : (f32, f32) -> f32
// GENERIC-NEXT:   %1 = "pointwise.max"(%0, %b) {note} : (f32, f32) -> f32
// GENERIC-NEXT:   "pointwise.return"(%1) : (f32) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @choice(%a : f32, %b : f32) -> (f32) {
  %0 = pointwise.min %a, %b : f32
  %1 = pointwise.max %0, %b {note} : f32
  pointwise.return %1
}

// Of exp, log, tanh and sigmoid each is a list of operations.
// CHECK: pointwise.update @functions(%a: f64, %b: f32) -> (f64, f32) {
// CHECK-NEXT:   %0 = math.exp %a : f64
// CHECK-NEXT:   %1 = math.log %0 : f64
// CHECK-NEXT:   %2 = math.tanh %1 : f64
// CHECK-NEXT:   %3 = pointwise.sigmoid %2 : f64
// CHECK-NEXT:   %4 = pointwise.sigmoid %b {note} : f32
// CHECK-NEXT:   pointwise.return %3, %4
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "functions", function_type = (f64, f32) -> (f64, f32)}> ({
// GENERIC-NEXT: ^bb0(%a: f64, %b: f32):
// GENERIC-NEXT:   %0 = "math.exp"(%a) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %1 = "math.log"(%0) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %2 = "math.tanh"(%1) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// GENERIC-NEXT:   %3 = "pointwise.sigmoid"(%2) : (f64) -> f64
// GENERIC-NEXT:   %4 = "pointwise.sigmoid"(%b) {note} : (f32) -> f32
// GENERIC-NEXT:   "pointwise.return"(%3, %4) : (f64, f32) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @functions(%a : f64, %b : f32) -> (f64, f32) {
  %0 = math.exp %a : f64
  %1 = math.log %0 : f64
  %2 = math.tanh %1 : f64
  %3 = pointwise.sigmoid %2 : f64
  %4 = pointwise.sigmoid %b {note} : f32
  pointwise.return %3, %4
}

// CHECK: pointwise.update @comparisons(%a: f64, %b: f64) -> (f64) {
// CHECK-NEXT:   %0 = arith.cmpf false, %a, %b : f64
// CHECK-NEXT:   %1 = arith.cmpf oeq, %a, %b : f64
// CHECK-NEXT:   %2 = arith.cmpf ogt, %a, %b : f64
// CHECK-NEXT:   %3 = arith.cmpf oge, %a, %b : f64
// CHECK-NEXT:   %4 = arith.cmpf olt, %a, %b : f64
// CHECK-NEXT:   %5 = arith.cmpf ole, %a, %b : f64
// CHECK-NEXT:   %6 = arith.cmpf one, %a, %b : f64
// CHECK-NEXT:   %7 = arith.cmpf ord, %a, %b : f64
// CHECK-NEXT:   %8 = arith.cmpf ueq, %a, %b : f64
// CHECK-NEXT:   %9 = arith.cmpf ugt, %a, %b : f64
// CHECK-NEXT:   %10 = arith.cmpf uge, %a, %b : f64
// CHECK-NEXT:   %11 = arith.cmpf ult, %a, %b : f64
// CHECK-NEXT:   %12 = arith.cmpf ule, %a, %b : f64
// CHECK-NEXT:   %13 = arith.cmpf une, %a, %b : f64
// CHECK-NEXT:   %14 = arith.cmpf uno, %a, %b : f64
// CHECK-NEXT:   %15 = arith.cmpf true, %a, %b : f64
// CHECK-NEXT:   %16 = arith.select %4, %a, %b : f64
// CHECK-NEXT:   pointwise.return %16
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "comparisons", function_type = (f64, f64) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: f64, %b: f64):
// GENERIC-NEXT:   %0 = "arith.cmpf"(%a, %b) <{predicate = 0 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %1 = "arith.cmpf"(%a, %b) <{predicate = 1 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %2 = "arith.cmpf"(%a, %b) <{predicate = 2 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %3 = "arith.cmpf"(%a, %b) <{predicate = 3 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %4 = "arith.cmpf"(%a, %b) <{predicate = 4 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %5 = "arith.cmpf"(%a, %b) <{predicate = 5 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %6 = "arith.cmpf"(%a, %b) <{predicate = 6 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %7 = "arith.cmpf"(%a, %b) <{predicate = 7 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %8 = "arith.cmpf"(%a, %b) <{predicate = 8 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %9 = "arith.cmpf"(%a, %b) <{predicate = 9 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %10 = "arith.cmpf"(%a, %b) <{predicate = 10 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %11 = "arith.cmpf"(%a, %b) <{predicate = 11 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %12 = "arith.cmpf"(%a, %b) <{predicate = 12 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %13 = "arith.cmpf"(%a, %b) <{predicate = 13 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %14 = "arith.cmpf"(%a, %b) <{predicate = 14 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %15 = "arith.cmpf"(%a, %b) <{predicate = 15 : i64, fastmath = #arith.fastmath<none>}> : (f64, f64) -> i1
// GENERIC-NEXT:   %16 = "arith.select"(%4, %a, %b) : (i1, f64, f64) -> f64
// GENERIC-NEXT:   "pointwise.return"(%16) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @comparisons(%a : f64, %b : f64) -> (f64) {
  %0 = arith.cmpf false, %a, %b : f64
  %1 = arith.cmpf oeq, %a, %b : f64
  %2 = arith.cmpf ogt, %a, %b : f64
  %3 = arith.cmpf oge, %a, %b : f64
  %4 = arith.cmpf olt, %a, %b : f64
  %5 = arith.cmpf ole, %a, %b : f64
  %6 = arith.cmpf one, %a, %b : f64
  %7 = arith.cmpf ord, %a, %b : f64
  %8 = arith.cmpf ueq, %a, %b : f64
  %9 = arith.cmpf ugt, %a, %b : f64
  %10 = arith.cmpf uge, %a, %b : f64
  %11 = arith.cmpf ult, %a, %b : f64
  %12 = arith.cmpf ule, %a, %b : f64
  %13 = arith.cmpf une, %a, %b : f64
  %14 = arith.cmpf uno, %a, %b : f64
  %15 = arith.cmpf true, %a, %b : f64
  %16 = arith.select %4, %a, %b : f64
  pointwise.return %16
}

// Constants to the bit.
// CHECK: pointwise.update @constants(%a: f64, %s: f32) -> (f64, f32) {
// CHECK-NEXT:   %0 = arith.constant -0.000000e+00 : f64
// CHECK-NEXT:   %1 = arith.constant 1.000000e-01 : f32
// CHECK-NEXT:   %2 = arith.constant 0x7FF0000000000000 : f64
// CHECK-NEXT:   %3 = arith.constant 0x7FC00000 : f32
// CHECK-NEXT:   %4 = arith.constant 123456789.0 : f64
// CHECK-NEXT:   %5 = arith.constant 4.940660e-324 : f64
// CHECK-NEXT:   pointwise.return %0, %1
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "constants", function_type = (f64, f32) -> (f64, f32)}> ({
// GENERIC-NEXT: ^bb0(%a: f64, %s: f32):
// GENERIC-NEXT:   %0 = "arith.constant"() <{value = -0.000000e+00 : f64}> : () -> f64
// GENERIC-NEXT:   %1 = "arith.constant"() <{value = 1.000000e-01 : f32}> : () -> f32
// GENERIC-NEXT:   %2 = "arith.constant"() <{value = 0x7FF0000000000000 : f64}> : () -> f64
// GENERIC-NEXT:   %3 = "arith.constant"() <{value = 0x7FC00000 : f32}> : () -> f32
// GENERIC-NEXT:   %4 = "arith.constant"() <{value = 123456789.0 : f64}> : () -> f64
// GENERIC-NEXT:   %5 = "arith.constant"() <{value = 4.940660e-324 : f64}> : () -> f64
// GENERIC-NEXT:   "pointwise.return"(%0, %1) : (f64, f32) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @constants(%a : f64, %s : f32) -> (f64, f32) {
  %0 = arith.constant -0.0 : f64
  %1 = arith.constant 0.1 : f32
  %2 = arith.constant 0x7FF0000000000000 : f64
  %3 = arith.constant 0x7FC00000 : f32
  %4 = arith.constant 123456789.0 : f64
  %5 = arith.constant 4.9406564584124654e-324 : f64
  pointwise.return %0, %1
}

// Fast-math flags may be written where there are none.
// CHECK: pointwise.update @exact(%a: f64) -> (f64) {
// CHECK-NEXT:   %0 = arith.addf %a, %a : f64
// CHECK-NEXT:   pointwise.return %0
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "exact", function_type = (f64) -> f64}> ({
// GENERIC-NEXT: ^bb0(%a: f64):
// GENERIC-NEXT:   %0 = "arith.addf"(%a, %a) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   "pointwise.return"(%0) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @exact(%a : f64) -> (f64) {
  %0 = arith.addf %a, %a fastmath<none> : f64
  pointwise.return %0
}
