// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Who tells others was told before.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-choice-forwarder-early] expected routes from roles that were told before, found 1 -> 2 before anybody tells role 1}}
  protocol.choice %s by 0 along [1 -> 2, 0 -> 1] {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along [0 -> 1, 1 -> 2] {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-choice-forwarder-early] expected routes from roles that were told before, found 3 -> 2 before anybody tells role 3}}
  protocol.choice %s by 0 along [0 -> 1, 3 -> 2] {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along [0 -> 1, 0 -> 2] {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  }
}
