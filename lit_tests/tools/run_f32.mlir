// Words of f32 are computed in f32: 1 + 2^-24 is 1, and the digest is of four bytes a word.
// RUN: alpha run %s --interpret --rounds 2 | filecheck %s
// CHECK:      version sum third
// CHECK-NEXT: 0 1.0 0.3333333432674408
// CHECK-NEXT: 1 1.0 0.3333333432674408
// CHECK-NEXT: {{^}}state sha256:b439ece2fcc3197e2d2d8b2a71718f3da7b15d7e5f7f23bf0161b802a2b5ca19

region.learner @single {
  region.state @w : tensor<2xf32> = dense<[0.1, 3.0]>
  region.samples @data[1] : (f32, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @observe() sample(%x : f32, %y : f64) -> (observed "sum" : f32, observed "third" : f32) {
    %small = arith.constant 5.9604644775390625e-08 : f32
    %sum = arith.addf %x, %small : f32
    %three = arith.constant 3.0 : f32
    %third = arith.divf %x, %three : f32
    pointwise.return %sum, %third
  }
  pointwise.update @square(%w : tensor<2xf32>) -> (tensor<2xf32>) {
    %w1 = pointwise.map over [i : 2] (%x = %w[i]) {
      %y = arith.mulf %x, %x : f32
      pointwise.yield %y
    } : tensor<2xf32>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf32>
    %n = pointwise.sum @observe() over @data
    %w1 = pointwise.apply @square(%w) : tensor<2xf32>
    region.advance @w = %w1
  }
}
