// RUN: alpha-opt %s | alpha-opt | filecheck %s
// RUN: alpha-opt %s --print-op-generic | alpha-opt | filecheck %s

// CHECK-LABEL: func.func @four_rounds(
func.func @four_rounds(%abcd : vector<4xi32>, %efgh : vector<4xi32>, %bytes : vector<4xi32>)
    -> (vector<4xi32>, vector<4xi32>) {
  // CHECK-NEXT: [[w:%.+]] = sha256.words %bytes
  %w = sha256.words %bytes
  // CHECK-NEXT: [[n:%.+]] = sha256.schedule [[w]], %abcd, %efgh, %bytes
  %next = sha256.schedule %w, %abcd, %efgh, %bytes
  // CHECK-NEXT: [[x:%.+]], [[y:%.+]] = sha256.pack %abcd, %efgh
  %x, %y = sha256.pack %abcd, %efgh
  // CHECK-NEXT: [[u:%.+]], [[v:%.+]] = sha256.rounds [[x]], [[y]], [[n]] {origin = "r"}
  %u, %v = sha256.rounds %x, %y, %next {origin = "r"}
  // CHECK-NEXT: [[s:%.+]] = sha256.add [[x]], [[u]] : !sha256.first
  %s = sha256.add %x, %u : !sha256.first
  // CHECK-NEXT: [[t:%.+]] = sha256.add [[y]], [[v]] : !sha256.second
  %t = sha256.add %y, %v : !sha256.second
  // CHECK-NEXT: [[a:%.+]], [[e:%.+]] = sha256.unpack [[s]], [[t]]
  %a, %e = sha256.unpack %s, %t
  // CHECK-NEXT: func.return [[a]], [[e]] : vector<4xi32>, vector<4xi32>
  func.return %a, %e : vector<4xi32>, vector<4xi32>
}

// CHECK-LABEL: func.func private @halves(!sha256.first, !sha256.second) -> ()
func.func private @halves(!sha256.first, !sha256.second) -> ()
