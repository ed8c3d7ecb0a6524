// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A frame goes from one role to another.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-self-transfer] expected a transfer between two roles, found from 1 to itself}}
  %y = protocol.transfer %x from 1 to 1
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 1 to 2
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// expected-error@+1 {{[protocol-self-transfer] expected edges to other roles, found 1}}
protocol.role @train role 1 group #all protocol "00" edges [1, 2] {
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 1 group #all protocol "00" edges [0, 2] {
}
