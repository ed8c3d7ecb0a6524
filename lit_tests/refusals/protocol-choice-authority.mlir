// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Who decides has the selector.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-choice-authority] expected an authority that has the selector, found role 1, and !protocol.at<i64, role 0>}}
  protocol.choice %s by 1 along [] {
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
  protocol.choice %s by 0 along [] {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// Along a topology, its first member decides.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 4) {
      protocol.yield
    }
    // expected-error@+1 {{[protocol-choice-authority] expected the first member, role 0, as the authority, found role 1}}
    protocol.until %s by 1 along star over stride(0, 1, 4)
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 4) {
      protocol.yield
    }
    protocol.until %s by 0 along star over stride(0, 1, 4)
  }
}
