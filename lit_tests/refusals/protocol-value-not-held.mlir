// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Who sends a value has it.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-value-not-held] expected a value that role 1 has, found !protocol.at<f64, role 0>}}
  %y = protocol.transfer %x from 1 to 2
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 2
}

// -----

// Copies come from the first member.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-value-not-held] expected a value that role 0 has, found !protocol.at<f64, role 1>}}
  %y = protocol.replicate %x along star over stride(0, 1, 4)
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.replicate %x along star over stride(1, 1, 3)
}

// -----

// Local work takes what the role has.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-note@+1 {{the value is made here}}
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-value-not-held] expected a value that role 3 has, found !protocol.at<f64, stride(0, 1, 3)>}}
  protocol.local at stride(1, 1, 3) (%a = %x) {
    protocol.yield
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.local at stride(1, 1, 2) (%a = %x) {
    protocol.yield
  }
}

// -----

// Values that are compared are with the same roles.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 3
  // expected-error@+1 {{[protocol-value-not-held] expected values that the same roles have, stride(0, 1, 3), found !protocol.at<f64, role 3>}}
  protocol.agree %x, %y along star
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 3
  protocol.agree %x along star
}

// -----

// Whoever has the result of a choice has it from every arm.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-value-not-held] expected a value from arm 1 that role 0 has, found !protocol.at<f64, role 1>}}
  %r = protocol.choice %s {
    protocol.yield %x
  } {
    %y = protocol.transfer %x from 0 to 1
    protocol.yield %y
  }
}

// -----

// accepted: one that has it from one arm alone goes without.
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  %r = protocol.choice %s {
    %y = protocol.transfer %x from 0 to 1
    protocol.yield %y
  } {
    protocol.yield %x
  }
}

// -----

// So it is with the next iteration.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %r = protocol.repeat 3 (%c = %x) {
    %y = protocol.transfer %c from 0 to 1
    // expected-error@+1 {{[protocol-value-not-held] expected a value to carry on that role 0 has, found !protocol.at<f64, role 1>}}
    protocol.yield %y
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %r = protocol.repeat 3 (%c = %x) {
    %y = protocol.replicate %c along star over stride(0, 1, 3)
    protocol.yield %y
  }
}

// -----

// A role's program has its own values.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  // expected-error@+1 {{[protocol-value-not-held] expected values at role 2, found !protocol.at<f64, role 1>}}
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}
