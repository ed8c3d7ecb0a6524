// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// What a role is to own behind an exchange, a member has before: the word of role 2 was left behind.

protocol.global @kept group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    %v = pointwise.map over [i : 2] (%b = %a) {
      pointwise.yield %b
    } : tensor<2xf64>
    protocol.yield %v
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [1, 0, 1]
  // expected-note@+1 {{the value is made here, at stride(0, 1, 2)}}
  %kept = protocol.local at stride(0, 1, 2) (%s = %sum) {
    protocol.yield %s
  }
  // expected-error@+1 {{[protocol-payload-extent] expected members with all 2 words that role 1 is to own, found 1}}
  %moved = protocol.exchange %kept to [0, 2, 0] direct
}

// -----

// accepted: nobody but role 2 would own the word that is left behind.
protocol.global @kept group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    %v = pointwise.map over [i : 2] (%b = %a) {
      pointwise.yield %b
    } : tensor<2xf64>
    protocol.yield %v
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [1, 0, 1]
  %kept = protocol.local at stride(0, 1, 2) (%s = %sum) {
    protocol.yield %s
  }
  %moved = protocol.exchange %kept to [0, 1, 1] direct
}

// -----

// The same in a scope, with a value of the roles of the scope.
protocol.global @scoped group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [0, 0, 1]
  protocol.scope stride(0, 1, 2) {
    // expected-note@+1 {{the value is made here, at stride(0, 1, 2)}}
    %kept = protocol.local at stride(0, 1, 2) (%s = %sum) {
      protocol.yield %s
    }
    // expected-error@+1 {{[protocol-payload-extent] expected members with all 1 words that role 0 is to own, found 0}}
    %moved = protocol.exchange %kept to [1, 0, 0] direct
  }
}

// -----

// accepted:
protocol.global @scoped group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [0, 1, 0]
  protocol.scope stride(0, 1, 2) {
    %kept = protocol.local at stride(0, 1, 2) (%s = %sum) {
      protocol.yield %s
    }
    %moved = protocol.exchange %kept to [1, 0, 0] direct
  }
}

// -----

// And where the value is carried round a repeat: what an exchange lost, none brings back.
protocol.global @carried group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> direct to owners [1, 0, 0]
  %end = protocol.repeat 4 (%word = %sum) {
    // expected-note@+1 {{the value is made here, at stride(0, 1, 2)}}
    %lost = protocol.exchange %word to [0, 0, 1] direct
    // expected-error@+1 {{[protocol-payload-extent] expected members with all 1 words that role 0 is to own, found 0}}
    %back = protocol.exchange %lost to [1, 0, 0] direct
    protocol.yield %back
  }
}

// -----

// accepted:
protocol.global @carried group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> direct to owners [1, 0, 0]
  %end = protocol.repeat 4 (%word = %sum) {
    %lost = protocol.exchange %word to [0, 1, 0] direct
    %back = protocol.exchange %lost to [1, 0, 0] direct
    protocol.yield %back
  }
}

// -----

// A sum that goes directly to the owners of its words goes to one who takes part.
protocol.global @nobody group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[shard-contribution-missing] expected a member that is to own some of the 1 words of the sum, found none by [0, 0, 1]}}
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> direct to owners [0, 0, 1]
}

// -----

// accepted:
protocol.global @nobody group #protocol.group<universe = 3, epoch = 0, id = "6b", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> direct to owners [0, 1, 0]
}
