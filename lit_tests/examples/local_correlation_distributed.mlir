// RUN: alpha-opt %examples/local_correlation_distributed.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/local_correlation_distributed.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/local_correlation_distributed.mlir --verify-shards | diff %t -
// RUN: filecheck %s --input-file %t
// RUN: alpha verify %examples/local_correlation_distributed.mlir | filecheck %s --check-prefix=VERIFY
// RUN: alpha inspect %examples/local_correlation_distributed.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/local_correlation_distributed.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS
// RUN: alpha run %examples/local_correlation_distributed.mlir --interpret=learner --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: shard.learner @local_correlation owners #shard.owners<3, star> {
// CHECK: shard.place @c by [3, 0, 2]
// CHECK: shard.place @signals by [3, 0, 2]
// CHECK: shard.advance @c = %c1

// VERIFY: learner local_correlation: 3 owners, star
// VERIFY: one round, for every input; 20 rounds, by their bits
// VERIFY-NEXT:   level       field  words  equal to the learner  sha256 of the words
// VERIFY-NEXT:   as written  c      5      proved                2414e927f4cdac44
// VERIFY: each owner, as written
// VERIFY-NEXT:   role  words kept  bytes kept  bytes at most  bytes sent  bytes received
// VERIFY-NEXT:   0     3           24          24             0           0
// VERIFY-NEXT:   1     0           0           0              0           0
// VERIFY-NEXT:   2     2           16          16             0           0

// INSPECT: learner local_correlation
// INSPECT-NEXT:   digest sha256:95bda4b1d10b85f2dcc4490510b73024a4c7faa7a2bf3bef6ef2eb734cf56fb1

// ROUNDS: learner local_correlation: 5 samples, 1 field, 5 words
// ROUNDS-NEXT: state sha256:cf46be38b1f9e4a14694d8ef6c8ac2b31ab8bff73fb13ddb2fde5e961b4c659d
