// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-protocol

// An observation is made once of a version: not twice in a round, nor before the first one and in it.

region.learner @m attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 5.000000e-01
  region.state @v : f64 = 5.000000e-01
  region.constant @rate : f64 = 1.000000e-01
  region.samples @data[3] : (f64, f64) = dense<[1.000000e+00, 3.000000e-01, -2.000000e+00]>, dense<[1.200000e+00, -7.000000e-01, 3.100000e+00]>
  pointwise.contribution @gradient(%w: f64) sample(%x: f64, %y: f64) -> (f64, observed "loss" : f64) {
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %g = arith.mulf %r, %x : f64
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: f64, %g: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %g : f64
    %w1 = arith.subf %w, %s : f64
    pointwise.return %w1
  }
  pointwise.update @vstep(%v: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %v : f64
    %w1 = arith.subf %v, %s : f64
    pointwise.return %w1
  }
  region.round {
    %w, %v, %rate = region.read @w, @v, @rate : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : f64
    %v1 = pointwise.apply @vstep(%v, %rate) : f64
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @m owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @v replicated
  shard.place @data by [1, 2]
  shard.round {
    %w, %v, %rate = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %rate) : !shard.replica<f64, +1>
    %v1 = shard.update @vstep(%v, %rate) : !shard.replica<f64, +1>
    shard.agree %w1, %v1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @m of @m group #protocol.group<universe = 2, epoch = 0, id = "6d", stride(0, 1, 2)> {
  protocol.repeat 3 {
    %w, %v, %w_1, %v_1, %rate, %0, %1 = protocol.local at stride(0, 1, 2) {
      %w_2 = shard.read @w : !shard.replica<f64, +0>
      %v_2 = shard.read @v : !shard.replica<f64, +0>
      %w_3, %v_3, %rate_1 = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
      %2, %3 = shard.contribute @gradient(%w_3) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
      protocol.yield %w_2, %v_2, %w_3, %v_3, %rate_1, %2, %3
    }
    %sum, %2 = protocol.reduce sum %0 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair agreeing %w, %v
    %sum_1 = protocol.replicate %sum along pair over stride(0, 1, 2) with %2
    %3 = protocol.reduce sum %1 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair
    protocol.local at role 0 (%4 = %sum) {
      // expected-note@+1 {{it is observed here}}
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    protocol.local at role 0 (%4 = %3) {
      // expected-error@+1 {{[region-identity] expected one observation "loss" of a version, found two}}
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    protocol.local at stride(0, 1, 2) (%sum_2 = %sum_1, %w_2 = %w_1, %rate_1 = %rate, %v_2 = %v_1) {
      %g = shard.mean %sum_2 : !shard.replica<f64, +0>
      %w1 = shard.update @step(%w_2, %g, %rate_1) : !shard.replica<f64, +1>
      %v1 = shard.update @vstep(%v_2, %rate_1) : !shard.replica<f64, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  %w_2, %v_2 = protocol.local at stride(0, 1, 2) {
    %4, %5 = shard.read @w, @v : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    protocol.yield %4, %5
  }
  protocol.agree %w_2, %v_2 along pair
  protocol.publish at stride(0, 1, 2)
}

// -----

// accepted:
region.learner @m attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 5.000000e-01
  region.state @v : f64 = 5.000000e-01
  region.constant @rate : f64 = 1.000000e-01
  region.samples @data[3] : (f64, f64) = dense<[1.000000e+00, 3.000000e-01, -2.000000e+00]>, dense<[1.200000e+00, -7.000000e-01, 3.100000e+00]>
  pointwise.contribution @gradient(%w: f64) sample(%x: f64, %y: f64) -> (f64, observed "loss" : f64) {
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %g = arith.mulf %r, %x : f64
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: f64, %g: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %g : f64
    %w1 = arith.subf %w, %s : f64
    pointwise.return %w1
  }
  pointwise.update @vstep(%v: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %v : f64
    %w1 = arith.subf %v, %s : f64
    pointwise.return %w1
  }
  region.round {
    %w, %v, %rate = region.read @w, @v, @rate : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : f64
    %v1 = pointwise.apply @vstep(%v, %rate) : f64
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @m owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @v replicated
  shard.place @data by [1, 2]
  shard.round {
    %w, %v, %rate = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %rate) : !shard.replica<f64, +1>
    %v1 = shard.update @vstep(%v, %rate) : !shard.replica<f64, +1>
    shard.agree %w1, %v1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @m of @m group #protocol.group<universe = 2, epoch = 0, id = "6d", stride(0, 1, 2)> {
  protocol.repeat 3 {
    %w, %v, %w_1, %v_1, %rate, %0, %1 = protocol.local at stride(0, 1, 2) {
      %w_2 = shard.read @w : !shard.replica<f64, +0>
      %v_2 = shard.read @v : !shard.replica<f64, +0>
      %w_3, %v_3, %rate_1 = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
      %2, %3 = shard.contribute @gradient(%w_3) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
      protocol.yield %w_2, %v_2, %w_3, %v_3, %rate_1, %2, %3
    }
    %sum, %2 = protocol.reduce sum %0 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair agreeing %w, %v
    %sum_1 = protocol.replicate %sum along pair over stride(0, 1, 2) with %2
    %3 = protocol.reduce sum %1 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair
    protocol.local at role 0 (%4 = %sum) {
      protocol.yield
    }
    protocol.local at role 0 (%4 = %3) {
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    protocol.local at stride(0, 1, 2) (%sum_2 = %sum_1, %w_2 = %w_1, %rate_1 = %rate, %v_2 = %v_1) {
      %g = shard.mean %sum_2 : !shard.replica<f64, +0>
      %w1 = shard.update @step(%w_2, %g, %rate_1) : !shard.replica<f64, +1>
      %v1 = shard.update @vstep(%v_2, %rate_1) : !shard.replica<f64, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  %w_2, %v_2 = protocol.local at stride(0, 1, 2) {
    %4, %5 = shard.read @w, @v : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    protocol.yield %4, %5
  }
  protocol.agree %w_2, %v_2 along pair
  protocol.publish at stride(0, 1, 2)
}

// -----

region.learner @m attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
  region.state @w : f64 = 5.000000e-01
  region.state @v : f64 = 5.000000e-01
  region.constant @rate : f64 = 1.000000e-01
  region.samples @data[3] : (f64, f64) = dense<[1.000000e+00, 3.000000e-01, -2.000000e+00]>, dense<[1.200000e+00, -7.000000e-01, 3.100000e+00]>
  pointwise.contribution @gradient(%w: f64) sample(%x: f64, %y: f64) -> (f64, observed "loss" : f64) {
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %g = arith.mulf %r, %x : f64
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: f64, %g: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %g : f64
    %w1 = arith.subf %w, %s : f64
    pointwise.return %w1
  }
  pointwise.update @vstep(%v: f64, %rate: f64) -> (f64) {
    %s = arith.mulf %rate, %v : f64
    %w1 = arith.subf %v, %s : f64
    pointwise.return %w1
  }
  region.round {
    %w, %v, %rate = region.read @w, @v, @rate : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : f64
    %v1 = pointwise.apply @vstep(%v, %rate) : f64
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @m owners #shard.owners<2, pair, samples = [1, 2]> {
  shard.place @w replicated
  shard.place @v replicated
  shard.place @data by [1, 2]
  shard.round {
    %w, %v, %rate = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g, %rate) : !shard.replica<f64, +1>
    %v1 = shard.update @vstep(%v, %rate) : !shard.replica<f64, +1>
    shard.agree %w1, %v1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @m of @m group #protocol.group<universe = 2, epoch = 0, id = "6d", stride(0, 1, 2)> {
  %x0, %x1 = protocol.local at stride(0, 1, 2) {
    %w = shard.read @w : !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    protocol.yield %0, %1
  }
  %y0 = protocol.reduce sum %x0 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair
  %y1 = protocol.reduce sum %x1 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair
  protocol.local at role 0 (%0 = %y0) {
    // expected-note@+1 {{it is observed here}}
    shard.observe "loss" %0 over @data
    protocol.yield
  }
  protocol.repeat 3 {
    %w, %v, %w_1, %v_1, %rate, %0, %1 = protocol.local at stride(0, 1, 2) {
      %w_2 = shard.read @w : !shard.replica<f64, +0>
      %v_2 = shard.read @v : !shard.replica<f64, +0>
      %w_3, %v_3, %rate_1 = shard.read @w, @v, @rate : !shard.replica<f64, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
      %2, %3 = shard.contribute @gradient(%w_3) over @data by [1, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
      protocol.yield %w_2, %v_2, %w_3, %v_3, %rate_1, %2, %3
    }
    %sum, %2 = protocol.reduce sum %0 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair agreeing %w, %v
    %sum_1 = protocol.replicate %sum along pair over stride(0, 1, 2) with %2
    %3 = protocol.reduce sum %1 by [1, 2] contract #region.contract<groups = [1, 2], combine = left> along pair
    protocol.local at role 0 (%4 = %3) {
      // expected-error@+1 {{[region-identity] expected one observation "loss" of a version, found two}}
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    protocol.local at stride(0, 1, 2) (%sum_2 = %sum_1, %w_2 = %w_1, %rate_1 = %rate, %v_2 = %v_1) {
      %g = shard.mean %sum_2 : !shard.replica<f64, +0>
      %w1 = shard.update @step(%w_2, %g, %rate_1) : !shard.replica<f64, +1>
      %v1 = shard.update @vstep(%v_2, %rate_1) : !shard.replica<f64, +1>
      shard.advance @w = %w1, @v = %v1
    }
  }
  %w_2, %v_2 = protocol.local at stride(0, 1, 2) {
    %4, %5 = shard.read @w, @v : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    protocol.yield %4, %5
  }
  protocol.agree %w_2, %v_2 along pair
  protocol.publish at stride(0, 1, 2)
}
