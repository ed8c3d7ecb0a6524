// RUN: alpha-opt %s --check-protocol --split-input-file --verify-diagnostics

// A version advances with every role: else copies of a state wouldn't be equal, and a choice on them
// would be another with each.
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @same(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @same(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @same(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 2) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @same(%w) : !shard.replica<f64, +1>
    // expected-error@+1 {{[shard-version-mixed] expected all 3 roles to advance together, found role 2 stays behind}}
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 1.0
  pointwise.update @same(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @same(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @same(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @same(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at stride(0, 1, 3)
}
