// The words of a distribution are compared with the learner's, round by round, bit by bit.
// RUN: not alpha verify %s --carrier bits --rounds 3 2>&1 | filecheck %s
// CHECK: as written  w      4      differs
// CHECK: round 1: w[0] is -1.0 (0xBFF0000000000000) at the learner, 1.0 (0x3FF0000000000000) at as written; 4 of 4 words of w differ
// CHECK: {{:[0-9]+:1}}: error: [verify-bits-differ] expected the words of @mean_step, found round 1: w[0] is -1.0
// CHECK-NEXT: region.learner @mean_step

// The twin has the arguments of its update in their order.
// RUN: sed 's/@step(%%g, %%w_own)/@step(%%w_own, %%g)/' %s > %t.mlir
// RUN: alpha verify %t.mlir --carrier bits --rounds 3 | filecheck %s --check-prefix=TWIN
// TWIN: as written  w      4      equal

// What --verify-shards sees is right in both: every word is there, once, and of its version.
// RUN: alpha-opt %s --verify-shards -o %t.out

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
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
