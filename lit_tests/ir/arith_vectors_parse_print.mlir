// RUN: alpha-opt %s | alpha-opt | filecheck %s

// Comparisons and choices of vectors, lane by lane, and attributes that are kept.
// CHECK-LABEL: func.func @lanes
// CHECK-NEXT: %c = arith.cmpf olt, %a, %b {origin = "x"} : vector<4xf64>
// CHECK-NEXT: %d = arith.select %c, %a, %b : vector<4xi1>, vector<4xf64>
// CHECK-NEXT: %e = arith.cmpi slt, %x, %y {origin = "y"} : i32
// CHECK-NEXT: %f = arith.select %e, %a, %d {origin = "z"} : vector<4xf64>
// CHECK-NEXT: %g = arith.cmpf ueq, %a, %f fastmath<nnan> : vector<4xf64>
func.func @lanes(%a : vector<4xf64>, %b : vector<4xf64>, %x : i32, %y : i32) -> vector<4xi1> {
  %c = arith.cmpf olt, %a, %b {origin = "x"} : vector<4xf64>
  %d = arith.select %c, %a, %b : vector<4xi1>, vector<4xf64>
  %e = arith.cmpi slt, %x, %y {origin = "y"} : i32
  %f = arith.select %e, %a, %d {origin = "z"} : vector<4xf64>
  %g = arith.cmpf ueq, %a, %f fastmath<nnan> : vector<4xf64>
  func.return %g : vector<4xi1>
}
