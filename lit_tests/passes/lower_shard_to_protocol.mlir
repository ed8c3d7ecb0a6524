// RUN: alpha-opt %examples/least_squares_adam.mlir --lower-shard-to-protocol="rounds=5" -o %t && filecheck %s < %t

// A learner with owners that isn't distributed is distributed first; the learner and its distribution
// stay as they are.
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute -o %t.shards
// RUN: sed '/^  protocol.global/,/^  }/d' %t | diff %t.shards -
// RUN: alpha-opt %t.shards --lower-shard-to-protocol="rounds=5" | diff %t -

// What is printed reads back to the same, in either form, and can be projected:
// RUN: alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -
// RUN: alpha-opt %t --check-protocol | diff %t -

// A learner that has a protocol keeps it.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=7" | diff %t -

// The owners are the roles, named as the learner, and all publish what the last round made.
// CHECK: protocol.global @least_squares_adam of @least_squares_adam group #protocol.group<universe = 4, epoch = 0, id = "6c656173745f737175617265735f6164616d", stride(0, 1, 4)> {
// CHECK-NEXT: protocol.repeat 5 {

// Without rounds nothing is repeated.
// RUN: alpha-opt %t.shards --lower-shard-to-protocol="rounds=0" | filecheck %s --check-prefix=NONE
// NONE: protocol.global
// NONE-NOT: protocol.repeat
// NONE: protocol.publish at stride(0, 1, 4)

// Local work: what sends nothing, operation by operation as in the round.
// CHECK: protocol.local at stride(0, 1, 4) {
// CHECK-NEXT: shard.read @w, @m, @v
// CHECK-NEXT: shard.read @b1_power, @b2_power
// CHECK-NEXT: shard.read @rate, @b1, @b2, @eps
// CHECK-NEXT: shard.contribute @gradient
// CHECK-NEXT: protocol.yield

// Sums go to the first role along the topology, in the declared order, and the total to all; what is
// only observed stays there.
// CHECK: protocol.reduce sum %0 by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
// CHECK-NEXT: protocol.replicate %sum along star over stride(0, 1, 4)
// CHECK: protocol.reduce sum %1 by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
// CHECK-NEXT: protocol.local at role 0
// CHECK-NEXT: shard.observe "loss"
// CHECK: shard.advance @w = %w1, @m = %m1, @v = %v1, @b1_power = %q1, @b2_power = %q2
// CHECK: protocol.agree
// CHECK-NEXT: protocol.publish at stride(0, 1, 4)

// Along a tree:
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute="owners=7 topology=tree<2>" --lower-shard-to-protocol 2> %t.err | filecheck %s --check-prefix=TREE
// TREE: protocol.reduce sum %0 by block contract #region.contract<groups = [1, 1, 1, 1, 1, 1, 0], combine = tree<2>> along tree<2>
// TREE-NEXT: protocol.replicate %sum along tree<2> over stride(0, 1, 7)

// Pieces go the same way, or directly: sums to the owners of the coordinates, and pieces to everybody.
// RUN: alpha-opt %t.shards --partition-optimizer --partition-parameters -o %t.owned
// RUN: alpha-opt %t.owned --lower-shard-to-protocol="exchange=gather" | filecheck %s --check-prefix=GATHER
// GATHER: protocol.gather %w_own along star
// GATHER-NEXT: protocol.replicate %{{.*}} along star over stride(0, 1, 4)
// GATHER-NOT: direct
// RUN: alpha-opt %t.owned --lower-shard-to-protocol="exchange=sharded" | filecheck %s --check-prefix=DIRECT
// DIRECT: protocol.gather %w_own direct
// DIRECT: protocol.reduce sum %0 by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> direct to owners

// By itself, what has more than 64 KiB goes directly, or more than another number of bytes.
// RUN: alpha-opt %t.owned --lower-shard-to-protocol | filecheck %s --check-prefix=GATHER
// RUN: alpha-opt %t.owned --lower-shard-to-protocol="threshold=32" | filecheck %s --check-prefix=GATHER
// RUN: alpha-opt %t.owned --lower-shard-to-protocol="threshold=31" | filecheck %s --check-prefix=DIRECT

// A learner without sums exchanges nothing.
// RUN: alpha-opt %examples/local_correlation.mlir --partition-optimizer="map=block" --lower-shard-to-protocol="rounds=7" | filecheck %s --check-prefix=ALONE
// ALONE: protocol.repeat 7 {
// ALONE-NEXT: protocol.local at stride(0, 1, 3) {
// ALONE-NOT: protocol.{{reduce|gather|replicate|exchange|agree}}
// ALONE: protocol.publish at stride(0, 1, 3)

// What is refused: no owners, a distribution that isn't right, a tree to exchange directly, no bytes.
// RUN: not alpha-opt %examples/linear_predictor.mlir --lower-shard-to-protocol 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: error: [shard-owners-undeclared] expected owners: --distribute="owners=N topology=star" before --lower-shard-to-protocol, found none declared
// RUN: sed '/^      shard.agree/d' %t.shards > %t.drifting.mlir
// RUN: not alpha-opt %t.drifting.mlir --lower-shard-to-protocol 2>&1 | filecheck %s --check-prefix=WRONG
// WRONG: error: [shard-agree-missing]
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="topology=tree<2>" --lower-shard-to-protocol="exchange=sharded" 2>&1 | filecheck %s --check-prefix=FAR
// FAR: error: [target-unsupported] expected a pair or star of at most 64 roles to exchange directly, found tree<2> of 4
// RUN: not alpha-opt %t.shards --lower-shard-to-protocol="threshold=-1" 2>&1 | filecheck %s --check-prefix=BYTES
// BYTES: error: [protocol-payload-extent] expected a threshold of 0 or more bytes, found -1
// RUN: not alpha-opt %t.shards --lower-shard-to-protocol="exchange=gather threshold=9" 2>&1 | filecheck %s --check-prefix=WAY
// WAY: error: [target-unsupported] expected exchange=auto with a threshold, found exchange=gather
// RUN: not alpha-opt %t.shards --lower-shard-to-protocol="exchange=fast" 2>&1 | filecheck %s --check-prefix=FAST
// FAST: error: --lower-shard-to-protocol: option 'exchange' expects 'gather' or 'sharded' or 'auto', got 'fast'
