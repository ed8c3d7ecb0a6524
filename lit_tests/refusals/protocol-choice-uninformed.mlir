// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol

// Who receives in one arm and not in another hears which one is taken.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in []}}
  // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 1]'}}
  protocol.choice %s by 0 along [] {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
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

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it}}
  // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 1]'}}
  protocol.choice %s {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
    %y = protocol.transfer %x from 0 to 1
  } {
  }
}

// -----

// accepted: it has the selector already.
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s {
    %y = protocol.transfer %x from 0 to 1
  } {
  }
}

// -----

// Sending in every arm is another frame in each.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in []}}
  // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 1]'}}
  protocol.choice %s by 0 along [] {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
    %y = protocol.transfer %x from 0 to 1
  } {
    %y = protocol.transfer %x from 0 to 1
  }
}

// -----

// accepted: the same local work in every arm is the same.
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
  protocol.choice %s by 0 along [] {
    protocol.local at stride(0, 1, 1) (%a = %x) {
      protocol.yield
    }
    protocol.local at role 1 (%a = %y) {
      %b = arith.addf %a, %a : f64
      protocol.yield
    }
  } {
    protocol.local at role 1 (%a = %y) {
      %c = arith.addf %a, %a : f64
      protocol.yield
    }
  }
}

// -----

// Who has the result of a choice that depends on the arm must hear of it.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  %x, %y = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 2.5 : f64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in []}}
  // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 1]'}}
  %r = protocol.choice %s by 0 along [] {
    protocol.yield %x
  } {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
    protocol.yield %y
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
  %x, %y = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 2.5 : f64
    protocol.yield %a, %b
  }
  %r = protocol.choice %s by 0 along [] {
    protocol.yield %x
  } {
    protocol.yield %x
  }
}

// -----

// Who takes part in a repeat must hear of its end ...

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.repeat 3 {
    // expected-note@+1 {{role 1 takes part here}}
    %y = protocol.transfer %x from 0 to 1
    // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know whether the repeat goes on, found no selector and no route to it in [0 -> 2]}}
    // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 2, 0 -> 1]'}}
    protocol.until %s by 0 along [0 -> 2]
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
    protocol.until %s by 0 along [0 -> 1]
  }
}

// -----

// ... and so must who carries a value round it.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-note@+1 {{role 2 has a value that is carried round}}
  %r = protocol.repeat 3 (%c = %x) {
    // expected-error@+2 {{[protocol-choice-uninformed] expected role 2 to know whether the repeat goes on, found no selector and no route to it in [0 -> 1]}}
    // expected-note@+1 {{it hears of it with 'by 0 along [0 -> 1, 0 -> 2]'}}
    protocol.until %s by 0 along [0 -> 1] yields %c
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
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %r = protocol.repeat 3 (%c = %x) {
    protocol.until %s by 0 along [0 -> 1, 1 -> 2] yields %c
  }
}

// -----

// Many are told along a tree.

#many = #protocol.group<universe = 200000, epoch = 0, id = "", stride(0, 1, 200000)>
protocol.global @train group #many {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+2 {{[protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in []}}
  // expected-note@+1 {{it hears of it with 'by 0 along tree<64> over stride(0, 1, 200000)'}}
  protocol.choice %s by 0 along [] {
    // expected-note@+1 {{role 1 doesn't do this in every arm}}
    %y = protocol.replicate %x along tree<64> over stride(0, 1, 200000)
  } {
  }
}

// -----

// accepted:
#many = #protocol.group<universe = 200000, epoch = 0, id = "", stride(0, 1, 200000)>
protocol.global @train group #many {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along tree<64> over stride(0, 1, 200000) {
    %y = protocol.replicate %x along tree<64> over stride(0, 1, 200000)
  } {
  }
}
