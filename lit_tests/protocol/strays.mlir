// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol
// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules
// RUN: alpha-opt %s --split-input-file --verify-diagnostics --project-role

// A step that slid out of its protocol isn't passed over.

protocol.global @send group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}
// expected-error@+1 {{[source-structure] expected 'protocol.local' in a protocol.global or protocol.role, found it in builtin.module}}
%x = protocol.local at role 0 {
  %a = arith.constant 1.5 : f64
  protocol.yield %a
}
%y = protocol.transfer %x from 0 to 1

// -----

// accepted:
protocol.global @send group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 1
}

// -----

// Nor is one in a function.

func.func @exchange() {
  // expected-error@+1 {{[source-structure] expected 'protocol.repeat' in a protocol.global or protocol.role, found it in func.func}}
  protocol.repeat 3 {
  }
  func.return
}
