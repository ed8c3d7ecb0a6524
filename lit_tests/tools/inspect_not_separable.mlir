// What keeps a learner from being partitioned is said, not refused.
// RUN: alpha inspect %s | filecheck %s
// CHECK: {{^}}not separable
// CHECK-NEXT: [pointwise-not-separable] expected new words of @w[

region.learner @mirrored {
  region.state @w : tensor<3xf64> = dense<[1.0, 2.0, 3.0]>
  pointwise.update @mirror(%w : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%x = %w[2 - i]) {
      pointwise.yield %x
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %w1 = pointwise.apply @mirror(%w) : tensor<3xf64>
    region.advance @w = %w1
  }
}
