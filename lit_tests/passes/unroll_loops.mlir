// RUN: alpha-opt %s --split-input-file --verify-diagnostics --unroll-loops | filecheck %s

// A marked loop becomes its iterations, and indices constants; what is carried goes through.
// CHECK-LABEL: func.func @marked(
// CHECK-NOT: scf.for
// CHECK: [[a:%.+]] = memref.load %m[%{{.+}}] : memref<8xi64>
// CHECK: [[s:%.+]] = arith.addi %z, [[a]] : i64
// CHECK: [[five:%.+]] = arith.constant 5 : index
// CHECK: [[b:%.+]] = memref.load %m[[[five]]] : memref<8xi64>
// CHECK: [[t:%.+]] = arith.addi [[s]], [[b]] : i64
// CHECK: func.return [[t]] : i64
func.func @marked(%m : memref<8xi64>, %z : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %z) -> (i64) {
    %j = arith.addi %i, %c4 : index
    %x = memref.load %m[%j] : memref<8xi64>
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  } {unroll}
  func.return %r : i64
}

// Known indices wrap in 64 bits, as they do when they are computed.
// CHECK-LABEL: func.func @wrapped(
// CHECK: arith.constant 0 : index
// CHECK-NOT: 18446744073709551616
// CHECK: func.return
func.func @wrapped(%m : memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = arith.constant 4294967296 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %j = arith.muli %b, %b : index
    memref.store %j, %m[%i] : memref<8xindex>
  } {unroll}
  func.return
}

// A loop that isn't marked stays; one inside, whose bounds are constants, is unrolled.
// CHECK-LABEL: func.func @outer(
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: memref.store
// CHECK: memref.store
func.func @outer(%m : memref<8xi64>, %n : index, %x : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      memref.store %x, %m[%j] : memref<8xi64>
    } {unroll}
  }
  func.return
}

// -----

func.func @unknown(%n : index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{[target-unsupported] expected constant bounds of a loop that is unrolled, found others}}
  scf.for %i = %c0 to %n step %c1 {
  } {unroll}
  func.return
}

// -----

func.func @too_many() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4097 : index
  // expected-error@+1 {{[target-unsupported] expected at most 4096 iterations of a loop that is unrolled, found 4097}}
  scf.for %i = %c0 to %n step %c1 {
  } {unroll}
  func.return
}
