// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Iterations are counted in a signed word of 64 bits.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-repeat-bound] expected a bound of at most 9223372036854775807, found 9223372036854775808}}
  protocol.repeat 9223372036854775808 {
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
  protocol.repeat 9223372036854775807 {
    %y = protocol.transfer %x from 0 to 1
  }
}
