// The state is the same, bit for bit, at the shard level as at the learner level, however it is
// partitioned: the last lines are equal, and so are the observations.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=learner --rounds 20 --metrics %t.json | tail -n 1 > %t.state
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --metrics %t.shard.json | tail -n 1 | diff %t.state -
// RUN: diff %t.json %t.shard.json
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --partition none | tail -n 1 | diff %t.state -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --partition optimizer | tail -n 1 | diff %t.state -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --partition parameters --map block | tail -n 1 | diff %t.state -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --partition gradients --map "[empty, stride(1, 2, 2), stride(0, 2, 2), empty]" | tail -n 1 | diff %t.state -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 20 --partition optimizer,parameters,gradients --metrics %t.shard.json | tail -n 1 | diff %t.state -
// RUN: diff %t.json %t.shard.json

// Where owners are given, --interpret without a level means the shard level; where none are, the learner.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret | filecheck %s --check-prefix=OWNERS
// OWNERS: {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 owners, star{{$}}
// RUN: alpha run %examples/linear_predictor.mlir --interpret | filecheck %s --check-prefix=NONE
// NONE: {{^}}learner linear_predictor: 5 samples, 2 fields, 4 words{{$}}
// RUN: alpha run %examples/linear_predictor.mlir --interpret --owners 2 --topology pair | filecheck %s --check-prefix=GIVEN
// GIVEN: {{^}}learner linear_predictor: 5 samples, 2 fields, 4 words; 2 owners, pair{{$}}

// With fixed groups, owners and topologies are free: the bits are those of one owner.
// RUN: alpha-opt %examples/least_squares_adam.mlir --resolve-contract -o %t.fixed.mlir
// RUN: alpha run %t.fixed.mlir --interpret --owners 1 --rounds 20 | tail -n 1 | diff %t.state -
// RUN: alpha run %t.fixed.mlir --interpret --owners 2 --topology pair --rounds 20 | tail -n 1 | diff %t.state -
// RUN: alpha run %t.fixed.mlir --interpret --owners 3 --topology "tree<1>" --partition parameters --rounds 20 | tail -n 1 | diff %t.state -
// RUN: alpha run %t.fixed.mlir --interpret --owners 7 --topology "tree<2>" --partition optimizer,gradients --rounds 20 2> %t.err | tail -n 1 | diff %t.state -
// RUN: diff /dev/null %t.err

// Without a contract other owners are another order of sums: that is said, and the bits change.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --owners 2 --rounds 20 2> %t.err | tail -n 1 > %t.two
// RUN: filecheck %s --check-prefix=WARNING < %t.err
// WARNING: warning: the bits change: the order of this sum was groups = [1, 2, 3, 0], combine = left, now groups = [3, 3], combine = left
// RUN: not diff %t.state %t.two

// A distribution that is written in the file is run as it is written.
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-optimizer --partition-parameters -o %t.written.mlir
// RUN: alpha run %t.written.mlir --interpret --rounds 20 | tail -n 1 | diff %t.state -

// A round that isn't finite is refused with every owner, and the state stays as it was.
// RUN: sed 's/dense<0.0>/dense<1.0e308>/' %examples/least_squares_sgd.mlir > %t.large.mlir
// RUN: python3 %S/../Inputs/status.py 3 alpha run %t.large.mlir --interpret=shard --partition parameters 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: error: [numeric-nonfinite] expected finite words of @w at version 1, found

// Flags of owners mean nothing at the learner level; what --verify-shards refuses isn't run.
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=learner --owners 2 2>&1 | filecheck %s --check-prefix=LEARNER
// LEARNER: error: [target-unsupported] expected no --owners with --interpret=learner, which has no owners, found --owners
// RUN: sed '/shard.release/d' %t.written.mlir > %t.kept.mlir
// RUN: python3 %S/../Inputs/status.py 1 alpha run %t.kept.mlir --interpret 2>&1 | filecheck %s --check-prefix=KEPT
// KEPT: error: [data-parallel-replica-retained]
// RUN: not alpha run %examples/linear_predictor.mlir --interpret=shard 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: error: [shard-owners-undeclared]
