// RUN: alpha-opt %s --balance-divisions | filecheck %s
// RUN: alpha-opt %s --vectorize="bits=512" --balance-divisions --lower-memref --simplify-code --convert-scf-to-cf --select-x64="features=avx512" | filecheck %s --check-prefix=ROWS

// The divisions by %c, and the second root: their time is about that of the divider then. The
// operations of both vectors stand together.
// CHECK-LABEL: func.func @steps(
// CHECK: [[h:%.+]], [[l:%.+]], [[m:%.+]] = exact.reciprocal %c {origin = "d"} : vector<8xf64>
// CHECK-NEXT: scf.for %i
// CHECK-NEXT: [[c:%.+]] = arith.constant 320 : index
// CHECK-NEXT: [[i:%.+]] = arith.addi %i, [[c]] : index
// CHECK-NEXT: hint.prefetch %w[[[i]]] : memref<?xf64>
// CHECK-NEXT: [[d:%.+]] = arith.constant 328 : index
// CHECK-NEXT: [[j:%.+]] = arith.addi %i, [[d]] : index
// CHECK-NEXT: hint.prefetch %w[[[j]]] : memref<?xf64>
// CHECK-NEXT: [[x:%.+]] = vector.load %w[%i]
// CHECK: [[p:%.+]] = exact.divide [[x]], %c, [[h]], [[l]], [[m]] {origin = "d"} : vector<8xf64>
// CHECK-NEXT: [[y:%.+]] = vector.load %w[%j]
// CHECK-NEXT: [[q:%.+]] = exact.divide [[y]], %c, [[h]], [[l]], [[m]] : vector<8xf64>
// CHECK: [[r:%.+]] = math.sqrt [[p]]
// CHECK-NEXT: [[s:%.+]] = exact.sqrt [[q]] {origin = "r"} : vector<8xf64>
// CHECK: arith.divf [[x]], [[r]]
// CHECK: arith.divf [[y]], [[s]]
// CHECK: } {parallel}
func.func @steps(%w : memref<?xf64>, %word : f64, %n : index) {
  %c = vector.broadcast %word : f64 to vector<8xf64>
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  %16 = arith.constant 16 : index
  scf.for %i = %0 to %n step %16 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %p = arith.divf %x, %c {origin = "d"} : vector<8xf64>
    %r = math.sqrt %p : vector<8xf64>
    %d = arith.divf %x, %r : vector<8xf64>
    vector.store %d, %w[%i] : memref<?xf64>, vector<8xf64>
    %j = arith.addi %i, %8 : index
    %y = vector.load %w[%j] : memref<?xf64>, vector<8xf64>
    %q = arith.divf %y, %c : vector<8xf64>
    %s = math.sqrt %q {origin = "r"} : vector<8xf64>
    %e = arith.divf %y, %s : vector<8xf64>
    vector.store %e, %w[%j] : memref<?xf64>, vector<8xf64>
  } {parallel}
  func.return
}

// A loop that does the rest asks for nothing ahead, nor does one for what it reads twice or anywhere.
// CHECK-LABEL: func.func @rest(
// CHECK-NOT: hint.prefetch
// CHECK: exact.sqrt
// CHECK: scf.for
// CHECK-COUNT-1: hint.prefetch
// CHECK-NOT: hint.prefetch
// CHECK: exact.sqrt
func.func @rest(%w : memref<?xf64>, %first : index, %n : index, %j : index) {
  %0 = arith.constant 0 : index
  %16 = arith.constant 16 : index
  scf.for %i = %first to %n step %16 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %r = math.sqrt %x : vector<8xf64>
    vector.store %r, %w[%i] : memref<?xf64>, vector<8xf64>
  } {parallel}
  scf.for %i = %0 to %n step %16 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %r = math.sqrt %x : vector<8xf64>
    %y = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %z = vector.load %w[%j] : memref<?xf64>, vector<8xf64>
    %s = arith.addf %y, %z : vector<8xf64>
    vector.store %r, %w[%i] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// Iterations that don't run at once keep their order; what is read where was written stays behind.
// CHECK-LABEL: func.func @one_behind_the_other(
// CHECK: vector.load
// CHECK: vector.store
// CHECK: vector.load
// CHECK: exact.sqrt
// CHECK: vector.store
func.func @one_behind_the_other(%w : memref<?xf64>, %n : index, %j : index) {
  %0 = arith.constant 0 : index
  %16 = arith.constant 16 : index
  scf.for %i = %0 to %n step %16 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %r = math.sqrt %x : vector<8xf64>
    vector.store %r, %w[%i] : memref<?xf64>, vector<8xf64>
    %y = vector.load %w[%j] : memref<?xf64>, vector<8xf64>
    %s = math.sqrt %y : vector<8xf64>
    vector.store %s, %w[%j] : memref<?xf64>, vector<8xf64>
  }
  func.return
}

// Nothing is replaced: a division by what varies, words of other types, and more multiplications
// than the divider leaves time for.
// CHECK-LABEL: func.func @left_alone(
// CHECK-NOT: exact
// CHECK: func.return
func.func @left_alone(%w : memref<?xf64>, %v : memref<?xf32>, %word : f64, %n : index) {
  %c = vector.broadcast %word : f64 to vector<4xf64>
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  scf.for %i = %0 to %n step %8 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %y = arith.divf %x, %x : vector<8xf64>
    vector.store %y, %w[%i] : memref<?xf64>, vector<8xf64>
    %z = vector.load %v[%i] : memref<?xf32>, vector<8xf32>
    %r = math.sqrt %z : vector<8xf32>
    vector.store %r, %v[%i] : memref<?xf32>, vector<8xf32>
    %a = vector.load %w[%i] : memref<?xf64>, vector<4xf64>
    %b = arith.divf %a, %c : vector<4xf64>
    vector.store %b, %w[%i] : memref<?xf64>, vector<4xf64>
  } {parallel}
  scf.for %i = %0 to %n step %8 {
    %x = vector.load %w[%i] : memref<?xf64>, vector<8xf64>
    %1 = arith.mulf %x, %x : vector<8xf64>
    %2 = arith.mulf %1, %x : vector<8xf64>
    %3 = arith.mulf %2, %x : vector<8xf64>
    %4 = arith.mulf %3, %x : vector<8xf64>
    %5 = arith.mulf %4, %x : vector<8xf64>
    %6 = arith.mulf %5, %x : vector<8xf64>
    %7 = arith.mulf %6, %x : vector<8xf64>
    %r = math.sqrt %7 : vector<8xf64>
    vector.store %r, %w[%i] : memref<?xf64>, vector<8xf64>
  } {parallel}
  func.return
}

// On x86-64 with AVX-512 each is a row of its own; the constants and the reciprocal stand before
// the loop.
// ROWS-LABEL: x64.func @scalars
// ROWS: x64.vfnmadd231pd_z
// ROWS: x64.prefetcht0
// ROWS: x64.exact_divide_pd_z
// ROWS: x64.vsqrtpd_z
// ROWS: x64.exact_sqrt_pd_z
func.func @scalars(%w : memref<?xf64>, %c : f64, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %w[%i] : memref<?xf64>
    %p = arith.divf %x, %c : f64
    %r = math.sqrt %p : f64
    memref.store %r, %w[%i] : memref<?xf64>
  } {parallel}
  func.return
}
