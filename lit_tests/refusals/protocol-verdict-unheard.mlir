// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// Members compare copies on the way of a sum: then all of them have to hear whether the copies are
// equal.

protocol.global @compare group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  // expected-error@+1 {{[protocol-verdict-unheard] expected a verdict that goes down to all 3 members, 'with' what is replicated, found one that nobody hears}}
  %t, %verdict = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> along star agreeing %x
  %s = protocol.replicate %t along star over stride(0, 1, 3)
}

// -----

// accepted: the verdict goes down with the total
protocol.global @compare group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  %t, %verdict = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> along star agreeing %x
  %s = protocol.replicate %t along star over stride(0, 1, 3) with %verdict
}

// -----

// A verdict that goes down to some of them isn't heard by the others.

protocol.global @compare group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  // expected-error@+1 {{[protocol-verdict-unheard] expected a verdict that goes down to all 3 members, 'with' what is replicated, found one that some don't hear}}
  %t, %verdict = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> along star agreeing %x
  // expected-note@+1 {{some hear it here}}
  %s = protocol.replicate %t along star over stride(0, 1, 2) with %verdict
}
