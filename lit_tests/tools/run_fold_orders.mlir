// RUN: alpha run %s --interpret | filecheck %s

// The declared order of a fold, shown by what rounding leaves of the same seven words. B is 2^53, the
// first word to which 1 can't be added: 1, 1, B, 1, -B, 1, 1.
//
// left       ((((((1 + 1) + B) + 1) - B) + 1) + 1) = 6
// pairs      (((1 + 1) + (B + 1)) + ((-B + 1) + 1)) = 4, the seventh carried up twice
// lanes<1>   as left
// lanes<2>   (1 + B - B + 1) + (1 + 1 + 1) = 4
// lanes<16>  nine lanes stay -0.0: (((1 - B) + (B + 1)) + ((1 + 1) + 1)) = 4
// max        the largest, whatever the order
//
// CHECK:      learner fold_orders: 1 sample, 1 field, 1 word
// CHECK-NEXT: version left pairs lanes1 lanes2 lanes16 max
// CHECK-NEXT: 0 6.0 4.0 6.0 4.0 4.0 9007199254740992.0

region.learner @fold_orders {
  region.state @w : f64 = 0.0
  region.samples @data[1] : (tensor<7xf64>) = dense<[[1.0, 1.0, 9007199254740992.0, 1.0, -9007199254740992.0, 1.0, 1.0]]>
  pointwise.contribution @folds() sample(%x : tensor<7xf64>)
      -> (observed "left" : f64, observed "pairs" : f64, observed "lanes1" : f64, observed "lanes2" : f64,
          observed "lanes16" : f64, observed "max" : f64) {
    %left = pointwise.fold add left along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    %pairs = pointwise.fold add pairs along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    %lanes1 = pointwise.fold add lanes<1> along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    %lanes2 = pointwise.fold add lanes<2> along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    %lanes16 = pointwise.fold add lanes<16> along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    %max = pointwise.fold max pairs along [i : 7] (%a = %x[i]) {
      pointwise.yield %a
    } : f64
    pointwise.return %left, %pairs, %lanes1, %lanes2, %lanes16, %max
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
