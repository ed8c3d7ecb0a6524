// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The roles of a universe of 4 are 0 to 3.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-role-range] expected roles from 0 to 3, found role 4}}
  %y = protocol.transfer %x from 0 to 4
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 3
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[protocol-role-range] expected roles from 0 to 3, found role 4}}
  protocol.local at stride(2, 1, 3) {
    protocol.yield
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.local at stride(2, 1, 2) {
    protocol.yield
  }
}

// -----

// Whoever is told of a choice is one as well.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-role-range] expected roles from 0 to 3, found role 5}}
  protocol.choice %s by 0 along [0 -> 5] {
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
  protocol.choice %s by 0 along [0 -> 3] {
    protocol.local at role 3 {
      protocol.yield
    }
  } {
  }
}

// -----

// There is at least one role.

// expected-error@+1 {{[protocol-role-range] expected a universe of 1 to 2^63 - 1 roles, found 0}}
module attributes {g = #protocol.group<universe = 0, epoch = 0, id = "", stride(0, 1, 1)>} {}

// -----

// accepted:
module attributes {g = #protocol.group<universe = 1, epoch = 0, id = "", stride(0, 1, 1)>} {}

// -----

// A participant has a number that a frame can say.

// expected-error@+1 {{[protocol-role-range] expected a role from 0 to 4294967295, as a frame says it, found role 4294967296}}
protocol.role @train role 4294967296 group #protocol.group<universe = 10000000000, epoch = 0, id = "", stride(0, 1, 10000000000)> protocol "00" edges [] {
}

// -----

// accepted:
protocol.role @train role 4294967295 group #protocol.group<universe = 10000000000, epoch = 0, id = "", stride(0, 1, 10000000000)> protocol "00" edges [] {
}
