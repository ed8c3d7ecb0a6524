// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// In a scope, its roles act and no others.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
    %y = protocol.transfer %x from 0 to 2
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    %y = protocol.transfer %x from 0 to 1
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
    protocol.scope stride(1, 1, 2) {
      protocol.yield
    }
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.scope stride(0, 1, 3) {
    protocol.scope stride(1, 1, 2) {
      protocol.yield
    }
  }
}

// -----

// Whoever is told of a choice is one of them ...

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
    protocol.choice %s by 0 along [0 -> 2] {
      protocol.local at role 0 {
        protocol.yield
      }
    } {
    }
  }
}

// -----

// ... and so is who decides.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 3}}
    protocol.choice %s by 3 along [] {
      protocol.local at role 0 {
        protocol.yield
      }
    } {
    }
  }
}

// -----

// accepted: the others have the selector and know nothing of the choice.
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    protocol.choice %s by 0 along [] {
      protocol.local at role 0 {
        protocol.yield
      }
    } {
    }
  }
}

// -----

// What comes out of a scope is with its roles alone ...

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
  %y = protocol.scope stride(0, 1, 2) {
    protocol.yield %x
  }
}

// -----

// ... and so is what is carried round a repeat inside.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.scope stride(0, 1, 2) {
    // expected-error@+1 {{[protocol-group-scope] expected roles of the scope, stride(0, 1, 2), found role 2}}
    %r = protocol.repeat 3 (%c = %x) {
      protocol.yield %c
    }
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.scope stride(0, 1, 2) {
    %own = protocol.local at stride(0, 1, 2) (%a = %x) {
      protocol.yield %a
    }
    %r = protocol.repeat 3 (%c = %own) {
      protocol.yield %c
    }
    protocol.yield %r
  }
}

// -----

// A role's program meets its edges alone.

// expected-error@+1 {{[protocol-group-scope] expected a member of stride(0, 1, 3), found role 3}}
protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "00" edges [3] {
}

// -----

// accepted:
protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "00" edges [1] {
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [1] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform agree site 0 %x {
    // expected-error@+1 {{[protocol-group-scope] expected a peer among the edges [1], found role 0}}
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [0] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform agree site 0 %x {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
}
