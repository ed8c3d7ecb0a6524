// RUN: alpha-opt %s --vectorize="bits=256" --split-input-file --verify-diagnostics

// What has no parts is refused by name: lanes at a place that isn't known ...

func.func @f(%m : memref<?xf64>, %k : index) -> f64 {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  // expected-error@+1 {{[target-unsupported] expected an operation on vectors that has parts, found vector.extract}}
  %b = vector.extract %a[%k] : f64 from vector<6xf64>
  func.return %b : f64
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>, %k : index) -> f64 {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %b = vector.extract %a[5] : f64 from vector<6xf64>
  func.return %b : f64
}

// -----

func.func @f(%m : memref<?xf64>, %k : index, %w : f64) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  // expected-error@+1 {{[target-unsupported] expected an operation on vectors that has parts, found vector.insert}}
  %b = vector.insert %w, %a [%k] : f64 into vector<6xf64>
  func.return
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>, %k : index, %w : f64) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %b = vector.insert %w, %a [5] : f64 into vector<6xf64>
  func.return
}

// -----

// ... a lane of no vector ...

func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  // expected-error@+1 {{[target-unsupported] expected a shuffle of lanes that are there, found -1}}
  %b = vector.shuffle %a, %a [0, -1] : vector<6xf64>, vector<6xf64>
  func.return
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %b = vector.shuffle %a, %a [0, 11] : vector<6xf64>, vector<6xf64>
  func.return
}

// -----

// ... a mask that is computed ...

func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %mask = arith.cmpf olt, %a, %a : vector<6xf64>
  // expected-error@+1 {{[target-unsupported] expected a constant mask, found one that is computed}}
  vector.maskedstore %m[%0], %mask, %a : memref<?xf64>, vector<6xi1>, vector<6xf64>
  func.return
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %mask = arith.constant dense<[true, true, true, true, true, false]> : vector<6xi1>
  vector.maskedstore %m[%0], %mask, %a : memref<?xf64>, vector<6xi1>, vector<6xf64>
  func.return
}

// -----

// ... vectors of several axes ...

func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  // expected-error@+1 {{[target-unsupported] expected vectors with one axis of known extent, found vector<2x3xf64>}}
  %a = arith.constant dense<0.0> : vector<2x3xf64>
  func.return
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>) {
  %0 = arith.constant 0 : index
  %a = arith.constant dense<0.0> : vector<6xf64>
  func.return
}

// -----

// ... and, where functions meet, vectors that aren't the target's.

// expected-error@+1 {{[target-unsupported] expected arguments and results that are words, or vectors of 256 bits, found vector<6xf64>}}
func.func @f(%a : vector<6xf64>) {
  func.return
}

// -----

// accepted:
func.func @f(%a : vector<4xf64>) {
  func.return
}

// -----

func.func @f(%m : memref<?xf64>) -> vector<6xf64> {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  // expected-error@+1 {{[target-unsupported] expected arguments and results that are words, or vectors of 256 bits, found vector<6xf64>}}
  func.return %a : vector<6xf64>
}

// -----

// accepted:
func.func @f(%m : memref<?xf64>) -> vector<4xf64> {
  %0 = arith.constant 0 : index
  %a = vector.load %m[%0] : memref<?xf64>, vector<6xf64>
  %b = vector.shuffle %a, %a [2, 3, 4, 5] : vector<6xf64>, vector<6xf64>
  func.return %b : vector<4xf64>
}
