// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Somebody does it.

// expected-error@+1 {{[select-empty] expected a group with at least one role, found empty}}
protocol.local at empty {
  protocol.yield
}

// -----

// accepted:
protocol.local at role 0 {
  protocol.yield
}

// -----

// expected-error@+1 {{[select-empty] expected a group with at least one role, found empty}}
protocol.publish at empty

// -----

// expected-error@+1 {{[select-empty] expected a group with at least one role, found empty}}
module attributes {t = !protocol.at<f64, empty>} {}

// -----

// accepted:
module attributes {t = !protocol.at<f64, role 0>} {}

// -----

// Roles are those of the type, of an alias of a selection, or one.

#three = 3 : i64
// expected-error@+1 {{[source-syntax] expected a #region.select<...>, found '#three'}}
protocol.local at #three {
  protocol.yield
}

// -----

// accepted:
#three = #region.select<stride(3, 1, 1)>
protocol.local at #three {
  protocol.yield
}

// -----

// It has an end.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[source-structure] expected a terminator in the block of 'protocol.local', found an empty block}}
  protocol.local at role 0 {
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.local at role 0 {
    // expected-error@+1 {{[source-structure] expected a terminator at the end of each block of 'protocol.local', found 'arith.constant'}}
    %a = arith.constant 1.5 : f64
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield
  }
}

// -----

// What it names is the learner's.

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
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @w), found @m}}
    %w = shard.read @m : !shard.replica<f64, +0>
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

// Words come out of copies.

%x = "test.op"() : () -> !shard.owned<f64, cyclic, +0>
// expected-error@+1 {{[source-structure] expected shard.replica, found !shard.owned<f64, cyclic, +0> (operand 'copy' at position 0)}}
%y = "protocol.words"(%x) : (!shard.owned<f64, cyclic, +0>) -> f64

// -----

// accepted:
%x = "test.op"() : () -> !shard.replica<f64, +0>
%y = protocol.words %x
