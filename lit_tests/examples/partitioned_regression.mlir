// RUN: alpha-opt %examples/partitioned_regression.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/partitioned_regression.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/partitioned_regression.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/partitioned_regression.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/partitioned_regression.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/partitioned_regression.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @partitioned_regression attributes {owners = #shard.owners<2, pair, samples = [1, 2]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [1, 2], combine = left> : f64
// CHECK: region.advance @w = %w1

// INSPECT: learner partitioned_regression
// INSPECT-NEXT:   digest sha256:74b3173617c0df4a3019b4046d3673968d7223e8c89580fad351891a0f0988b9
// INSPECT: state
// INSPECT-NEXT:   field  type  words  bytes  kind
// INSPECT-NEXT:   w      f64   1      8      parameter
// INSPECT-NEXT:   all          1      8
// INSPECT: separable
// INSPECT: state sha256:be05f78669cc4bb7457c2c4b462696c49ef47451b97c996c961f9e79d9d1b07d

// ROUNDS: learner partitioned_regression: 3 samples, 1 field, 1 word
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0                     12.75
// ROUNDS-NEXT:          1                     4.125
// ROUNDS-NEXT:          2        1.6716666666666677
// ROUNDS-NEXT:          4        0.7753337613168728
// ROUNDS-NEXT: state sha256:c5e91ecaf738ee8f6b7828f965a2428ea44fd7bb293d7cb3e08d8d988a7fda19
