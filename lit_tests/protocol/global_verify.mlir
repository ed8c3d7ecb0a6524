// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A protocol is of a group.

// expected-error@+1 {{[source-syntax] expected a #protocol.group<...>, found '3'}}
protocol.global @train group 3 {
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
}

// -----

// The members of a group are roles of the universe.

// expected-error@+1 {{[select-universe] expected members below 4, found member 4}}
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 5)>} {}

// -----

// expected-error@+1 {{[select-empty] expected a group with at least one role, found empty}}
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "", empty>} {}

// -----

// accepted:
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)>} {}

// -----

// A learner that is named stands beside it, distributed.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// expected-error@+1 {{[region-symbol-unknown] expected a shard.learner of the same name in the module, found none of @keep}}
protocol.global @train of @keep group #all {
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @train of @keep group #all {
  protocol.publish at stride(0, 1, 3)
}

// -----

// Ends stand at the end of what they end.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[source-structure] expected 'protocol.yield' at the end of protocol.local or protocol.repeat or protocol.choice or protocol.scope, found protocol.global}}
  protocol.yield
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.scope role 0 {
    protocol.yield
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[source-structure] expected 'protocol.until' at the end of protocol.repeat, found protocol.global}}
  protocol.until %s
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.scope role 0 {
    // expected-error@+1 {{[source-structure] expected 'protocol.until' at the end of protocol.repeat, found protocol.scope}}
    protocol.until %s
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.repeat 2 {
    // expected-error@+1 {{[source-structure] expected 'protocol.until' to hold its rules, found 'protocol.until' must be the last operation in its parent block}}
    protocol.until %s
    protocol.local at role 0 {
      protocol.yield
    }
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
  protocol.repeat 2 {
    protocol.local at role 0 {
      protocol.yield
    }
    protocol.until %s
  }
}
