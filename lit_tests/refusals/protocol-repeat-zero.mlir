// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is never done is not written down.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-repeat-zero] expected a repeat of at least 1 iteration, found 0}}
  protocol.repeat 0 {
    %y = protocol.transfer %x from 0 to 1
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 1 {
    %y = protocol.transfer %x from 0 to 1
  }
}
