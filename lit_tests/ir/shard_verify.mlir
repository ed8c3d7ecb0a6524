// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Owners without samples, more owners than samples, and owners of a learner that sums nothing.

region.learner @more_owners attributes {owners = #shard.owners<5, star>} {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// Where sums are over several samples, one split can't be right for both.

region.learner @two_sums attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @other[4] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    // expected-error@+1 {{[region-contract-groups] expected owners' samples that add up to 4, found 3}}
    %more, %number = pointwise.sum @pull(%w) over @other : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted: unless that sum says its own contract.

region.learner @two_sums attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @other[4] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %more, %number = pointwise.sum @pull(%w) over @other contract #region.contract<groups = [2, 2], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// The words of the attribute.

// expected-error@+1 {{[source-syntax] expected one of 'pair', 'star', 'tree', found 'ring'}}
module attributes {o = #shard.owners<4, ring>} {}

// -----

// expected-error@+1 {{[source-syntax] expected ',', found '>'}}
module attributes {o = #shard.owners<4>} {}

// -----

// expected-error@+1 {{[source-syntax] expected 'samples', found '['}}
module attributes {o = #shard.owners<4, star, [1, 2, 3, 0]>} {}

// -----

// expected-error@+1 {{[source-syntax] expected '<', found '>'}}
module attributes {o = #shard.owners<4, tree>} {}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found '-'}}
module attributes {o = #shard.owners<2, pair, samples = [1, -1]>} {}

// -----

// A distribution names a learner of the module, places its parts, and has one round.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
// expected-error@+1 {{[region-symbol-unknown] expected a region.learner of the same name in the module, found none named @other}}
shard.learner @other owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @w), found @m}}
  shard.place @m replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// Constants are with every owner, so they have no place.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @w), found @rate}}
  shard.place @rate replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[pointwise-footprint] expected shard.place, programs and shard.round in a distribution, found shard.read}}
  %w = shard.read @w : !shard.replica<f64, +0>
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
// expected-error@+1 {{[region-round-count] expected exactly one shard.round, found 0}}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  // expected-error@+1 {{[region-round-count] expected exactly one shard.round, found 2}}
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
}

// -----

// A round begins without arguments ...

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[pointwise-footprint] expected a round without arguments, found some}}
  "shard.round"() ({
  ^bb0(%w : !shard.replica<f64, +0>):
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }) : () -> ()
}

// -----

// ... has operations of the dialect alone ...

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    // expected-error@+1 {{[pointwise-footprint] expected operations of the shard dialect in a shard.round, found arith.constant}}
    %one = arith.constant 1.0 : f64
    shard.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    // expected-error@+1 {{[pointwise-footprint] expected operations of the shard dialect in a shard.round, found region.read}}
    %o = region.read @w : f64
    shard.advance @w = %w1
  }
}

// -----

// ... and ends in shard.advance.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    // expected-error@+1 {{[region-round-count] expected shard.advance as the last operation, found region.advance}}
    region.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    // expected-error@+1 {{[source-structure] expected a terminator at the end of each block of 'shard.round', found 'shard.agree'}}
    shard.agree %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[source-structure] expected a terminator in the block of 'shard.round', found an empty block}}
  shard.round {}
}
