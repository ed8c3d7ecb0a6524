// RUN: alpha-opt %s --print-op-generic | filecheck %s
// RUN: alpha-opt %s -mlir-print-op-generic | alpha-opt | filecheck %s --check-prefix=CUSTOM
// RUN: alpha-opt < %s --print-op-generic | filecheck %s
// RUN: cat %s | alpha-opt - --print-op-generic | filecheck %s

// CHECK: "builtin.module"() ({
// CHECK-NEXT: "func.func"() <{sym_name = "f", function_type = (f64) -> f64}> ({
// CHECK-NEXT: ^bb0(%a: f64):
// CHECK-NEXT: %b = "arith.negf"(%a) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
// CHECK-NEXT: "func.return"(%b) : (f64) -> ()

// CUSTOM: builtin.module {
// CUSTOM-NEXT: func.func @f(%a: f64) -> f64 {
// CUSTOM-NEXT: %b = arith.negf %a : f64
// CUSTOM-NEXT: func.return %b : f64
func.func @f(%a : f64) -> f64 {
  %b = arith.negf %a : f64
  return %b : f64
}
