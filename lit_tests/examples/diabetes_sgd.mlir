// RUN: alpha-opt %examples/diabetes_sgd.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/diabetes_sgd.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/diabetes_sgd.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/diabetes_sgd.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/diabetes_sgd.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/diabetes_sgd.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @diabetes_sgd attributes {owners = #shard.owners<4, star, samples = [265, 133, 44, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [265, 133, 44, 0], combine = left> : tensor<10xf64>
// CHECK: region.advance @w = %w1

// INSPECT: learner diabetes_sgd
// INSPECT-NEXT:   digest sha256:44a67b15e02bfeed7c0d80968328232ef50a0dc687fa213569c37e3d5036d0eb
// INSPECT: state
// INSPECT-NEXT:   field  type            words  bytes  kind
// INSPECT-NEXT:   w      tensor<10xf64>  10     80     parameter
// INSPECT-NEXT:   all                    10     80
// INSPECT: separable
// INSPECT: state sha256:2046cf8a9854edf2e9af96c2fcff79df72b58cfb2c9ff951edc0da10515f2564

// ROUNDS: learner diabetes_sgd: 442 samples, 1 field, 10 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        1.0000000000000002
// ROUNDS-NEXT:          1        0.7605969851667991
// ROUNDS-NEXT:          2         0.657286902234354
// ROUNDS-NEXT:          4        0.5767011178829272
// ROUNDS-NEXT: state sha256:5ff3092b297af473ab4344309386aece3e342ae2f27d0d7004d6d09ae7e99d28
