// RUN: alpha-opt %s --split-input-file --verify-diagnostics

func.func @words(%a : vector<4xi32>, %e : vector<4xi32>, %w : vector<4xi32>) {
  // expected-error@+1 {{[source-syntax] expected a value of type !sha256.first, found one that is used or defined with type vector<4xi32> before}}
  %u, %v = sha256.rounds %a, %e, %w
  func.return
}

// -----

func.func @order(%a : vector<4xi32>, %e : vector<4xi32>, %w : vector<4xi32>) {
  %x, %y = sha256.pack %a, %e
  // expected-error@+1 {{[source-syntax] expected a value of type !sha256.first, found one that is used or defined with type !sha256.second before}}
  %u, %v = sha256.rounds %y, %x, %w
  func.return
}

// -----

func.func @looked_at(%a : vector<4xi32>, %e : vector<4xi32>) -> vector<4xi32> {
  %x, %y = sha256.pack %a, %e
  // expected-error@+1 {{[source-syntax] expected an operation that can be built, found attribute !sha256.first}}
  %s = arith.addi %x, %x : !sha256.first
  func.return %a : vector<4xi32>
}

// -----

func.func @other_half(%x : !sha256.first, %y : !sha256.second) {
  // expected-error@+1 {{[source-syntax] expected a value of type !sha256.first, found one that is used or defined with type !sha256.second before}}
  %s = sha256.add %x, %y : !sha256.first
  func.return
}

// -----

func.func @added_words(%w : vector<4xi32>) {
  // expected-error@+1 {{[source-syntax] expected an operation that can be built, found attribute vector<4xi32>}}
  %s = sha256.add %w, %w : vector<4xi32>
  func.return
}

// -----

func.func @width(%w : vector<4xi64>) {
  // expected-error@+1 {{[source-structure] expected vector<4xi32>, found vector<4xi64> (operand 'bytes' at position 0)}}
  %x = "sha256.words"(%w) : (vector<4xi64>) -> vector<4xi32>
  func.return
}

// -----

func.func @stored(%x : !sha256.first, %m : memref<4xi32>) {
  %zero = arith.constant 0 : index
  // expected-error@+1 {{[source-syntax] expected vector, found !sha256.first}}
  vector.store %x, %m[%zero] : memref<4xi32>, !sha256.first
  func.return
}

// -----

// One edit away from each.
func.func @accepted(%a : vector<4xi32>, %e : vector<4xi32>, %w : vector<4xi32>) -> vector<4xi32> {
  %b = sha256.words %w
  %x, %y = sha256.pack %a, %e
  %u, %v = sha256.rounds %x, %y, %b
  %s = sha256.add %x, %u : !sha256.first
  %t = sha256.add %y, %v : !sha256.second
  %c, %f = sha256.unpack %s, %t
  %r = arith.addi %c, %f : vector<4xi32>
  func.return %r : vector<4xi32>
}
