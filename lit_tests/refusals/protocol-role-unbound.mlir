// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Who acts is a member of the group.

#even = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 2, 2)>
protocol.global @train group #even {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-role-unbound] expected roles of the protocol's group, stride(0, 2, 2), found role 1}}
  %y = protocol.transfer %x from 0 to 1
}

// -----

// accepted:
#even = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 2, 2)>
protocol.global @train group #even {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 2
}

// -----

#even = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 2, 2)>
protocol.global @train group #even {
  // expected-error@+1 {{[protocol-role-unbound] expected roles of the protocol's group, stride(0, 2, 2), found role 1}}
  protocol.scope stride(0, 1, 3) {
    protocol.yield
  }
}

// -----

// accepted:
#even = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 2, 2)>
protocol.global @train group #even {
  protocol.scope role 2 {
    protocol.yield
  }
}

// -----

// A learner's owners are all its roles: none can be left out ...

#three = #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 3)>
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
// expected-error@+1 {{[protocol-role-unbound] expected all 4 owners of @keep as the roles, found 3 of a universe of 4}}
protocol.global @train of @keep group #three {
  protocol.publish at stride(0, 1, 3)
}

// -----

// ... and there are no others.

#eight = #protocol.group<universe = 8, epoch = 0, id = "", stride(0, 1, 8)>
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
// expected-error@+1 {{[protocol-role-unbound] expected all 4 owners of @keep as the roles, found 8 of a universe of 8}}
protocol.global @train of @keep group #eight {
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

// It is the same for the programs of roles: the universe has an owner too many ...

#more = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 2)>
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
// expected-error@+1 {{[protocol-role-unbound] expected all 2 owners of @keep as the roles, found 2 of a universe of 3}}
protocol.role @keep role 0 of @keep group #more protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #more protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
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

// -----

// ... or one too few.

#one = #protocol.group<universe = 1, epoch = 0, id = "6c73", stride(0, 1, 1)>
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
// expected-error@+1 {{[protocol-role-unbound] expected all 2 owners of @keep as the roles, found 1 of a universe of 1}}
protocol.role @keep role 0 of @keep group #one protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 0
}

// -----

// All roles are owners: no program is of another role.

#three = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)>
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
// expected-error@+1 {{[protocol-role-unbound] expected all 2 owners of @keep as the roles, found 3 of a universe of 3}}
protocol.role @keep role 0 of @keep group #three protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 0
}
protocol.role @keep role 1 of @keep group #three protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 1
}
protocol.role @keep role 2 of @keep group #three protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.publish at role 2
}
