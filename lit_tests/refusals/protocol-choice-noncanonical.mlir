// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol

// A choice of two arms has the words 0 and 1.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    // expected-note@+1 {{it is made here}}
    %a = arith.constant 2 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-choice-noncanonical] expected a selector from 0 to 1 for 2 arms, found 2}}
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 2 : i64
    protocol.yield %a
  }
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  } {
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    // expected-note@+1 {{it is made here}}
    %a = arith.constant -1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-choice-noncanonical] expected a selector from 0 to 1 for 2 arms, found -1}}
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// 1 ends a repeat and 0 goes on. The constant is found where it has gone.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    // expected-note@+1 {{it is made here}}
    %a = arith.constant 2 : i64
    protocol.yield %a
  }
  protocol.repeat 3 {
    %t = protocol.replicate %s along star over stride(0, 1, 4)
    protocol.local at stride(0, 1, 4) {
      protocol.yield
    }
    // expected-error@+1 {{[protocol-choice-noncanonical] expected a selector from 0 to 1 to end the repeat or go on, found 2}}
    protocol.until %t
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 0 : i64
    protocol.yield %a
  }
  protocol.repeat 3 {
    %t = protocol.replicate %s along star over stride(0, 1, 4)
    protocol.local at stride(0, 1, 4) {
      protocol.yield
    }
    protocol.until %t
  }
}

// -----

// accepted: what is computed is looked at when the choice is taken.
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.cmpf olt, %a, %a : f64
    %w = arith.extui %b : i1 to i64
    protocol.yield %w
  }
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}
