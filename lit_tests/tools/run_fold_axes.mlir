// RUN: alpha run %s --interpret | filecheck %s

// Along several axes the last is the fastest, and an axis that is reduced may stand anywhere: the
// words 1, B, -B, 1 of a 2 x 2 matrix, where B is 2^53.
//
// both axes  ((1 + B) - B) + 1 = 1
// rows       row 0: 1 + B = B, row 1: -B + 1; their difference loses nothing more: B - (B - 1) = 1
// columns    column 0: 1 - B, column 1: B + 1 = B; their sum is 1
// transposed ((1 - B) + B) + 1 = 2
// empty      -0.0
//
// CHECK: version both rows columns transposed empty
// CHECK-NEXT: 0 1.0 1.0 1.0 2.0 -0.0

region.learner @fold_axes {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (tensor<2x2xf64>) = dense<[[[1.0, 9007199254740992.0], [-9007199254740992.0, 1.0]]]>
  pointwise.contribution @folds() sample(%x : tensor<2x2xf64>)
      -> (observed "both" : f64, observed "rows" : f64, observed "columns" : f64, observed "transposed" : f64, observed "empty" : f64) {
    %both = pointwise.fold add left along [i : 2, j : 2] (%a = %x[i, j]) {
      pointwise.yield %a
    } : f64
    %row = pointwise.fold add left over [i : 2] along [j : 2] (%a = %x[i, j]) {
      pointwise.yield %a
    } : tensor<2xf64>
    %rows = pointwise.fold add left along [i : 2] (%a = %row[i]) {
      pointwise.yield %a
    } : f64
    %column = pointwise.fold add left over [j : 2] along [i : 2] (%a = %x[i, j]) {
      pointwise.yield %a
    } : tensor<2xf64>
    %columns = pointwise.fold add left along [j : 2] (%a = %column[j]) {
      pointwise.yield %a
    } : f64
    %transposed = pointwise.fold add left along [j : 2, i : 2] (%a = %x[i, j]) {
      pointwise.yield %a
    } : f64
    %empty = pointwise.fold add pairs along [k : 0] (%a = %x[0, 0]) {
      pointwise.yield %a
    } : f64
    pointwise.return %both, %rows, %columns, %transposed, %empty
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %n = pointwise.sum @folds() over @data
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
