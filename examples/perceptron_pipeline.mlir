// A perceptron of two layers, pipeline-parallel: one owner a layer, and two micro-batches.
//
// The learner is that of examples/perceptron_tensor_parallel.mlir; its contract declares the two
// micro-batches as groups of four samples, so that gradients are summed within each and then added.
// The distribution behind it is written by hand. Owner 0 has the first layer and the samples, owner
// 1 the second layer; what one has, the other has not, which the maps say by sizes of 0.
// Activations move forward from owner 0 to owner 1, error signals move backward, and no weight
// moves at all. The order in which operations stand is a schedule that works: owner 0 is at its
// second micro-batch while owner 1 is at its first. Another order of the same dataflow gives the
// same bits.
//
// `alpha verify` proves it, for every input; the programs of the distribution are no part of the
// learner, whose digest is the same in all three files.

// One micro-batch of inputs, activations and labels: of the first layer, and of the second.
!inputs = !shard.owned<tensor<4x5xf64>, [20, 0], +0>
!units = !shard.owned<tensor<4x6xf64>, [24, 0], +0>
!units_sent = !shard.owned<tensor<4x6xf64>, [0, 24], +0>
!labels = !shard.owned<tensor<4x3xf64>, [0, 12], +0>

region.learner @perceptron {
  region.state @w1 : tensor<6x5xf64> = dense<[
    [0.14, 0.35, -0.22, -0.54, 0.01], [-0.03, 0.7, 0.37, 0.1, 0.56],
    [-0.1, -0.46, 0.29, 0.29, -0.11], [-0.39, 0.11, -1.25, 0.35, 0.25],
    [-0.82, 0.03, -0.48, 0.38, -1.02], [-0.46, 0.35, 0.58, -1.08, -0.25]]>
  region.state @b1 : tensor<6xf64> = dense<0.0>
  region.state @w2 : tensor<3x6xf64> = dense<[
    [0.16, -0.3, 0.8, -0.6, 0.18, -0.52], [0.7, -0.01, -0.19, -0.86, 0.84, 0.38],
    [0.38, 0.57, 0.17, -0.32, -0.4, -0.4]]>
  region.state @b2 : tensor<3xf64> = dense<0.0>
  region.constant @rate : f64 = 0.3
  region.samples @data[8] : (tensor<5xf64>, tensor<3xf64>) = dense<[
    [2.0, -2.6, 0.4, -0.6, -0.5], [-0.2, -2.0, -0.2, -0.9, 3.3], [0.2, -0.4, -0.3, -0.7, -1.1],
    [-0.4, 0.5, -0.2, 1.0, -0.2], [0.0, 1.5, 0.5, -0.5, -0.2], [0.5, 1.9, -0.3, -0.2, 1.0],
    [-0.9, -0.3, 0.9, 0.6, 0.1], [0.7, -2.8, 1.0, -1.0, -1.7]]>, dense<[
    [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0],
    [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]]>

  pointwise.contribution @backpropagate(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>,
      %w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>) sample(%x : tensor<5xf64>, %y : tensor<3xf64>)
      -> (tensor<6x5xf64>, tensor<6xf64>, tensor<3x6xf64>, tensor<3xf64>, observed "loss" : f64) {
    %a = pointwise.fold add left over [j : 6] along [i : 5] (%w = %w1[j, i], %xi = %x[i]) {
      %wx = arith.mulf %w, %xi : f64
      pointwise.yield %wx
    } : tensor<6xf64>
    %h, %s = pointwise.map over [j : 6] (%aj = %a[j], %bj = %b1[j]) {
      %one = arith.constant 1.0 : f64
      %z = arith.addf %aj, %bj : f64
      %zz = arith.mulf %z, %z : f64
      %q = arith.addf %one, %zz : f64
      %root = math.sqrt %q : f64
      %sj = arith.divf %one, %root : f64
      %hj = arith.mulf %z, %sj : f64
      pointwise.yield %hj, %sj
    } : tensor<6xf64>, tensor<6xf64>
    %o = pointwise.fold add left over [k : 3] along [j : 6] (%w = %w2[k, j], %hj = %h[j]) {
      %wh = arith.mulf %w, %hj : f64
      pointwise.yield %wh
    } : tensor<3xf64>
    %e = pointwise.map over [k : 3] (%ok = %o[k], %bk = %b2[k], %yk = %y[k]) {
      %p = arith.addf %ok, %bk : f64
      %ek = arith.subf %p, %yk : f64
      pointwise.yield %ek
    } : tensor<3xf64>
    %g2 = pointwise.map over [k : 3, j : 6] (%ek = %e[k], %hj = %h[j]) {
      %eh = arith.mulf %ek, %hj : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %back = pointwise.fold add left over [j : 6] along [k : 3] (%w = %w2[k, j], %ek = %e[k]) {
      %we = arith.mulf %w, %ek : f64
      pointwise.yield %we
    } : tensor<6xf64>
    %d = pointwise.map over [j : 6] (%bj = %back[j], %sj = %s[j]) {
      %s2 = arith.mulf %sj, %sj : f64
      %s3 = arith.mulf %s2, %sj : f64
      %dj = arith.mulf %bj, %s3 : f64
      pointwise.yield %dj
    } : tensor<6xf64>
    %g1 = pointwise.map over [j : 6, i : 5] (%dj = %d[j], %xi = %x[i]) {
      %dx = arith.mulf %dj, %xi : f64
      pointwise.yield %dx
    } : tensor<6x5xf64>
    %l = pointwise.fold add pairs along [k : 3] (%ek = %e[k]) {
      %ee = arith.mulf %ek, %ek : f64
      pointwise.yield %ee
    } : f64
    pointwise.return %g1, %d, %g2, %e, %l
  }

  pointwise.update @plain_step(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>, %w2 : tensor<3x6xf64>,
      %b2 : tensor<3xf64>, %g1 : tensor<6x5xf64>, %d1 : tensor<6xf64>, %g2 : tensor<3x6xf64>,
      %d2 : tensor<3xf64>, %rate : f64)
      -> (tensor<6x5xf64>, tensor<6xf64>, tensor<3x6xf64>, tensor<3xf64>) {
    %new_w1 = pointwise.map over [j : 6, i : 5] (%w = %w1[j, i], %g = %g1[j, i], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6x5xf64>
    %new_b1 = pointwise.map over [j : 6] (%w = %b1[j], %g = %d1[j], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6xf64>
    %new_w2 = pointwise.map over [k : 3, j : 6] (%w = %w2[k, j], %g = %g2[k, j], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3x6xf64>
    %new_b2 = pointwise.map over [k : 3] (%w = %b2[k], %g = %d2[k], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3xf64>
    pointwise.return %new_w1, %new_b1, %new_w2, %new_b2
  }

  region.round {
    %w1, %b1, %w2, %b2 = region.read @w1, @b1, @w2, @b2
      : tensor<6x5xf64>, tensor<6xf64>, tensor<3x6xf64>, tensor<3xf64>
    %rate = region.read @rate : f64
    %s1, %t1, %s2, %t2, %count = pointwise.sum @backpropagate(%w1, %b1, %w2, %b2) over @data
      contract #region.contract<groups = [4, 4], combine = left>
      : tensor<6x5xf64>, tensor<6xf64>, tensor<3x6xf64>, tensor<3xf64>
    %g1 = pointwise.mean %s1, %count
    %d1 = pointwise.mean %t1, %count
    %g2 = pointwise.mean %s2, %count
    %d2 = pointwise.mean %t2, %count
    %new_w1, %new_b1, %new_w2, %new_b2
      = pointwise.apply @plain_step(%w1, %b1, %w2, %b2, %g1, %d1, %g2, %d2, %rate)
      : tensor<6x5xf64>, tensor<6xf64>, tensor<3x6xf64>, tensor<3xf64>
    region.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2
  }
}

shard.learner @perceptron owners #shard.owners<2, pair> {
  shard.place @w1 by [30, 0]
  shard.place @b1 by [6, 0]
  shard.place @w2 by [0, 18]
  shard.place @b2 by [0, 3]
  shard.place @data by [8, 0]

  pointwise.update @micro_batches(%x : tensor<8x5xf64>) -> (tensor<4x5xf64>, tensor<4x5xf64>) {
    %0 = pointwise.map over [n : 4, i : 5] (%xi = %x[n, i]) {
      pointwise.yield %xi
    } : tensor<4x5xf64>
    %1 = pointwise.map over [n : 4, i : 5] (%xi = %x[n + 4, i]) {
      pointwise.yield %xi
    } : tensor<4x5xf64>
    pointwise.return %0, %1
  }

  pointwise.update @micro_batches_of_labels(%y : tensor<8x3xf64>)
      -> (tensor<4x3xf64>, tensor<4x3xf64>) {
    %0 = pointwise.map over [n : 4, k : 3] (%yk = %y[n, k]) {
      pointwise.yield %yk
    } : tensor<4x3xf64>
    %1 = pointwise.map over [n : 4, k : 3] (%yk = %y[n + 4, k]) {
      pointwise.yield %yk
    } : tensor<4x3xf64>
    pointwise.return %0, %1
  }

  pointwise.update @forward(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>, %x : tensor<4x5xf64>)
      -> (tensor<4x6xf64>, tensor<4x6xf64>) {
    %a = pointwise.fold add left over [n : 4, j : 6] along [i : 5] (%w = %w1[j, i], %xi = %x[n, i]) {
      %wx = arith.mulf %w, %xi : f64
      pointwise.yield %wx
    } : tensor<4x6xf64>
    %h, %s = pointwise.map over [n : 4, j : 6] (%aj = %a[n, j], %bj = %b1[j]) {
      %one = arith.constant 1.0 : f64
      %z = arith.addf %aj, %bj : f64
      %zz = arith.mulf %z, %z : f64
      %q = arith.addf %one, %zz : f64
      %root = math.sqrt %q : f64
      %sj = arith.divf %one, %root : f64
      %hj = arith.mulf %z, %sj : f64
      pointwise.yield %hj, %sj
    } : tensor<4x6xf64>, tensor<4x6xf64>
    pointwise.return %h, %s
  }

  pointwise.update @errors(%w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>, %h : tensor<4x6xf64>,
      %y : tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<4x6xf64>, f64) {
    %o = pointwise.fold add left over [n : 4, k : 3] along [j : 6] (%w = %w2[k, j], %hj = %h[n, j]) {
      %wh = arith.mulf %w, %hj : f64
      pointwise.yield %wh
    } : tensor<4x3xf64>
    %e = pointwise.map over [n : 4, k : 3] (%ok = %o[n, k], %bk = %b2[k], %yk = %y[n, k]) {
      %p = arith.addf %ok, %bk : f64
      %ek = arith.subf %p, %yk : f64
      pointwise.yield %ek
    } : tensor<4x3xf64>
    %back = pointwise.fold add left over [n : 4, j : 6] along [k : 3] (%w = %w2[k, j], %ek = %e[n, k]) {
      %we = arith.mulf %w, %ek : f64
      pointwise.yield %we
    } : tensor<4x6xf64>
    %each = pointwise.fold add pairs over [n : 4] along [k : 3] (%ek = %e[n, k]) {
      %ee = arith.mulf %ek, %ek : f64
      pointwise.yield %ee
    } : tensor<4xf64>
    %loss = pointwise.fold add left along [n : 4] (%l = %each[n]) {
      pointwise.yield %l
    } : f64
    pointwise.return %e, %back, %loss
  }

  pointwise.update @add(%a : f64, %b : f64) -> (f64) {
    %ab = arith.addf %a, %b : f64
    pointwise.return %ab
  }

  pointwise.update @step_first(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>,
      %back0 : tensor<4x6xf64>, %s0 : tensor<4x6xf64>, %x0 : tensor<4x5xf64>,
      %back1 : tensor<4x6xf64>, %s1 : tensor<4x6xf64>, %x1 : tensor<4x5xf64>, %rate : f64)
      -> (tensor<6x5xf64>, tensor<6xf64>) {
    %d0, %d1 = pointwise.map over [n : 4, j : 6] (%f0 = %back0[n, j], %t0 = %s0[n, j],
        %f1 = %back1[n, j], %t1 = %s1[n, j]) {
      %t0_2 = arith.mulf %t0, %t0 : f64
      %t0_3 = arith.mulf %t0_2, %t0 : f64
      %e0 = arith.mulf %f0, %t0_3 : f64
      %t1_2 = arith.mulf %t1, %t1 : f64
      %t1_3 = arith.mulf %t1_2, %t1 : f64
      %e1 = arith.mulf %f1, %t1_3 : f64
      pointwise.yield %e0, %e1
    } : tensor<4x6xf64>, tensor<4x6xf64>
    %g0 = pointwise.fold add left over [j : 6, i : 5] along [n : 4] (%d = %d0[n, j], %xi = %x0[n, i]) {
      %dx = arith.mulf %d, %xi : f64
      pointwise.yield %dx
    } : tensor<6x5xf64>
    %g1 = pointwise.fold add left over [j : 6, i : 5] along [n : 4] (%d = %d1[n, j], %xi = %x1[n, i]) {
      %dx = arith.mulf %d, %xi : f64
      pointwise.yield %dx
    } : tensor<6x5xf64>
    %c0 = pointwise.fold add left over [j : 6] along [n : 4] (%d = %d0[n, j]) {
      pointwise.yield %d
    } : tensor<6xf64>
    %c1 = pointwise.fold add left over [j : 6] along [n : 4] (%d = %d1[n, j]) {
      pointwise.yield %d
    } : tensor<6xf64>
    %new_w1 = pointwise.map over [j : 6, i : 5] (%w = %w1[j, i], %a = %g0[j, i], %b = %g1[j, i], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %sum = arith.addf %a, %b : f64
      %mean = arith.divf %sum, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6x5xf64>
    %new_b1 = pointwise.map over [j : 6] (%w = %b1[j], %a = %c0[j], %b = %c1[j], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %sum = arith.addf %a, %b : f64
      %mean = arith.divf %sum, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6xf64>
    pointwise.return %new_w1, %new_b1
  }

  pointwise.update @step_second(%w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>,
      %e0 : tensor<4x3xf64>, %h0 : tensor<4x6xf64>, %e1 : tensor<4x3xf64>, %h1 : tensor<4x6xf64>,
      %rate : f64) -> (tensor<3x6xf64>, tensor<3xf64>) {
    %g0 = pointwise.fold add left over [k : 3, j : 6] along [n : 4] (%e = %e0[n, k], %h = %h0[n, j]) {
      %eh = arith.mulf %e, %h : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %g1 = pointwise.fold add left over [k : 3, j : 6] along [n : 4] (%e = %e1[n, k], %h = %h1[n, j]) {
      %eh = arith.mulf %e, %h : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %c0 = pointwise.fold add left over [k : 3] along [n : 4] (%e = %e0[n, k]) {
      pointwise.yield %e
    } : tensor<3xf64>
    %c1 = pointwise.fold add left over [k : 3] along [n : 4] (%e = %e1[n, k]) {
      pointwise.yield %e
    } : tensor<3xf64>
    %new_w2 = pointwise.map over [k : 3, j : 6] (%w = %w2[k, j], %a = %g0[k, j], %b = %g1[k, j], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %sum = arith.addf %a, %b : f64
      %mean = arith.divf %sum, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3x6xf64>
    %new_b2 = pointwise.map over [k : 3] (%w = %b2[k], %a = %c0[k], %b = %c1[k], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %sum = arith.addf %a, %b : f64
      %mean = arith.divf %sum, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3xf64>
    pointwise.return %new_w2, %new_b2
  }

  shard.round {
    %w1, %b1 = shard.read @w1, @b1
      : !shard.owned<tensor<6x5xf64>, [30, 0], +0>, !shard.owned<tensor<6xf64>, [6, 0], +0>
    %w2, %b2 = shard.read @w2, @b2
      : !shard.owned<tensor<3x6xf64>, [0, 18], +0>, !shard.owned<tensor<3xf64>, [0, 3], +0>
    %rate = shard.read @rate : !shard.replica<f64, +0>
    %x, %y = shard.read @data
      : !shard.owned<tensor<8x5xf64>, rows<5, [8, 0]>, +0>, !shard.owned<tensor<8x3xf64>, rows<3, [8, 0]>, +0>
    %x0, %x1 = shard.update @micro_batches(%x) : !inputs, !inputs
    %labels = shard.transfer %y to [0, 24] : !shard.owned<tensor<8x3xf64>, [0, 24], +0>
    %y0, %y1 = shard.update @micro_batches_of_labels(%labels) : !labels, !labels

    // Forward: owner 0.
    %h0, %s0 = shard.update @forward(%w1, %b1, %x0) : !units, !units
    %a0 = shard.transfer %h0 to [0, 24] : !units_sent
    %h1, %s1 = shard.update @forward(%w1, %b1, %x1) : !units, !units
    %a1 = shard.transfer %h1 to [0, 24] : !units_sent

    // Forward and backward: owner 1.
    %e0, %f0, %l0 = shard.update @errors(%w2, %b2, %a0, %y0)
      : !labels, !units_sent, !shard.owned<f64, [0, 1], +0>
    %back0 = shard.transfer %f0 to [24, 0] : !units
    %e1, %f1, %l1 = shard.update @errors(%w2, %b2, %a1, %y1)
      : !labels, !units_sent, !shard.owned<f64, [0, 1], +0>
    %back1 = shard.transfer %f1 to [24, 0] : !units
    %l = shard.update @add(%l0, %l1) : !shard.owned<f64, [0, 1], +0>
    %loss = shard.transfer %l to [1, 0] : !shard.owned<f64, [1, 0], +0>
    shard.observe "loss" %loss over @data

    // Backward: both, each with its own layer.
    %new_w1, %new_b1 = shard.update @step_first(%w1, %b1, %back0, %s0, %x0, %back1, %s1, %x1, %rate)
      : !shard.owned<tensor<6x5xf64>, [30, 0], +1>, !shard.owned<tensor<6xf64>, [6, 0], +1>
    %new_w2, %new_b2 = shard.update @step_second(%w2, %b2, %e0, %a0, %e1, %a1, %rate)
      : !shard.owned<tensor<3x6xf64>, [0, 18], +1>, !shard.owned<tensor<3xf64>, [0, 3], +1>
    shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2
  }
}
