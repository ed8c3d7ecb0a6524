// A distribution that is written in the file is compared as it is written.
// RUN: alpha-opt %examples/least_squares_momentum.mlir --partition-parameters -o %t.mlir
// RUN: alpha verify %t.mlir | filecheck %s
// CHECK:      {{^}}learner least_squares_momentum: 4 owners, star{{$}}
// CHECK:      as written u 4 proved
// CHECK-NEXT: as written w 4 proved
// CHECK-NEXT: as written observed "loss" 1 proved
// CHECK:      each owner, as written
// CHECK-NOT:  replicated

// What is asked for is made of it and stands beside it.
// RUN: alpha verify %t.mlir --partition optimizer,gradients | filecheck %s --check-prefix=MORE
// MORE: learner least_squares_momentum: 4 owners, star; partitioned: optimizer, gradients
// MORE: as written w 4 proved [[W:[0-9a-f]+]]
// MORE: partitioned w 4 proved [[W]]

// The first difference is told by the operations that it is computed with, at their places, and the
// exit status is 1.
// RUN: sed 's/, %%rate, %%mu) : !shard/, %%mu, %%rate) : !shard/' %t.mlir > %t.swapped.mlir
// RUN: python3 %S/../Inputs/status.py 1 alpha verify %t.swapped.mlir --carrier terms 2> %t.err | filecheck %s --check-prefix=SWAPPED
// RUN: filecheck %s --check-prefix=ERROR < %t.err
// SWAPPED: as written u 4 differs
// SWAPPED: as written w 4 differs
// SWAPPED: as written observed "loss" 1 equal in one round
// SWAPPED: u[0]: differs at .lhs.lhs: another constant
// SWAPPED-NEXT: addf (
// SWAPPED-NEXT: mulf ({{.*}}.swapped.mlir:23:9)
// SWAPPED-NEXT: learner: 0.9 (
// SWAPPED-NEXT: as written: 0.05 (
// SWAPPED: 4 of 4 words of u differ
// ERROR: .swapped.mlir:2:3: error: [verify-terms-differ] expected the words of @least_squares_momentum, found u[0]: differs at .lhs.lhs: another constant

// An observation that is left out or is another word is a difference as well.
// RUN: sed '/shard.observe/d' %t.mlir > %t.silent.mlir
// RUN: not alpha verify %t.silent.mlir 2>&1 | filecheck %s --check-prefix=SILENT
// SILENT: as written observed "loss" 1 differs
// SILENT: error: [verify-terms-differ] expected the words of @least_squares_momentum, found observed "loss" is missing at the level as written
// RUN: sed 's/observe "loss" %%[0-9]*/observe "loss" %%rate/' %t.mlir > %t.other.mlir
// RUN: not alpha verify %t.other.mlir 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: as written w 4 proved
// OTHER: as written observed "loss" 1 differs

// What --verify-shards refuses is refused before anything is compared.
// RUN: sed '/shard.release/d' %t.mlir > %t.kept.mlir
// RUN: not alpha verify %t.kept.mlir 2>&1 | filecheck %s --check-prefix=KEPT
// KEPT: error: [data-parallel-replica-retained] expected %w released before the version advances, found held
// KEPT-NOT: each owner

// The owners of a distribution are those that it says.
// RUN: not alpha verify %t.mlir --owners 3 2>&1 | filecheck %s --check-prefix=THREE
// THREE: error: [shard-learner-count] expected a learner that isn't distributed, to distribute it among #shard.owners<3, star>, found #shard.owners<4, star, samples = [1, 2, 3, 0]>

// So it is where no round is run by bits, or none to its end.
// RUN: not alpha verify %t.silent.mlir --rounds 0 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO: as written observed "loss" 1 differs
// ZERO: error: [verify-terms-differ]
// RUN: sed 's/@w : tensor<4xf64> = dense<0.*>/@w : tensor<4xf64> = dense<1.0e308>/' %t.silent.mlir > %t.large.mlir
// RUN: not alpha verify %t.large.mlir 2>&1 | filecheck %s --check-prefix=ZERO
