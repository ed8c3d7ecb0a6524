// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// All roles take part in one protocol of a learner.

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
// expected-note@+1 {{the first is here}}
protocol.global @train of @keep group #all {
  protocol.publish at stride(0, 1, 3)
}
// expected-error@+1 {{[protocol-learner-count] expected one protocol of @keep, found two}}
protocol.global @again of @keep group #all {
  protocol.publish at stride(0, 1, 3)
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

// accepted: what reads and advances nobody's states can stand beside it.
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
protocol.global @hello group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}
