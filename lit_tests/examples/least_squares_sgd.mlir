// RUN: alpha-opt %examples/least_squares_sgd.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/least_squares_sgd.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/least_squares_sgd.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/least_squares_sgd.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/least_squares_sgd.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/least_squares_sgd.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @least_squares_sgd attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>
// CHECK: region.advance @w = %w1

// INSPECT: learner least_squares_sgd
// INSPECT-NEXT:   digest sha256:b145e6cb633822d891ea89781ed0356fd9b2a53f9d93b7ec3ae0f0e9957789ce
// INSPECT: state
// INSPECT-NEXT:   field  type           words  bytes  kind
// INSPECT-NEXT:   w      tensor<4xf64>  4      32     parameter
// INSPECT-NEXT:   all                   4      32
// INSPECT: separable
// INSPECT: state sha256:7ebf6da60922684ddc5d2ec47ce1776fac75e79da9a002336d54ef209b539669

// ROUNDS: learner least_squares_sgd: 6 samples, 1 field, 4 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        2.9737500000000003
// ROUNDS-NEXT:          1         2.380161389409722
// ROUNDS-NEXT:          2        2.0269720341817146
// ROUNDS-NEXT:          4        1.6221344371349558
// ROUNDS-NEXT: state sha256:17b5c197ffb3b30f8bf19fb91861c6cb98c56cd8951a70af2f503cd7046177bf
