// A perceptron of two layers, shared out in two ways at once, with every operation of the dialect.
//
// The learner is that of examples/perceptron_tensor_parallel.mlir; its contract has two groups, the
// five samples of owner 0 and the three of owner 1. The distribution behind it is written by hand.
// The first layer is data-parallel: an owner contributes its samples to the gradient of all of @w1,
// and each owner of rows gets the sums of these alone. The second layer is tensor-parallel: the
// owner of an output has its weights and computes its errors for all samples, from activations that
// were made where the samples are. @b1 is replicated and updated by both owners alike, who compare
// it; @b2 is replicated too, but each owner computes its own outputs' words, and they are
// assembled.
//
// `alpha verify` proves it, for every input; the programs of the distribution are no part of the
// learner, whose digest is the same in all three files.

// The first layer by hidden units, the second by outputs, the data by samples; labels are columns
// of outputs where they are used.
#units = #shard.map<[3, 3]>
#outputs = #shard.map<[2, 1]>
#samples = #shard.map<[5, 3]>
#labels = #shard.map<[repeat(8, 3, stride(0, 1, 2)), stride(2, 3, 8)]>
#contract = #region.contract<groups = [5, 3], combine = left>

!unit_weights = !shard.owned<tensor<6x5xf64>, rows<5, #units>, +0>
!unit_weights1 = !shard.owned<tensor<6x5xf64>, rows<5, #units>, +1>
!output_weights = !shard.owned<tensor<3x6xf64>, rows<6, #outputs>, +0>
!output_weights1 = !shard.owned<tensor<3x6xf64>, rows<6, #outputs>, +1>
!output_biases = !shard.owned<tensor<3xf64>, #outputs, +0>
!output_biases1 = !shard.owned<tensor<3xf64>, #outputs, +1>
!inputs = !shard.owned<tensor<8x5xf64>, rows<5, #samples>, +0>
!labels = !shard.owned<tensor<8x3xf64>, rows<3, #samples>, +0>
!labels_by_output = !shard.owned<tensor<8x3xf64>, #labels, +0>
!activations = !shard.owned<tensor<8x6xf64>, rows<6, #samples>, +0>

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
      contract #contract
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

shard.learner @perceptron owners #shard.owners<2, pair, samples = [5, 3]> {
  shard.place @w1 by rows<5, #units>
  shard.place @b1 replicated
  shard.place @w2 by rows<6, #outputs>
  shard.place @b2 replicated
  shard.place @data by #samples

  pointwise.contribution @first_layer(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>,
      %w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>) sample(%x : tensor<5xf64>, %y : tensor<3xf64>)
      -> (tensor<6x5xf64>, tensor<6xf64>, observed "loss" : f64) {
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
    pointwise.return %g1, %d, %l
  }

  pointwise.update @activations(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>, %x : tensor<8x5xf64>)
      -> (tensor<8x6xf64>) {
    %a = pointwise.fold add left over [n : 8, j : 6] along [i : 5] (%w = %w1[j, i], %xi = %x[n, i]) {
      %wx = arith.mulf %w, %xi : f64
      pointwise.yield %wx
    } : tensor<8x6xf64>
    %h = pointwise.map over [n : 8, j : 6] (%aj = %a[n, j], %bj = %b1[j]) {
      %one = arith.constant 1.0 : f64
      %z = arith.addf %aj, %bj : f64
      %zz = arith.mulf %z, %z : f64
      %q = arith.addf %one, %zz : f64
      %root = math.sqrt %q : f64
      %sj = arith.divf %one, %root : f64
      %hj = arith.mulf %z, %sj : f64
      pointwise.yield %hj
    } : tensor<8x6xf64>
    pointwise.return %h
  }

  pointwise.update @step_weights(%w1 : tensor<6x5xf64>, %g1 : tensor<6x5xf64>, %rate : f64)
      -> (tensor<6x5xf64>) {
    %new_w1 = pointwise.map over [j : 6, i : 5] (%w = %w1[j, i], %g = %g1[j, i], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6x5xf64>
    pointwise.return %new_w1
  }

  pointwise.update @step_biases(%b1 : tensor<6xf64>, %d1 : tensor<6xf64>, %rate : f64)
      -> (tensor<6xf64>) {
    %new_b1 = pointwise.map over [j : 6] (%w = %b1[j], %g = %d1[j], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6xf64>
    pointwise.return %new_b1
  }

  // Sums over samples are made as the contract says: group 0, group 1, and the one to the other.
  pointwise.update @step_outputs(%w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>, %h : tensor<8x6xf64>,
      %y : tensor<8x3xf64>, %rate : f64) -> (tensor<3x6xf64>, tensor<3xf64>) {
    %o = pointwise.fold add left over [k : 3, n : 8] along [j : 6] (%w = %w2[k, j], %hj = %h[n, j]) {
      %wh = arith.mulf %w, %hj : f64
      pointwise.yield %wh
    } : tensor<3x8xf64>
    %e = pointwise.map over [k : 3, n : 8] (%ok = %o[k, n], %bk = %b2[k], %yk = %y[n, k]) {
      %p = arith.addf %ok, %bk : f64
      %ek = arith.subf %p, %yk : f64
      pointwise.yield %ek
    } : tensor<3x8xf64>
    %g0 = pointwise.fold add left over [k : 3, j : 6] along [n : 5] (%ek = %e[k, n], %hj = %h[n, j]) {
      %eh = arith.mulf %ek, %hj : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %g1 = pointwise.fold add left over [k : 3, j : 6] along [n : 3] (%ek = %e[k, n + 5], %hj = %h[n + 5, j]) {
      %eh = arith.mulf %ek, %hj : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %c0 = pointwise.fold add left over [k : 3] along [n : 5] (%ek = %e[k, n]) {
      pointwise.yield %ek
    } : tensor<3xf64>
    %c1 = pointwise.fold add left over [k : 3] along [n : 3] (%ek = %e[k, n + 5]) {
      pointwise.yield %ek
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
    %w1, %b1 = shard.read @w1, @b1 : !unit_weights, !shard.replica<tensor<6xf64>, +0>
    %w2, %b2 = shard.read @w2, @b2 : !output_weights, !shard.replica<tensor<3xf64>, +0>
    %rate = shard.read @rate : !shard.replica<f64, +0>
    %x, %y = shard.read @data : !inputs, !labels

    // Each owner its samples: their part of the first layer's gradient, and their activations.
    %w1_all = shard.replicate %w1 : !shard.replica<tensor<6x5xf64>, +0>
    %w2_all = shard.replicate %w2 : !shard.replica<tensor<3x6xf64>, +0>
    %c1, %t1, %l = shard.contribute @first_layer(%w1_all, %b1, %w2_all, %b2) over @data by #samples
      : !shard.contribution<tensor<6x5xf64>, @data, +0>,
        !shard.contribution<tensor<6xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
    shard.release %w2_all
    %h = shard.update @activations(%w1_all, %b1, %x) : !activations
    shard.release %w1_all

    // The first layer: sums to those who have the rows, sums to all, and the loss to role 0.
    %s1 = shard.combine sum %c1 contract #contract deliver owners rows<5, #units>
      : !shard.total<tensor<6x5xf64>, @data, owners rows<5, #units>, +0>
    %g1 = shard.mean %s1 : !unit_weights
    %new_w1 = shard.update @step_weights(%w1, %g1, %rate) : !unit_weights1
    %u1 = shard.combine sum %t1 contract #contract deliver all
      : !shard.total<tensor<6xf64>, @data, all, +0>
    %d1 = shard.mean %u1 : !shard.replica<tensor<6xf64>, +0>
    %new_b1 = shard.update @step_biases(%b1, %d1, %rate) : !shard.replica<tensor<6xf64>, +1>
    %loss = shard.combine sum %l contract #contract deliver role 0
      : !shard.total<f64, @data, role 0, +0>
    shard.observe "loss" %loss over @data

    // The second layer: each owner its outputs, for all samples.
    %h_all = shard.replicate %h : !shard.replica<tensor<8x6xf64>, +0>
    %labels = shard.transfer %y to #labels : !labels_by_output
    %b2_own = shard.partition %b2 by #outputs : !output_biases
    %new_w2, %new_b2_own = shard.update @step_outputs(%w2, %b2_own, %h_all, %labels, %rate)
      : !output_weights1, !output_biases1
    shard.release %h_all
    %new_b2 = shard.combine select %new_b2_own deliver all : !shard.replica<tensor<3xf64>, +1>

    shard.agree %new_b1
    shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2
  }
}
