// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// States that are published are those of a learner.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[protocol-unrealized] expected a learner whose states are published, found none}}
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
  protocol.publish at stride(0, 1, 3)
}

// -----

// So are those that are read.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.local at stride(0, 1, 4) {
    // expected-error@+1 {{[protocol-unrealized] expected a learner, whose words are read and advanced, found shard.read in a protocol of none}}
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield
  }
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
  protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield
  }
}

// -----

// Local work sends nothing.

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
  protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[protocol-unrealized] expected local work: reads, contributions, updates and arithmetic, which send nothing, found shard.agree}}
    shard.agree %w
    protocol.yield
  }
}

// -----

// accepted: roles compare words in an operation of the protocol.
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
  %w = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.replica<f64, +0>
    protocol.yield %w
  }
  protocol.agree %w along star
}

// -----

// Of integers it computes selectors alone.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  %t = protocol.local at role 0 (%a = %s) {
    // expected-error@+1 {{[protocol-unrealized] expected one of arith.constant, arith.select, arith.extui, arith.subi of integers, found arith.addi}}
    %b = arith.addi %a, %a : i64
    protocol.yield %b
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
  %t = protocol.local at role 0 (%a = %s) {
    %b = arith.subi %a, %a : i64
    protocol.yield %b
  }
}

// -----

// Outside of local work stand operations of the protocol.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[protocol-unrealized] expected operations of the protocol dialect in a protocol.global, found arith.constant}}
  %a = arith.constant 1.5 : f64
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}

// -----

// A role gives out states of the learner that its program names.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
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
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.role @keep role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  // expected-error@+1 {{[protocol-unrealized] expected a learner whose states are published, found none}}
  protocol.publish at role 0
}
protocol.role @keep role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 1
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
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
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.role @keep role 0 of @keep group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 1
}
