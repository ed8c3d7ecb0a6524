// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Of words that are summed, each member has one part.

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
// expected-error@+1 {{[protocol-payload-extent] expected a contract of 3 groups, one a member, found 2}}
%y = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> along star

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
%y = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> along star

// -----

// Of contributions, the members have the work of all samples.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
region.learner @mean attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
shard.learner @mean owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @train of @mean group #all {
  %c = protocol.local at stride(0, 1, 2) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<f64, @data, +0>
    protocol.yield %c
  }
  // expected-error@+1 {{[protocol-payload-extent] expected members who have all 6 samples together, found 3}}
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
region.learner @mean attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
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
shard.learner @mean owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.global @train of @mean group #all {
  %c = protocol.local at stride(0, 1, 3) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<f64, @data, +0>
    protocol.yield %c
  }
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
}

// -----

// Of pieces that are gathered, they have all.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [empty, empty, empty, stride(0, 1, 1)]
  // expected-error@+1 {{[protocol-payload-extent] expected members who own all 1 words together, found 0}}
  %whole = protocol.gather %sum along star
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %sum = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [empty, empty, stride(0, 1, 1), empty]
  %whole = protocol.gather %sum along star
}
