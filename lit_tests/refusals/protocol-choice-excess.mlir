// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol

// Who does the same in every arm need not hear which one is taken.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-excess] expected routes to roles whose arms differ, found role 2, whose arms are the same}}
  // expected-note@+1 {{'by 0 along [0 -> 1]' leaves it out}}
  protocol.choice %s by 0 along [0 -> 1, 1 -> 2] {
    %y = protocol.transfer %x from 0 to 1
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
  protocol.choice %s by 0 along [0 -> 1] {
    %y = protocol.transfer %x from 0 to 1
  } {
  }
}

// -----

// Who tells others is no exception.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-excess] expected routes to roles whose arms differ, found role 3, whose arms are the same}}
  // expected-note@+1 {{'by 0 along [0 -> 1]' leaves it out}}
  protocol.choice %s by 0 along [0 -> 3, 3 -> 1] {
    %y = protocol.transfer %x from 0 to 1
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
  %y = protocol.local at role 1 {
    %a = arith.constant 2.5 : f64
    protocol.yield %a
  }
  // expected-error@+2 {{[protocol-choice-excess] expected routes to roles whose arms differ, found role 1, whose arms are the same}}
  // expected-note@+1 {{'by 0 along []' leaves it out}}
  protocol.choice %s by 0 along [0 -> 1] {
    protocol.local at role 1 (%a = %y) {
      protocol.yield
    }
  } {
    protocol.local at role 1 (%a = %y) {
      protocol.yield
    }
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
  %y = protocol.local at role 1 {
    %a = arith.constant 2.5 : f64
    protocol.yield %a
  }
  protocol.choice %s by 0 along [0 -> 1] {
    protocol.local at role 1 (%a = %y) {
      protocol.yield
    }
  } {
    protocol.local at role 1 {
      protocol.yield
    }
  }
}

// -----

// Who takes no part in a repeat need not hear of its end.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.repeat 3 {
    %y = protocol.transfer %x from 0 to 1
    // expected-error@+2 {{[protocol-choice-excess] expected routes to roles that take part in the repeat, found role 2, which takes none}}
    // expected-note@+1 {{'by 0 along star over stride(0, 1, 2)' leaves it out}}
    protocol.until %s by 0 along star over stride(0, 1, 3)
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
  protocol.repeat 3 {
    %y = protocol.transfer %x from 0 to 1
    protocol.until %s by 0 along star over stride(0, 1, 2)
  }
}
