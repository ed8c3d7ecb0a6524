// Where capabilities are named, every role has one; the message names the first that hasn't.
// RUN: not alpha simulate %s --capability "sm86=stride(0, 2, 2)" 2>&1 | filecheck %s
// CHECK: alpha: error: [fleet-capability-missing] expected a capability for each of 4 roles, found none for role 1

// RUN: alpha simulate %s --capability "sm86=stride(0, 2, 2)" --capability "x86-64=stride(1, 2, 2)" | filecheck %s --check-prefix=TWIN
// TWIN: a model, not a run

region.learner @mean attributes {owners = #shard.owners<4, star>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
