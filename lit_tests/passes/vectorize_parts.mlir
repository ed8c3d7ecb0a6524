// RUN: alpha-opt --vectorize="bits=256" --split-input-file %s | filecheck %s
// RUN: alpha-opt --vectorize="bits=128" --split-input-file %s | filecheck %s --check-prefix=NARROW
// RUN: alpha-opt --vectorize="bits=64" --split-input-file %s | filecheck %s --check-prefix=WORDS

// Lanes that are no power of two: parts that have them together, the widest first, and no lane more.
// CHECK-LABEL: func.func @seven
// CHECK: vector.load %m[%0] : memref<?xf64>, vector<4xf64>
// CHECK: vector.load {{.*}} vector<2xf64>
// CHECK: memref.load
// CHECK: arith.addf {{.*}} : vector<4xf64>
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK: arith.addf {{.*}} : f64
// CHECK: vector.store {{.*}} vector<4xf64>
// CHECK: vector.store {{.*}} vector<2xf64>
// CHECK: memref.store
// CHECK-NEXT: func.return
// NARROW-LABEL: func.func @seven
// NARROW-COUNT-3: vector.store {{.*}} vector<2xf64>
// NARROW: memref.store
// NARROW-NEXT: func.return
// WORDS-LABEL: func.func @seven
// WORDS-COUNT-7: memref.store
// WORDS-NEXT: func.return
func.func @seven(%m : memref<?xf64>, %o : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<7xf64>
  %b = arith.addf %a, %a : vector<7xf64>
  vector.store %b, %o[%0] : memref<?xf64>, vector<7xf64>
  func.return
}

// -----

// A fused product and sum of words is `math.fma`.
// CHECK-LABEL: func.func @fma
// CHECK: vector.fma {{.*}} : vector<4xf64>
// CHECK: math.fma {{.*}} : f64
// WORDS-LABEL: func.func @fma
// WORDS-COUNT-5: math.fma {{.*}} : f64
func.func @fma(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<5xf64>
  %b = vector.fma %a, %a, %a : vector<5xf64>
  vector.store %b, %m[%0] : memref<?xf64>, vector<5xf64>
  func.return
}

// -----

// A part that takes lanes of more than two parts is put together from words, integers as floats.
// NARROW-LABEL: func.func @integers
// NARROW: arith.constant dense<0> : vector<4xi32>
// NARROW-COUNT-4: vector.insert {{.*}} : i32 into vector<4xi32>
// NARROW: vector.shuffle {{.*}} : vector<4xi32>, vector<4xi32>
// NARROW: vector.store
func.func @integers(%m : memref<?xi32>, %o : memref<?xi32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = vector.load %m[%0] : memref<?xi32>, vector<8xi32>
  %b = vector.load %m[%1] : memref<?xi32>, vector<8xi32>
  %c = vector.shuffle %a, %b [15, 14, 2, 8, 11, 3, 9, 0] : vector<8xi32>, vector<8xi32>
  vector.store %c, %o[%0] : memref<?xi32>, vector<8xi32>
  func.return
}

// -----

// The lanes of a mask are those of the parts; a word is stored or isn't.
// CHECK-LABEL: func.func @masked
// CHECK: arith.constant dense<[true, false, true, false]> : vector<4xi1>
// CHECK: vector.maskedstore {{.*}} vector<4xi1>, vector<4xf64>
// CHECK: memref.store
// CHECK-NEXT: func.return
func.func @masked(%o : memref<?xf64>, %w : f64) {
  %0 = arith.constant 0 : index
  %mask = arith.constant dense<[true, false, true, false, true]> : vector<5xi1>
  %a = vector.broadcast %w : f64 to vector<5xf64>
  vector.maskedstore %o[%0], %mask, %a : memref<?xf64>, vector<5xi1>, vector<5xf64>
  func.return
}

// -----

// What a loop carries is one value a part.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} -> (vector<4xf64>, f64)
// CHECK: scf.yield {{.*}} : vector<4xf64>, f64
// WORDS-LABEL: func.func @carried
// WORDS: -> (f64, f64, f64, f64, f64)
func.func @carried(%m : memref<?xf64>, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<5xf64>
  %b = scf.for %i = %0 to %n step %1 iter_args(%c = %a) -> (vector<5xf64>) {
    %d = arith.addf %c, %a : vector<5xf64>
    scf.yield %d : vector<5xf64>
  }
  vector.store %b, %m[%0] : memref<?xf64>, vector<5xf64>
  func.return
}

// -----

// A vector of one lane is a word.
// CHECK-LABEL: func.func @one
// CHECK-NOT: vector
func.func @one(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<1xf64>
  vector.store %a, %m[%0] : memref<?xf64>, vector<1xf64>
  func.return
}
