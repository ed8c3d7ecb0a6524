// RUN: alpha-opt %s | alpha-opt | filecheck %s
// RUN: alpha-opt %s --print-op-generic | alpha-opt | filecheck %s

// CHECK-LABEL: func.func @update(
func.func @update(%x : vector<8xf64>, %c : vector<8xf64>, %y : f32) -> (vector<8xf64>, f32) {
  // CHECK-NEXT: [[s:%.+]] = exact.sqrt %x : vector<8xf64>
  %s = exact.sqrt %x : vector<8xf64>
  // CHECK-NEXT: [[h:%.+]], [[l:%.+]], [[m:%.+]] = exact.reciprocal %c : vector<8xf64>
  %h, %l, %m = exact.reciprocal %c : vector<8xf64>
  // CHECK-NEXT: [[q:%.+]] = exact.divide [[s]], %c, [[h]], [[l]], [[m]] {origin = "a"} : vector<8xf64>
  %q = exact.divide %s, %c, %h, %l, %m {origin = "a"} : vector<8xf64>
  // CHECK-NEXT: exact.sqrt %y : f32
  %r = exact.sqrt %y : f32
  func.return %q, %r : vector<8xf64>, f32
}
