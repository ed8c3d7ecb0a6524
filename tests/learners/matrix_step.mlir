// A step in the manner of Muon (Jordan et al., 2024): the momentum of a matrix is driven towards an
// orthogonal matrix by one cubic iteration of Newton and Schulz, 1.5 * s - 0.5 * (s s^T) s. Muon
// divides the momentum by its norm first; here each word is squeezed by itself into (-0.4, 0.4).
//
// Refused: the products of matrices sum over rows and columns.

region.learner @matrix_step attributes {owners = #shard.owners<2, pair, samples = [3, 1]>} {
  region.state @w : tensor<3x2xf64> = dense<[[0.5, -0.5], [0.25, 1.0], [-1.0, 0.75]]>
  region.state @u : tensor<3x2xf64> = dense<0.0>
  region.constant @rate : f64 = 0.02
  region.constant @mu : f64 = 0.95
  region.samples @data[4] : (tensor<2xf64>, tensor<3xf64>) =
    dense<[[1.0, -0.5], [0.3, 1.7], [-2.0, 0.4], [0.9, -0.7]]>,
    dense<[[1.2, -0.7, 3.1], [0.45, -2.3, 0.9], [0.0, 1.0, -1.0], [2.0, 0.5, 0.25]]>

  pointwise.contribution @gradient(%w : tensor<3x2xf64>)
      sample(%x : tensor<2xf64>, %y : tensor<3xf64>) -> (tensor<3x2xf64>, observed "loss" : f64) {
    %p = pointwise.fold add left over [i : 3] along [k : 2] (%a = %w[i, k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : tensor<3xf64>
    %r = pointwise.map over [i : 3] (%pi = %p[i], %yi = %y[i]) {
      %ri = arith.subf %pi, %yi : f64
      pointwise.yield %ri
    } : tensor<3xf64>
    %g = pointwise.map over [i : 3, j : 2] (%ri = %r[i], %xj = %x[j]) {
      %gij = arith.mulf %ri, %xj : f64
      pointwise.yield %gij
    } : tensor<3x2xf64>
    %l = pointwise.fold add left along [i : 3] (%ri = %r[i]) {
      %rr = arith.mulf %ri, %ri : f64
      pointwise.yield %rr
    } : f64
    pointwise.return %g, %l
  }

  pointwise.update @matrix_step(%w : tensor<3x2xf64>, %u : tensor<3x2xf64>, %g : tensor<3x2xf64>,
      %rate : f64, %mu : f64) -> (tensor<3x2xf64>, tensor<3x2xf64>) {
    %u1, %s = pointwise.map over [i : 3, j : 2] (%uij = %u[i, j], %gij = %g[i, j], %m = %mu) {
      %one = arith.constant 1.0 : f64
      %most = arith.constant 0.4 : f64
      %kept = arith.mulf %m, %uij : f64
      %next = arith.addf %kept, %gij : f64
      %square = math.fma %next, %next, %one : f64
      %root = math.sqrt %square : f64
      %above = arith.mulf %most, %next : f64
      %squeezed = arith.divf %above, %root : f64
      pointwise.yield %next, %squeezed
    } : tensor<3x2xf64>, tensor<3x2xf64>
    %gram = pointwise.fold add left over [i : 3, j : 3] along [k : 2]
        (%a = %s[i, k], %b = %s[j, k]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : tensor<3x3xf64>
    %cubic = pointwise.fold add left over [i : 3, j : 2] along [k : 3]
        (%a = %gram[i, k], %b = %s[k, j]) {
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    } : tensor<3x2xf64>
    %w1 = pointwise.map over [i : 3, j : 2]
        (%wij = %w[i, j], %sij = %s[i, j], %cij = %cubic[i, j], %r = %rate) {
      %three_halves = arith.constant 1.5 : f64
      %half = arith.constant 0.5 : f64
      %first = arith.mulf %three_halves, %sij : f64
      %third = arith.mulf %half, %cij : f64
      %way = arith.subf %first, %third : f64
      %step = arith.mulf %r, %way : f64
      %next = arith.subf %wij, %step : f64
      pointwise.yield %next
    } : tensor<3x2xf64>
    pointwise.return %w1, %u1
  }

  region.round {
    %w, %u, %rate, %mu = region.read @w, @u, @rate, @mu : tensor<3x2xf64>, tensor<3x2xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<3x2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %u1 = pointwise.apply @matrix_step(%w, %u, %g, %rate, %mu)
      : tensor<3x2xf64>, tensor<3x2xf64>
    region.advance @w = %w1, @u = %u1
  }
}
