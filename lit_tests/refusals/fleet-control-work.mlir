// Who only relays has nothing to sum and nothing to own.
// RUN: not alpha simulate %s --samples 1,2,3,0 --control "stride(0, 1, 1)" 2>&1 | filecheck %s
// CHECK: alpha: error: [fleet-control-work] expected no samples and no words of their own with roles that only control, found some with role 0
// RUN: not alpha simulate %s --partition optimizer,parameters --control "stride(3, 1, 1)" 2>&1 | filecheck %s --check-prefix=WORDS
// WORDS: [fleet-control-work] {{.*}}, found some with role 3
// RUN: not alpha simulate %s --control "stride(0, 1, 4)" 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: [fleet-control-work] expected a role that doesn't only control, found none of 4

// Unless something says how many samples each role has, such roles get none.
// RUN: alpha simulate %s --samples 0,2,4,0 --control "stride(0, 1, 1)" | filecheck %s --check-prefix=TWIN
// TWIN: distinct contributing devices: 2, with 2 roles
// RUN: alpha simulate %s --control "stride(0, 1, 1)" | filecheck %s --check-prefix=SPARED
// SPARED: distinct contributing devices: 3, with 3 roles
// SPARED-NEXT: not contributing: 1 role

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
