// A perceptron of two layers, tensor-parallel: three owners share its units and no sum is split.
//
// The learner is that of examples/perceptron_pipeline.mlir and perceptron_mixed.mlir: 5 inputs, 6
// hidden units, 3 outputs, 8 samples, the activation of digits_perceptron.mlir. The distribution
// behind it is written by hand. The owners have 3, 2 and 1 hidden units: the rows of @w1 that lead
// to them and the columns of @w2 that lead on from them, and each one output. A round computes what
// the learner says in another order of loops: an owner computes its units for all samples, and its
// own gradients as sums over all samples. What crosses is the columns of @w2 turned into rows, the
// activations, and the errors; each is moved and never added. Each sum over units or samples is
// made by one owner from its first word to its last, so the bits are those of the learner.
//
// `alpha verify` proves it, for every input; the programs of the distribution are no part of the
// learner, whose digest is the same in all three files.

// Who has what: hidden units with the rows of @w1 and the columns of @w2, and outputs.
#units = #shard.map<[3, 2, 1]>
#outputs = #shard.map<[1, 1, 1]>
#columns = #shard.map<[repeat(3, 6, stride(0, 1, 3)), repeat(3, 6, stride(3, 1, 2)), stride(5, 6, 3)]>

!unit_weights = !shard.owned<tensor<6x5xf64>, rows<5, #units>, +0>
!unit_weights1 = !shard.owned<tensor<6x5xf64>, rows<5, #units>, +1>
!unit_biases = !shard.owned<tensor<6xf64>, #units, +0>
!unit_biases1 = !shard.owned<tensor<6xf64>, #units, +1>
!unit_values = !shard.owned<tensor<6x8xf64>, rows<8, #units>, +0>
!columns = !shard.owned<tensor<3x6xf64>, #columns, +0>
!columns1 = !shard.owned<tensor<3x6xf64>, #columns, +1>
!output_weights = !shard.owned<tensor<3x6xf64>, rows<6, #outputs>, +0>
!output_biases = !shard.owned<tensor<3xf64>, #outputs, +0>
!output_biases1 = !shard.owned<tensor<3xf64>, #outputs, +1>
!output_values = !shard.owned<tensor<3x8xf64>, rows<8, #outputs>, +0>

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

shard.learner @perceptron owners #shard.owners<3, star> {
  shard.place @w1 by rows<5, #units>
  shard.place @b1 by #units
  shard.place @w2 by #columns
  shard.place @b2 by #outputs
  shard.place @data replicated

  pointwise.update @hidden(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>, %x : tensor<8x5xf64>)
      -> (tensor<6x8xf64>, tensor<6x8xf64>) {
    %a = pointwise.fold add left over [j : 6, n : 8] along [i : 5] (%w = %w1[j, i], %xi = %x[n, i]) {
      %wx = arith.mulf %w, %xi : f64
      pointwise.yield %wx
    } : tensor<6x8xf64>
    %h, %s = pointwise.map over [j : 6, n : 8] (%aj = %a[j, n], %bj = %b1[j]) {
      %one = arith.constant 1.0 : f64
      %z = arith.addf %aj, %bj : f64
      %zz = arith.mulf %z, %z : f64
      %q = arith.addf %one, %zz : f64
      %root = math.sqrt %q : f64
      %sj = arith.divf %one, %root : f64
      %hj = arith.mulf %z, %sj : f64
      pointwise.yield %hj, %sj
    } : tensor<6x8xf64>, tensor<6x8xf64>
    pointwise.return %h, %s
  }

  pointwise.update @errors(%w2 : tensor<3x6xf64>, %b2 : tensor<3xf64>, %h : tensor<6x8xf64>,
      %y : tensor<8x3xf64>) -> (tensor<3x8xf64>) {
    %o = pointwise.fold add left over [k : 3, n : 8] along [j : 6] (%w = %w2[k, j], %hj = %h[j, n]) {
      %wh = arith.mulf %w, %hj : f64
      pointwise.yield %wh
    } : tensor<3x8xf64>
    %e = pointwise.map over [k : 3, n : 8] (%ok = %o[k, n], %bk = %b2[k], %yk = %y[n, k]) {
      %p = arith.addf %ok, %bk : f64
      %ek = arith.subf %p, %yk : f64
      pointwise.yield %ek
    } : tensor<3x8xf64>
    pointwise.return %e
  }

  pointwise.update @loss(%e : tensor<3x8xf64>) -> (f64) {
    %each = pointwise.fold add pairs over [n : 8] along [k : 3] (%ek = %e[k, n]) {
      %ee = arith.mulf %ek, %ek : f64
      pointwise.yield %ee
    } : tensor<8xf64>
    %total = pointwise.fold add left along [n : 8] (%l = %each[n]) {
      pointwise.yield %l
    } : f64
    pointwise.return %total
  }

  pointwise.update @step_hidden(%w1 : tensor<6x5xf64>, %b1 : tensor<6xf64>, %w2 : tensor<3x6xf64>,
      %e : tensor<3x8xf64>, %s : tensor<6x8xf64>, %x : tensor<8x5xf64>, %rate : f64)
      -> (tensor<6x5xf64>, tensor<6xf64>) {
    %back = pointwise.fold add left over [j : 6, n : 8] along [k : 3] (%w = %w2[k, j], %ek = %e[k, n]) {
      %we = arith.mulf %w, %ek : f64
      pointwise.yield %we
    } : tensor<6x8xf64>
    %d = pointwise.map over [j : 6, n : 8] (%bj = %back[j, n], %sj = %s[j, n]) {
      %s2 = arith.mulf %sj, %sj : f64
      %s3 = arith.mulf %s2, %sj : f64
      %dj = arith.mulf %bj, %s3 : f64
      pointwise.yield %dj
    } : tensor<6x8xf64>
    %g1 = pointwise.fold add left over [j : 6, i : 5] along [n : 8] (%dj = %d[j, n], %xi = %x[n, i]) {
      %dx = arith.mulf %dj, %xi : f64
      pointwise.yield %dx
    } : tensor<6x5xf64>
    %d1 = pointwise.fold add left over [j : 6] along [n : 8] (%dj = %d[j, n]) {
      pointwise.yield %dj
    } : tensor<6xf64>
    %new_w1 = pointwise.map over [j : 6, i : 5] (%w = %w1[j, i], %g = %g1[j, i], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %mean = arith.divf %g, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6x5xf64>
    %new_b1 = pointwise.map over [j : 6] (%w = %b1[j], %g = %d1[j], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %mean = arith.divf %g, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<6xf64>
    pointwise.return %new_w1, %new_b1
  }

  pointwise.update @step_output_weights(%w2 : tensor<3x6xf64>, %e : tensor<3x8xf64>,
      %h : tensor<6x8xf64>, %rate : f64) -> (tensor<3x6xf64>) {
    %g2 = pointwise.fold add left over [k : 3, j : 6] along [n : 8] (%ek = %e[k, n], %hj = %h[j, n]) {
      %eh = arith.mulf %ek, %hj : f64
      pointwise.yield %eh
    } : tensor<3x6xf64>
    %new_w2 = pointwise.map over [k : 3, j : 6] (%w = %w2[k, j], %g = %g2[k, j], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %mean = arith.divf %g, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3x6xf64>
    pointwise.return %new_w2
  }

  pointwise.update @step_output_biases(%b2 : tensor<3xf64>, %e : tensor<3x8xf64>, %rate : f64)
      -> (tensor<3xf64>) {
    %d2 = pointwise.fold add left over [k : 3] along [n : 8] (%ek = %e[k, n]) {
      pointwise.yield %ek
    } : tensor<3xf64>
    %new_b2 = pointwise.map over [k : 3] (%w = %b2[k], %g = %d2[k], %r = %rate) {
      %count = arith.constant 8.0 : f64
      %mean = arith.divf %g, %count : f64
      %step = arith.mulf %r, %mean : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<3xf64>
    pointwise.return %new_b2
  }

  shard.round {
    %w1, %b1, %w2, %b2 = shard.read @w1, @b1, @w2, @b2
      : !unit_weights, !unit_biases, !columns, !output_biases
    %rate = shard.read @rate : !shard.replica<f64, +0>
    %x, %y = shard.read @data : !shard.replica<tensor<8x5xf64>, +0>, !shard.replica<tensor<8x3xf64>, +0>

    // Forward: each owner its units for all samples; then all activations with every owner.
    %h, %s = shard.update @hidden(%w1, %b1, %x) : !unit_values, !unit_values
    %h_all = shard.replicate %h : !shard.replica<tensor<6x8xf64>, +0>

    // An output needs its whole row of weights: columns become rows.
    %w2_rows = shard.transfer %w2 to rows<6, #outputs> : !output_weights
    %e = shard.update @errors(%w2_rows, %b2, %h_all, %y) : !output_values
    shard.release %h_all
    %e_all = shard.replicate %e : !shard.replica<tensor<3x8xf64>, +0>
    %l = shard.update @loss(%e_all) : !shard.replica<f64, +0>
    shard.observe "loss" %l over @data

    // Backward: each owner the gradients of its own weights.
    %new_w1, %new_b1 = shard.update @step_hidden(%w1, %b1, %w2, %e_all, %s, %x, %rate)
      : !unit_weights1, !unit_biases1
    %new_w2 = shard.update @step_output_weights(%w2, %e_all, %h, %rate) : !columns1
    shard.release %e_all
    %new_b2 = shard.update @step_output_biases(%b2, %e, %rate) : !output_biases1
    shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2
  }
}
