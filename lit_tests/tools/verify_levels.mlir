// A learner with owners is compared with its replicated and its partitioned distribution, and with the
// protocol of the latter: one round by terms, for every input, and some rounds by bits, on its data. The
// words are the same at all levels.
// RUN: alpha verify %examples/least_squares_adam.mlir > %t
// RUN: filecheck %s < %t
// CHECK:      {{^}}learner least_squares_adam: 4 owners, star; partitioned: optimizer, parameters, gradients
// CHECK:      one round, for every input; 20 rounds, by their bits
// CHECK-NEXT: level field words equal to the learner sha256 of the words
// CHECK-NEXT: replicated b1_power 1 proved [[P:[0-9a-f]+]]
// CHECK-NEXT: replicated b2_power 1 proved [[Q:[0-9a-f]+]]
// CHECK-NEXT: replicated m 4 proved [[M:[0-9a-f]+]]
// CHECK-NEXT: replicated v 4 proved [[V:[0-9a-f]+]]
// CHECK-NEXT: replicated w 4 proved [[W:[0-9a-f]+]]
// CHECK-NEXT: replicated observed "loss" 1 proved [[L:[0-9a-f]+]]
// CHECK-NEXT: partitioned b1_power 1 proved [[P]]
// CHECK-NEXT: partitioned b2_power 1 proved [[Q]]
// CHECK-NEXT: partitioned m 4 proved [[M]]
// CHECK-NEXT: partitioned v 4 proved [[V]]
// CHECK-NEXT: partitioned w 4 proved [[W]]
// CHECK-NEXT: partitioned observed "loss" 1 proved [[L]]
// CHECK-NEXT: protocol b1_power 1 proved [[P]]
// CHECK-NEXT: protocol b2_power 1 proved [[Q]]
// CHECK-NEXT: protocol m 4 proved [[M]]
// CHECK-NEXT: protocol v 4 proved [[V]]
// CHECK-NEXT: protocol w 4 proved [[W]]
// CHECK-NEXT: protocol observed "loss" 1 proved [[L]]

// What each owner keeps, holds at most and exchanges stands below: 3K + 2 words with every owner, or
// 3 words of its one coordinate and the 2 that all share; at most a replica of @w more.
// CHECK:      each owner, replicated
// CHECK-NEXT: role words kept bytes kept bytes at most bytes sent bytes received
// CHECK-NEXT: 0 14 112 112
// CHECK-NEXT: 1 14 112 112
// CHECK-NEXT: 2 14 112 112
// CHECK-NEXT: 3 14 112 112
// CHECK:      each owner, partitioned
// CHECK:      0 5 40 72
// CHECK-NEXT: 1 5 40 72
// CHECK-NEXT: 2 5 40 72
// CHECK-NEXT: 3 5 40 72

// The words are those of `alpha run`: the same digest of a field is the same words.
// RUN: alpha verify %examples/least_squares_adam.mlir --rounds 3 | filecheck %s --check-prefix=THREE
// THREE: one round, for every input; 3 rounds, by their bits

// Owners that never exchange anything send and receive nothing.
// RUN: alpha verify %examples/local_correlation.mlir | filecheck %s --check-prefix=LOCAL
// LOCAL: partitioned c 5 proved
// LOCAL: each owner, partitioned
// LOCAL-NEXT: role words kept bytes kept bytes at most bytes sent bytes received
// LOCAL-NEXT: 0 2 16 16 0 0
// LOCAL-NEXT: 1 2 16 16 0 0
// LOCAL-NEXT: 2 1 8 8 0 0

// Owners may be given, and then change the order of a sum, which is said; the modes and the map too.
// RUN: alpha verify %examples/least_squares_adam.mlir --owners 2 --topology pair --samples 1,5 --partition optimizer --map block 2> %t.err | filecheck %s --check-prefix=PAIR
// RUN: filecheck %s --check-prefix=WARNING < %t.err
// WARNING: warning: the bits change: the order of this sum was groups = [1, 2, 3, 0], combine = left, now groups = [1, 5], combine = left
// PAIR: learner least_squares_adam: 2 owners, pair; partitioned: optimizer
// PAIR-NOT: differs
// PAIR: each owner, partitioned
// PAIR-NEXT: role words kept
// PAIR-NEXT: 0 10 80 80
// PAIR-NEXT: 1 10 80 80
// RUN: alpha verify %examples/least_squares_adam.mlir --partition none | filecheck %s --check-prefix=NONE
// NONE: learner least_squares_adam: 4 owners, star{{$}}
// NONE-NOT: partitioned

// A learner that can't be partitioned stays replicated, and the reason is told; asked for by name it is
// refused.
// RUN: sed 's/%%gi = %%g.i., %%r = %%rate/%%gi = %%g[3 - i], %%r = %%rate/' %examples/least_squares_sgd.mlir > %t.crossed.mlir
// RUN: alpha verify %t.crossed.mlir 2> %t.err | filecheck %s --check-prefix=CROSSED
// CROSSED: replicated w 4 proved
// CROSSED-NOT: partitioned w
// CROSSED: not partitioned: [pointwise-not-separable] expected new words of @w[0] from words of coordinate [0]
// RUN: not alpha verify %t.crossed.mlir --partition gradients 2>&1 | filecheck %s --check-prefix=ASKED
// ASKED: error: [pointwise-not-separable] expected new words of @w[0] from words of coordinate [0]

// Without owners there is nothing to compare.
// RUN: not alpha verify %examples/linear_predictor.mlir 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: error: [shard-owners-undeclared]

// A map that is given is used, or it is said why it can't be.
// RUN: alpha verify %examples/least_squares_adam.mlir --map "[4,0,0,0]" | filecheck %s --check-prefix=MAP
// MAP: each owner, partitioned
// MAP-NEXT: role words kept
// MAP-NEXT: 0 14 112
// MAP-NEXT: 1 2 16
// RUN: not alpha verify %examples/least_squares_adam.mlir --map ring 2>&1 | filecheck %s --check-prefix=RING
// RING: error: [source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found 'ring'
