// A perceptron of two layers on handwritten digits, its backward pass written by hand.
//
// 300 images of 8 x 8 from scikit-learn's digits (data/make_data.py made the files), 16 hidden
// units, 10 outputs, squared error to a one-hot label, plain steps. The activation is
// h = z / sqrt(1 + z * z), whose derivative is s * s * s with s = 1 / sqrt(1 + z * z): exact
// operations alone, so the bits are the same everywhere. Four owners hold 120, 97, 83 and 0 images.

region.learner @digits_perceptron attributes {owners = #shard.owners<4, tree<2>, samples = [120, 97, 83, 0]>} {
  region.state @w1 : tensor<16x64xf64> from "data/digits_w1.npy"
  region.state @b1 : tensor<16xf64> = dense<0.0>
  region.state @w2 : tensor<10x16xf64> from "data/digits_w2.npy"
  region.state @b2 : tensor<10xf64> = dense<0.0>
  region.constant @rate : f64 = 0.1
  region.samples @digits[300] : (tensor<64xf64>, tensor<10xf64>) from "data/digits_x.npy", "data/digits_y.npy"

  pointwise.contribution @backpropagate(%w1 : tensor<16x64xf64>, %b1 : tensor<16xf64>,
      %w2 : tensor<10x16xf64>, %b2 : tensor<10xf64>) sample(%x : tensor<64xf64>, %y : tensor<10xf64>)
      -> (tensor<16x64xf64>, tensor<16xf64>, tensor<10x16xf64>, tensor<10xf64>, observed "loss" : f64) {
    %a = pointwise.fold add lanes<8> over [i : 16] along [j : 64] (%w = %w1[i, j], %xj = %x[j]) {
      %wx = arith.mulf %w, %xj : f64
      pointwise.yield %wx
    } : tensor<16xf64>
    %h, %s = pointwise.map over [i : 16] (%ai = %a[i], %bi = %b1[i]) {
      %one = arith.constant 1.0 : f64
      %z = arith.addf %ai, %bi : f64
      %zz = arith.mulf %z, %z : f64
      %q = arith.addf %one, %zz : f64
      %root = math.sqrt %q : f64
      %si = arith.divf %one, %root : f64
      %hi = arith.mulf %z, %si : f64
      pointwise.yield %hi, %si
    } : tensor<16xf64>, tensor<16xf64>
    %o = pointwise.fold add left over [i : 10] along [j : 16] (%w = %w2[i, j], %hj = %h[j]) {
      %wh = arith.mulf %w, %hj : f64
      pointwise.yield %wh
    } : tensor<10xf64>
    %e = pointwise.map over [i : 10] (%oi = %o[i], %bi = %b2[i], %yi = %y[i]) {
      %p = arith.addf %oi, %bi : f64
      %ei = arith.subf %p, %yi : f64
      pointwise.yield %ei
    } : tensor<10xf64>
    %g2 = pointwise.map over [i : 10, j : 16] (%ei = %e[i], %hj = %h[j]) {
      %eh = arith.mulf %ei, %hj : f64
      pointwise.yield %eh
    } : tensor<10x16xf64>
    %back = pointwise.fold add left over [j : 16] along [i : 10] (%w = %w2[i, j], %ei = %e[i]) {
      %we = arith.mulf %w, %ei : f64
      pointwise.yield %we
    } : tensor<16xf64>
    %d = pointwise.map over [i : 16] (%bi = %back[i], %si = %s[i]) {
      %s2 = arith.mulf %si, %si : f64
      %s3 = arith.mulf %s2, %si : f64
      %di = arith.mulf %bi, %s3 : f64
      pointwise.yield %di
    } : tensor<16xf64>
    %g1 = pointwise.map over [i : 16, j : 64] (%di = %d[i], %xj = %x[j]) {
      %dx = arith.mulf %di, %xj : f64
      pointwise.yield %dx
    } : tensor<16x64xf64>
    %l = pointwise.fold add pairs along [i : 10] (%ei = %e[i]) {
      %ee = arith.mulf %ei, %ei : f64
      pointwise.yield %ee
    } : f64
    pointwise.return %g1, %d, %g2, %e, %l
  }

  pointwise.update @plain_step(%w1 : tensor<16x64xf64>, %b1 : tensor<16xf64>,
      %w2 : tensor<10x16xf64>, %b2 : tensor<10xf64>, %g1 : tensor<16x64xf64>, %d1 : tensor<16xf64>,
      %g2 : tensor<10x16xf64>, %d2 : tensor<10xf64>, %rate : f64)
      -> (tensor<16x64xf64>, tensor<16xf64>, tensor<10x16xf64>, tensor<10xf64>) {
    %new_w1 = pointwise.map over [i : 16, j : 64] (%w = %w1[i, j], %g = %g1[i, j], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<16x64xf64>
    %new_b1 = pointwise.map over [i : 16] (%w = %b1[i], %g = %d1[i], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<16xf64>
    %new_w2 = pointwise.map over [i : 10, j : 16] (%w = %w2[i, j], %g = %g2[i, j], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<10x16xf64>
    %new_b2 = pointwise.map over [i : 10] (%w = %b2[i], %g = %d2[i], %r = %rate) {
      %step = arith.mulf %r, %g : f64
      %next = arith.subf %w, %step : f64
      pointwise.yield %next
    } : tensor<10xf64>
    pointwise.return %new_w1, %new_b1, %new_w2, %new_b2
  }

  region.round {
    %w1, %b1 = region.read @w1, @b1 : tensor<16x64xf64>, tensor<16xf64>
    %w2, %b2 = region.read @w2, @b2 : tensor<10x16xf64>, tensor<10xf64>
    %rate = region.read @rate : f64
    %s1, %t1, %s2, %t2, %count = pointwise.sum @backpropagate(%w1, %b1, %w2, %b2) over @digits
      : tensor<16x64xf64>, tensor<16xf64>, tensor<10x16xf64>, tensor<10xf64>
    %g1 = pointwise.mean %s1, %count
    %d1 = pointwise.mean %t1, %count
    %g2 = pointwise.mean %s2, %count
    %d2 = pointwise.mean %t2, %count
    %new_w1, %new_b1, %new_w2, %new_b2
      = pointwise.apply @plain_step(%w1, %b1, %w2, %b2, %g1, %d1, %g2, %d2, %rate)
      : tensor<16x64xf64>, tensor<16xf64>, tensor<10x16xf64>, tensor<10xf64>
    region.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2
  }
}
