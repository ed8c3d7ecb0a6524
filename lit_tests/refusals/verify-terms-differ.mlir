// One round is compared for every input: each word of the next version is the same expression.
// RUN: not alpha verify %s --carrier terms 2>&1 | filecheck %s
// CHECK: as written  w      4      differs
// CHECK: w[0]: differs: the same operands in another order
// CHECK-NEXT: learner: {{ *}}subf(w[0], divf(addf(...), 6.0)){{ .*}}verify-terms-differ.mlir
// CHECK-NEXT: as written: {{ *}}subf(divf(addf(...), 6.0), w[0]){{ .*}}verify-terms-differ.mlir
// CHECK-NEXT: 4 of 4 words of w differ
// CHECK: {{:[0-9]+:1}}: error: [verify-terms-differ] expected the words of @mean_step, found w[0]: differs: the same operands in another order
// CHECK-NEXT: region.learner @mean_step

// On the data of this learner both are 0.0 in every round, so that bits alone don't tell.
// RUN: alpha verify %s --carrier bits | filecheck %s --check-prefix=BITS
// BITS: as written  w      4      equal

// Without a carrier both are asked, and the terms are what counts.
// RUN: not alpha verify %s 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: as written  w      4      differs
// BOTH: error: [verify-terms-differ]

// The twin has the arguments of its update in their order.
// RUN: sed 's/@step(%%g, %%w_own)/@step(%%w_own, %%g)/' %s > %t.mlir
// RUN: alpha verify %t.mlir --carrier terms | filecheck %s --check-prefix=TWIN
// TWIN: as written  w      4      proved

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<0.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.subf %a, %b : f64
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
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%g, %w_own) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
