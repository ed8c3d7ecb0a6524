// RUN: alpha-opt --split-input-file --verify-diagnostics %s

func.func @truths(%a : vector<4xf64>) -> i1 {
  // expected-error @below {{expected vector<4xi1> as the result, found i1}}
  %c = "arith.cmpf"(%a, %a) <{predicate = 1 : i64, fastmath = #arith.fastmath<none>}> : (vector<4xf64>, vector<4xf64>) -> i1
  func.return %c : i1
}

// -----

func.func @lanes(%c : vector<2xi1>, %a : vector<4xf64>) -> vector<4xf64> {
  // expected-error @below {{expected i1 or vector<4xi1> as the condition, found vector<2xi1>}}
  %d = arith.select %c, %a, %a : vector<2xi1>, vector<4xf64>
  func.return %d : vector<4xf64>
}

// -----

func.func @predicate(%a : i32) -> i1 {
  // expected-error @below {{expected a predicate from 0 to 9, found 10}}
  %c = "arith.cmpi"(%a, %a) <{predicate = 10 : i64}> : (i32, i32) -> i1
  func.return %c : i1
}

// -----

func.func @unknown(%a : i32) -> i1 {
  // expected-error @below {{expected one of eq, ne, slt}}
  %c = arith.cmpi lt, %a, %a : i32
  func.return %c : i1
}
