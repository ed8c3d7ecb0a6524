// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A selector is a whole number.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-choice-selector] expected an i64 as the selector, found f64}}
  protocol.choice %x {
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
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// So is what ends a repeat.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 3 {
    protocol.local at role 0 {
      protocol.yield
    }
    // expected-error@+1 {{[protocol-choice-selector] expected an i64 as the selector, found f64}}
    protocol.until %x
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
    protocol.local at role 0 {
      protocol.yield
    }
    protocol.until %s
  }
}
