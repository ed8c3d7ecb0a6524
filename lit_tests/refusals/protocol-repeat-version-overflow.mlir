// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol

// The frames of an edge are numbered in 64 bits.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-repeat-version-overflow] expected at most 2^64 frames from role 0 to role 1, found 27670116110564327421}}
  protocol.repeat 9223372036854775807 {
    // expected-note@+1 {{1 here, each time}}
    %y0 = protocol.transfer %x from 0 to 1
    // expected-note@+1 {{1 here, each time}}
    %y1 = protocol.transfer %x from 0 to 1
    // expected-note@+1 {{1 here, each time}}
    %y2 = protocol.transfer %x from 0 to 1
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
    %y0 = protocol.transfer %x from 0 to 1
    %y1 = protocol.transfer %x from 0 to 1
  }
}

// -----

// accepted: each edge has its own numbers.
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 9223372036854775807 {
    %y0 = protocol.transfer %x from 0 to 1
    %y1 = protocol.transfer %x from 0 to 1
    %y2 = protocol.transfer %x from 0 to 2
  }
}

// -----

// Repeats multiply.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-repeat-version-overflow] expected at most 2^64 frames from role 0 to role 1, found 18446744078004518912}}
  protocol.repeat 4294967296 {
    protocol.repeat 4294967297 {
      // expected-note@+1 {{1 here, each time}}
      %y = protocol.transfer %x from 0 to 1
    }
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
  protocol.repeat 4294967296 {
    protocol.repeat 4294967296 {
      %y = protocol.transfer %x from 0 to 1
    }
  }
}

// -----

// Of a choice, the arm that sends most counts.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  // expected-error@+1 {{[protocol-repeat-version-overflow] expected at most 2^64 frames from role 0 to role 1, found 27670116110564327421}}
  protocol.repeat 9223372036854775807 {
    // expected-note@+1 {{1 here, each time}}
    protocol.choice %s by 0 along [0 -> 1] {
      // expected-note@+1 {{1 here, each time}}
      %y = protocol.transfer %x from 0 to 1
    } {
      // expected-note@+1 {{1 here, each time}}
      %y = protocol.transfer %x from 0 to 1
      // expected-note@+1 {{1 here, each time}}
      %z = protocol.transfer %x from 0 to 1
    }
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.repeat 9223372036854775807 {
    protocol.choice %s by 0 along [0 -> 1] {
      %y = protocol.transfer %x from 0 to 1
    } {
      %y = protocol.transfer %x from 0 to 1
    }
  }
}

// -----

// Versions are numbered alike, and begin at 0.

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
  // expected-error@+1 {{[protocol-repeat-version-overflow] expected at most 2^64 - 1 versions at role 0, found 18446744073709551616}}
  protocol.repeat 4294967296 {
    protocol.repeat 4294967296 {
      // expected-note@+1 {{1 here, each time}}
      protocol.local at stride(0, 1, 4) {
        %w = shard.read @w : !shard.replica<f64, +0>
        %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
        shard.advance @w = %w1
      }
    }
  }
  protocol.publish at stride(0, 1, 4)
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
  protocol.repeat 4294967296 {
    protocol.repeat 4294967295 {
      protocol.local at stride(0, 1, 4) {
        %w = shard.read @w : !shard.replica<f64, +0>
        %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
        shard.advance @w = %w1
      }
    }
  }
  protocol.publish at stride(0, 1, 4)
}
