// Adafactor (Shazeer and Stern, 2018): the second moment of a matrix is kept as a mean of each row
// and a mean of each column, so that v[i, j] is about rows[i] * columns[j] / (mean of rows).
//
// Refused: a row's mean is a sum over the coordinates of the row.

region.learner @adafactor attributes {owners = #shard.owners<2, pair, samples = [3, 1]>} {
  region.state @w : tensor<3x2xf64> = dense<[[0.5, -0.5], [0.25, 1.0], [-1.0, 0.75]]>
  region.state @rows : tensor<3xf64> = dense<0.0>
  region.state @columns : tensor<2xf64> = dense<0.0>
  region.constant @rate : f64 = 0.05
  region.constant @b2 : f64 = 0.999
  region.constant @eps : f64 = 1.0e-30
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

  pointwise.update @adafactor(%w : tensor<3x2xf64>, %rows : tensor<3xf64>, %columns : tensor<2xf64>,
      %g : tensor<3x2xf64>, %rate : f64, %b2 : f64, %eps : f64)
      -> (tensor<3x2xf64>, tensor<3xf64>, tensor<2xf64>) {
    %row_sums = pointwise.fold add left over [i : 3] along [j : 2] (%gij = %g[i, j], %e = %eps) {
      %gg = arith.mulf %gij, %gij : f64
      %above_zero = arith.addf %gg, %e : f64
      pointwise.yield %above_zero
    } : tensor<3xf64>
    %column_sums = pointwise.fold add left over [j : 2] along [i : 3] (%gij = %g[i, j], %e = %eps) {
      %gg = arith.mulf %gij, %gij : f64
      %above_zero = arith.addf %gg, %e : f64
      pointwise.yield %above_zero
    } : tensor<2xf64>
    %rows1 = pointwise.map over [i : 3] (%old = %rows[i], %sum = %row_sums[i], %b = %b2) {
      %one = arith.constant 1.0 : f64
      %two = arith.constant 2.0 : f64
      %mean = arith.divf %sum, %two : f64
      %a = arith.subf %one, %b : f64
      %kept = arith.mulf %b, %old : f64
      %new = arith.mulf %a, %mean : f64
      %next = arith.addf %kept, %new : f64
      pointwise.yield %next
    } : tensor<3xf64>
    %columns1 = pointwise.map over [j : 2] (%old = %columns[j], %sum = %column_sums[j], %b = %b2) {
      %one = arith.constant 1.0 : f64
      %three = arith.constant 3.0 : f64
      %mean = arith.divf %sum, %three : f64
      %a = arith.subf %one, %b : f64
      %kept = arith.mulf %b, %old : f64
      %new = arith.mulf %a, %mean : f64
      %next = arith.addf %kept, %new : f64
      pointwise.yield %next
    } : tensor<2xf64>
    %total = pointwise.fold add left along [i : 3] (%row = %rows1[i]) {
      pointwise.yield %row
    } : f64
    %w1 = pointwise.map over [i : 3, j : 2]
        (%wij = %w[i, j], %gij = %g[i, j], %row = %rows1[i], %column = %columns1[j], %t = %total,
         %r = %rate) {
      %three = arith.constant 3.0 : f64
      %mean = arith.divf %t, %three : f64
      %product = arith.mulf %row, %column : f64
      %v = arith.divf %product, %mean : f64
      %root = math.sqrt %v : f64
      %way = arith.divf %gij, %root : f64
      %step = arith.mulf %r, %way : f64
      %next = arith.subf %wij, %step : f64
      pointwise.yield %next
    } : tensor<3x2xf64>
    pointwise.return %w1, %rows1, %columns1
  }

  region.round {
    %w, %rows, %columns = region.read @w, @rows, @columns
      : tensor<3x2xf64>, tensor<3xf64>, tensor<2xf64>
    %rate, %b2, %eps = region.read @rate, @b2, @eps : f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<3x2xf64>
    %g = pointwise.mean %sum, %count
    %w1, %rows1, %columns1 = pointwise.apply @adafactor(%w, %rows, %columns, %g, %rate, %b2, %eps)
      : tensor<3x2xf64>, tensor<3xf64>, tensor<2xf64>
    region.advance @w = %w1, @rows = %rows1, @columns = %columns1
  }
}
