// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// All programs were made of one protocol ...

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
// expected-note@+1 {{the other role is here}}
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
// expected-error@+1 {{[protocol-digest-mismatch] expected the protocol of role 0, 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03, found 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be04 of role 1}}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be04" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// ... and for one group.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
#later = #protocol.group<universe = 2, epoch = 1, id = "6c73", stride(0, 1, 2)>
// expected-note@+1 {{the other role is here}}
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
// expected-error@+1 {{[protocol-digest-mismatch] expected the group of role 0, 84dd7690ad1367885ce926aa17104222d262261faa658dc937c6ca8df04f676b, found e253722acccab4cf1d273f956690cce7dffe74dd1d6c3f4443bfb8c84e65a2a1 of role 1}}
protocol.role @greet role 1 group #later protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
#later = #protocol.group<universe = 2, epoch = 1, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #later protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #later protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// Either all of them are of one learner, or none is.

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
// expected-note@+1 {{the other role is here}}
protocol.role @keep role 0 of @keep group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 0
}
// expected-error@+1 {{[protocol-digest-mismatch] expected the learner of role 0, @keep, found none of role 1}}
protocol.role @keep role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
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
}

// -----

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
// expected-note@+1 {{the other role is here}}
protocol.role @keep role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
}
// expected-error@+1 {{[protocol-digest-mismatch] expected the learner of role 0, none, found @keep of role 1}}
protocol.role @keep role 1 of @keep group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
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
protocol.role @keep role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
}
protocol.role @keep role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
}
