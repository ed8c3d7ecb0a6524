// A map says which owner keeps what is partitioned: it isn't ignored where nothing is.
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --map nonsense 2>&1 | filecheck %s --check-prefix=ALONE
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=shard --map block 2>&1 | filecheck %s --check-prefix=ALONE
// ALONE: {{^}}alpha: error: [target-unsupported] expected --partition with --map, found --map {{nonsense|block}} alone{{$}}
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=learner --map block 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not alpha run %examples/linear_predictor.mlir --interpret --map block 2>&1 | filecheck %s --check-prefix=NONE
// NONE: [target-unsupported] expected no --map with --interpret=learner, which has no owners, found --map
// RUN: not alpha inspect %examples/linear_predictor.mlir --map nonsense 2>&1 | filecheck %s --check-prefix=INSPECT
// INSPECT: {{^}}alpha: error: [target-unsupported] expected no --map with a learner, which has no owners, found --map{{$}}

// Every partitioning is looked at by `inspect`, so a map means something by itself.
// RUN: not alpha inspect %examples/partitioned_regression.mlir --map nonsense 2>&1 | filecheck %s --check-prefix=WRONG
// WRONG: [source-syntax] expected cyclic, block, {{.*}}, found 'nonsense'
// RUN: alpha inspect %examples/partitioned_regression.mlir --map block | filecheck %s --check-prefix=MAP
// MAP: words of state that each owner keeps

// A map that no mode reads is looked at all the same.
// RUN: not alpha verify %examples/least_squares_sgd.mlir --partition none --map garbage 2>&1 | filecheck %s --check-prefix=GARBAGE
// GARBAGE: error: [source-syntax] expected cyclic, block, block_cyclic<B>
