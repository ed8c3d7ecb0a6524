// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Each role is told once.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-choice-receiver-twice] expected routes that tell each role once, and never the authority, found 1 -> 2, and role 2 knows already}}
  protocol.choice %s by 0 along [0 -> 1, 0 -> 2, 1 -> 2] {
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

// Who decides knows.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-choice-receiver-twice] expected routes that tell each role once, and never the authority, found 1 -> 0, and role 0 knows already}}
  protocol.choice %s by 0 along [0 -> 1, 0 -> 2, 1 -> 0] {
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
