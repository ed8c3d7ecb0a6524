// RUN: alpha-opt --vectorize="bits=256 unroll=1" --split-input-file %s | filecheck %s
// RUN: alpha-opt --vectorize="bits=64" --split-input-file %s | filecheck %s --check-prefix=WORDS
// RUN: not alpha-opt --vectorize="bits=100" --split-input-file %s 2>&1 | filecheck %s --check-prefix=BITS

// BITS: [target-unsupported] expected bits of 64, 128, 256, 512, found 100

// Whole vectors, with what all lanes share outside of the loop; then the rest as it was.
// CHECK-LABEL: func.func @scale
// CHECK: [[V:%.*]] = vector.broadcast %r : f64 to vector<4xf64>
// CHECK: scf.for
// CHECK-NEXT: vector.load %w
// CHECK-NEXT: arith.mulf [[V]], {{.*}} : vector<4xf64>
// CHECK-NEXT: vector.store
// CHECK-NEXT: } {parallel}
// CHECK: scf.for
// CHECK-NEXT: memref.load %w
// CHECK-NEXT: arith.mulf %r
// WORDS-LABEL: func.func @scale
// WORDS-NOT: vector
func.func @scale(%w : memref<?xf64>, %r : f64, %w1 : memref<?xf64>, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %w[%i] : memref<?xf64>
    %y = arith.mulf %r, %x : f64
    memref.store %y, %w1[%i] : memref<?xf64>
  } {parallel}
  func.return
}

// -----

// Vectors of other lanes than the target's: in parts, or as words.
// CHECK-LABEL: func.func @fold
// CHECK-COUNT-2: vector.load {{.*}} vector<4xf64>
// CHECK: vector.maskedload {{.*}} vector<4xf64>
// CHECK: arith.addf {{.*}} : vector<4xf64>
// CHECK: vector.shuffle {{.*}} [0, 1]
// WORDS-LABEL: func.func @fold
// WORDS-COUNT-9: memref.load
// WORDS-COUNT-9: arith.addf {{.*}} : f64
// WORDS-NOT: vector
func.func @fold(%w : memref<9xf64>) -> f64 {
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<8xf64>
  %mask = arith.constant dense<[true, false, false, false, false, false, false, false]> : vector<8xi1>
  %a = vector.load %w[%0] : memref<9xf64>, vector<8xf64>
  %b = vector.maskedload %w[%8], %mask, %zero : memref<9xf64>, vector<8xi1>, vector<8xf64> into vector<8xf64>
  %c = arith.addf %a, %b : vector<8xf64>
  %d = arith.select %mask, %c, %a : vector<8xi1>, vector<8xf64>
  %e = vector.shuffle %d, %d [0, 1, 2, 3] : vector<8xf64>, vector<8xf64>
  %f = vector.shuffle %d, %d [4, 5, 6, 7] : vector<8xf64>, vector<8xf64>
  %g = arith.addf %e, %f : vector<4xf64>
  %h = vector.shuffle %g, %g [0, 1] : vector<4xf64>, vector<4xf64>
  %i = vector.shuffle %g, %g [2, 3] : vector<4xf64>, vector<4xf64>
  %j = arith.addf %h, %i : vector<2xf64>
  %k = vector.extract %j[0] : f64 from vector<2xf64>
  %l = vector.extract %j[1] : f64 from vector<2xf64>
  %m = arith.addf %k, %l : f64
  func.return %m : f64
}

// -----

// A loop that isn't marked, one with a step, and other control flow are left alone.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: vector
func.func @alone(%w : memref<?xf64>, %n : index, %c : i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %n step %1 {
    %x = memref.load %w[%i] : memref<?xf64>
    memref.store %x, %w[%i] : memref<?xf64>
  }
  scf.for %i = %0 to %n step %2 {
    %x = memref.load %w[%i] : memref<?xf64>
    memref.store %x, %w[%i] : memref<?xf64>
  } {parallel}
  func.return
}
func.func @branch(%w : memref<?xf64>, %n : index, %c : i1) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.if %c {
    scf.for %i = %0 to %n step %1 {
      %x = memref.load %w[%i] : memref<?xf64>
      memref.store %x, %w[%i] : memref<?xf64>
    } {parallel}
  }
  func.return
}

// -----

// What is marked so begins with the last whole vectors.
// CHECK-LABEL: func.func @backwards
// CHECK: [[LAST:%.*]] = arith.constant 12 : index
// CHECK: scf.for [[I:%.*]] =
// CHECK-NEXT: [[AT:%.*]] = arith.subi [[LAST]], [[I]]
// CHECK-NEXT: vector.load %w{{\[}}[[AT]]]
// CHECK: scf.for [[I:%.*]] =
// CHECK-NEXT: memref.load %w{{\[}}[[I]]]
func.func @backwards(%w : memref<18xf64>, %w1 : memref<18xf64>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %18 = arith.constant 18 : index
  scf.for %i = %0 to %18 step %1 {
    %x = memref.load %w[%i] : memref<18xf64>
    %y = arith.negf %x : f64
    memref.store %y, %w1[%i] : memref<18xf64>
  } {parallel, backwards}
  func.return
}
