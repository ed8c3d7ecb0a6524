// RUN: alpha-opt %s --split-input-file --check-protocol --project-role --check-schedules -o %t
// RUN: filecheck %s < %t

// A role that isn't told of a choice, since its arms are the same for it, has what all arms make.

// CHECK-LABEL: protocol.role @common role 0
// CHECK-LABEL: protocol.role @value role 0
// CHECK-LABEL: protocol.role @value role 2
// CHECK-NOT: protocol.choice
// CHECK: shard.advance
// CHECK-LABEL: protocol.role @advance role 2
// CHECK-NOT: protocol.choice
// CHECK: shard.advance

protocol.global @common group #protocol.group<universe = 4, epoch = 0, id = "67", stride(0, 1, 4)> {
  %x, %s, %g = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 0 : i64
    %b = arith.constant 1 : i64
    %c = arith.constant 2.0 : f64
    protocol.yield %a, %b, %c
  }
  %z = protocol.choice %s {
    %t = protocol.transfer %g from 2 to 1
    protocol.yield %x
  } {
    protocol.yield %x
  }
  protocol.choice %z {
    %t = protocol.transfer %g from 2 to 3
    protocol.yield
  } {
    protocol.yield
  }
}

// -----

region.learner @m attributes {owners = #shard.owners<3, star, samples = [1, 2, 1]>} {
  region.state @w : tensor<3xf64> = dense<[5.000000e-01, -2.500000e-01, 1.000000e+00]>
  region.state @q : f64 = 1.000000e+00
  region.constant @rate : f64 = 1.000000e-01
  region.samples @data[4] : (tensor<3xf64>, f64) = dense<[[1.000000e+00, -5.000000e-01, 2.500000e-01], [3.000000e-01, 1.700000e+00, -1.100000e+00], [-2.000000e+00, 4.000000e-01, 9.000000e-01], [1.000000e-01, 2.000000e-01, 3.000000e-01]]>, dense<[1.200000e+00, -7.000000e-01, 3.100000e+00, 4.500000e-01]>
  pointwise.contribution @gradient(%w: tensor<3xf64>) sample(%x: tensor<3xf64>, %y: f64) -> (tensor<3xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left along [i : 3] (%a = %w[i], %b = %x[i]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 3] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<3xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: tensor<3xf64>, %q: f64, %g: tensor<3xf64>, %rate: f64) -> (tensor<3xf64>, f64) {
    %w1 = pointwise.map over [i : 3] (%wi = %w[i], %gi = %g[i], %r = %rate, %qq = %q) {
      %s = arith.mulf %r, %gi : f64
      %s2 = arith.mulf %s, %qq : f64
      %wi1 = arith.subf %wi, %s2 : f64
      pointwise.yield %wi1
    } : tensor<3xf64>
    %c = arith.constant 9.000000e-01 : f64
    %q1 = arith.mulf %q, %c : f64
    pointwise.return %w1, %q1
  }
  region.round {
    %w, %q, %rate = region.read @w, @q, @rate : tensor<3xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1, %q1 = pointwise.apply @step(%w, %q, %g, %rate) : tensor<3xf64>, f64
    region.advance @w = %w1, @q = %q1
  }
}
shard.learner @m owners #shard.owners<3, star, samples = [1, 2, 1]> {
  shard.place @w replicated
  shard.place @q replicated
  shard.place @data by [1, 2, 1]
  shard.round {
    %w, %q, %rate = shard.read @w, @q, @rate : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2, 1] : !shard.contribution<tensor<3xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2, 1], combine = left> deliver all : !shard.total<tensor<3xf64>, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<tensor<3xf64>, +0>
    %w1, %q1 = shard.update @step(%w, %q, %g, %rate) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
    shard.agree %w1, %q1
    shard.advance @w = %w1, @q = %q1
  }
}
protocol.global @value of @m group #protocol.group<universe = 3, epoch = 0, id = "6d", stride(0, 1, 3)> {
  protocol.repeat 3 {
    %w, %q, %w_1, %q_1, %rate, %0, %1 = protocol.local at stride(0, 1, 3) {
      %w_2 = shard.read @w : !shard.replica<tensor<3xf64>, +0>
      %q_2 = shard.read @q : !shard.replica<f64, +0>
      %w_3, %q_3, %rate_1 = shard.read @w, @q, @rate : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
      %2, %3 = shard.contribute @gradient(%w_3) over @data by [1, 2, 1] : !shard.contribution<tensor<3xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
      protocol.yield %w_2, %q_2, %w_3, %q_3, %rate_1, %2, %3
    }
    %sum, %2 = protocol.reduce sum %0 by [1, 2, 1] contract #region.contract<groups = [1, 2, 1], combine = left> along star agreeing %w, %q
    %sum_1 = protocol.replicate %sum along star over stride(0, 1, 3) with %2
    %3 = protocol.reduce sum %1 by [1, 2, 1] contract #region.contract<groups = [1, 2, 1], combine = left> along star
    protocol.local at role 0 (%4 = %3) {
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    %sel, %num = protocol.local at role 0 {
      %a = arith.constant 0 : i64
      %f = arith.constant 1.500000e+00 : f64
      protocol.yield %a, %f
    }
    %m1, %m2 = protocol.choice %sel by 0 along [0 -> 1] {
      %xx = protocol.transfer %num from 0 to 1
      %n1, %n2 = protocol.local at stride(0, 1, 3) (%sum_2 = %sum_1, %w_2 = %w_1, %q_2 = %q_1, %rate_1 = %rate) {
        %g = shard.mean %sum_2 : !shard.replica<tensor<3xf64>, +0>
        %w1, %q1 = shard.update @step(%w_2, %q_2, %g, %rate_1) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
        protocol.yield %w1, %q1
      }
      protocol.yield %n1, %n2
    } {
      %n1_1, %n2_1 = protocol.local at stride(0, 1, 3) (%sum_2 = %sum_1, %w_2 = %w_1, %q_2 = %q_1, %rate_1 = %rate) {
        %g = shard.mean %sum_2 : !shard.replica<tensor<3xf64>, +0>
        %w1, %q1 = shard.update @step(%w_2, %q_2, %g, %rate_1) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
        protocol.yield %w1, %q1
      }
      protocol.yield %n1_1, %n2_1
    }
    protocol.local at stride(0, 1, 3) (%m1_1 = %m1, %m2_1 = %m2) {
      shard.advance @w = %m1_1, @q = %m2_1
    }
  }
  %w_2, %q_2 = protocol.local at stride(0, 1, 3) {
    %4, %5 = shard.read @w, @q : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>
    protocol.yield %4, %5
  }
  protocol.agree %w_2, %q_2 along star
  protocol.publish at stride(0, 1, 3)
}

// -----

region.learner @m attributes {owners = #shard.owners<3, star, samples = [1, 2, 1]>} {
  region.state @w : tensor<3xf64> = dense<[5.000000e-01, -2.500000e-01, 1.000000e+00]>
  region.state @q : f64 = 1.000000e+00
  region.constant @rate : f64 = 1.000000e-01
  region.samples @data[4] : (tensor<3xf64>, f64) = dense<[[1.000000e+00, -5.000000e-01, 2.500000e-01], [3.000000e-01, 1.700000e+00, -1.100000e+00], [-2.000000e+00, 4.000000e-01, 9.000000e-01], [1.000000e-01, 2.000000e-01, 3.000000e-01]]>, dense<[1.200000e+00, -7.000000e-01, 3.100000e+00, 4.500000e-01]>
  pointwise.contribution @gradient(%w: tensor<3xf64>) sample(%x: tensor<3xf64>, %y: f64) -> (tensor<3xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left along [i : 3] (%a = %w[i], %b = %x[i]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : 3] (%xi = %x[i], %ri = %r) {
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    } : tensor<3xf64>
    %l = arith.mulf %r, %r : f64
    pointwise.return %g, %l
  }
  pointwise.update @step(%w: tensor<3xf64>, %q: f64, %g: tensor<3xf64>, %rate: f64) -> (tensor<3xf64>, f64) {
    %w1 = pointwise.map over [i : 3] (%wi = %w[i], %gi = %g[i], %r = %rate, %qq = %q) {
      %s = arith.mulf %r, %gi : f64
      %s2 = arith.mulf %s, %qq : f64
      %wi1 = arith.subf %wi, %s2 : f64
      pointwise.yield %wi1
    } : tensor<3xf64>
    %c = arith.constant 9.000000e-01 : f64
    %q1 = arith.mulf %q, %c : f64
    pointwise.return %w1, %q1
  }
  region.round {
    %w, %q, %rate = region.read @w, @q, @rate : tensor<3xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1, %q1 = pointwise.apply @step(%w, %q, %g, %rate) : tensor<3xf64>, f64
    region.advance @w = %w1, @q = %q1
  }
}
shard.learner @m owners #shard.owners<3, star, samples = [1, 2, 1]> {
  shard.place @w replicated
  shard.place @q replicated
  shard.place @data by [1, 2, 1]
  shard.round {
    %w, %q, %rate = shard.read @w, @q, @rate : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2, 1] : !shard.contribution<tensor<3xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2, 1], combine = left> deliver all : !shard.total<tensor<3xf64>, @data, all, +0>
    %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %2 over @data
    %g = shard.mean %sum : !shard.replica<tensor<3xf64>, +0>
    %w1, %q1 = shard.update @step(%w, %q, %g, %rate) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
    shard.agree %w1, %q1
    shard.advance @w = %w1, @q = %q1
  }
}
protocol.global @advance of @m group #protocol.group<universe = 3, epoch = 0, id = "6d", stride(0, 1, 3)> {
  protocol.repeat 3 {
    %w, %q, %w_1, %q_1, %rate, %0, %1 = protocol.local at stride(0, 1, 3) {
      %w_2 = shard.read @w : !shard.replica<tensor<3xf64>, +0>
      %q_2 = shard.read @q : !shard.replica<f64, +0>
      %w_3, %q_3, %rate_1 = shard.read @w, @q, @rate : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
      %2, %3 = shard.contribute @gradient(%w_3) over @data by [1, 2, 1] : !shard.contribution<tensor<3xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
      protocol.yield %w_2, %q_2, %w_3, %q_3, %rate_1, %2, %3
    }
    %sum, %2 = protocol.reduce sum %0 by [1, 2, 1] contract #region.contract<groups = [1, 2, 1], combine = left> along star agreeing %w, %q
    %sum_1 = protocol.replicate %sum along star over stride(0, 1, 3) with %2
    %3 = protocol.reduce sum %1 by [1, 2, 1] contract #region.contract<groups = [1, 2, 1], combine = left> along star
    protocol.local at role 0 (%4 = %3) {
      shard.observe "loss" %4 over @data
      protocol.yield
    }
    %sel, %num = protocol.local at role 0 {
      %a = arith.constant 0 : i64
      %f = arith.constant 1.500000e+00 : f64
      protocol.yield %a, %f
    }
    protocol.choice %sel by 0 along [0 -> 1] {
      %xx = protocol.transfer %num from 0 to 1
      protocol.local at stride(0, 1, 3) (%sum_2 = %sum_1, %w_2 = %w_1, %q_2 = %q_1, %rate_1 = %rate) {
        %g = shard.mean %sum_2 : !shard.replica<tensor<3xf64>, +0>
        %w1, %q1 = shard.update @step(%w_2, %q_2, %g, %rate_1) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
        shard.advance @w = %w1, @q = %q1
      }
      protocol.yield
    } {
      protocol.local at stride(0, 1, 3) (%sum_2 = %sum_1, %w_2 = %w_1, %q_2 = %q_1, %rate_1 = %rate) {
        %g = shard.mean %sum_2 : !shard.replica<tensor<3xf64>, +0>
        %w1, %q1 = shard.update @step(%w_2, %q_2, %g, %rate_1) : !shard.replica<tensor<3xf64>, +1>, !shard.replica<f64, +1>
        shard.advance @w = %w1, @q = %q1
      }
      protocol.yield
    }
  }
  %w_2, %q_2 = protocol.local at stride(0, 1, 3) {
    %4, %5 = shard.read @w, @q : !shard.replica<tensor<3xf64>, +0>, !shard.replica<f64, +0>
    protocol.yield %4, %5
  }
  protocol.agree %w_2, %q_2 along star
  protocol.publish at stride(0, 1, 3)
}
