// RUN: alpha-opt %s --check-schedules --split-input-file --verify-diagnostics

// Role 0 observes in one arm of two, and role 1 whichever is taken.

#both = #protocol.group<universe = 2, epoch = 0, id = "6d", stride(0, 1, 2)>
region.learner @m {
  region.state @w : f64 = 0.5
  region.samples @data[3] : (f64) = dense<[1.0, 0.25, -2.0]>
  pointwise.contribution @gradient(%w: f64) sample(%x: f64) -> (f64, observed "loss" : f64) {
    %g = arith.mulf %w, %x : f64
    %l = arith.mulf %g, %g : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: f64, %g: f64) -> (f64) {
    %w1 = arith.subf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @m owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @data by [1, 2]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
// expected-note@+1 {{role 0 is here}}
protocol.role @m role 0 of @m group #both protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s {
    protocol.local at role 0 {
      %w = shard.read @w : !shard.replica<f64, +0>
      shard.observe "loss" %w over @data
      protocol.yield
    }
  } {
  }
  protocol.local at role 0 {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at role 0
}
protocol.role @m role 1 of @m group #both protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.local at role 1 {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[protocol-observation-unheard] expected role 0 to observe "loss" where role 1 does, found that it does in some arms alone}}
    shard.observe "loss" %w over @data
    protocol.yield
  }
  protocol.local at role 1 {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at role 1
}

// -----

// accepted:
#both = #protocol.group<universe = 2, epoch = 0, id = "6d", stride(0, 1, 2)>
region.learner @m {
  region.state @w : f64 = 0.5
  region.samples @data[3] : (f64) = dense<[1.0, 0.25, -2.0]>
  pointwise.contribution @gradient(%w: f64) sample(%x: f64) -> (f64, observed "loss" : f64) {
    %g = arith.mulf %w, %x : f64
    %l = arith.mulf %g, %g : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: f64, %g: f64) -> (f64) {
    %w1 = arith.subf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @m owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @data by [1, 2]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
protocol.role @m role 0 of @m group #both protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s {
    protocol.local at role 0 {
      %w = shard.read @w : !shard.replica<f64, +0>
      shard.observe "loss" %w over @data
      protocol.yield
    }
  } {
    protocol.local at role 0 {
      %w = shard.read @w : !shard.replica<f64, +0>
      shard.observe "loss" %w over @data
      protocol.yield
    }
  }
  protocol.local at role 0 {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at role 0
}
protocol.role @m role 1 of @m group #both protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  protocol.local at role 1 {
    %w = shard.read @w : !shard.replica<f64, +0>
    shard.observe "loss" %w over @data
    protocol.yield
  }
  protocol.local at role 1 {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  protocol.publish at role 1
}
