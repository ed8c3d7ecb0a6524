// RUN: alpha-opt %examples/diabetes_momentum.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/diabetes_momentum.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/diabetes_momentum.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @diabetes_momentum attributes {owners = #shard.owners<4, star, samples = [265, 133, 44, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [265, 133, 44, 0], combine = left> : tensor<10xf64>
// CHECK: region.advance @w = %w1, @u = %u1

// INSPECT: learner diabetes_momentum
// INSPECT-NEXT:   digest sha256:8565f6bf2844181c7b380b6d5a7c47a76d2cf6b02941a41d6eaf26e483820c88
// INSPECT: state
// INSPECT-NEXT:   field  type            words  bytes  kind
// INSPECT-NEXT:   w      tensor<10xf64>  10     80     parameter
// INSPECT-NEXT:   u      tensor<10xf64>  10     80     optimizer state
// INSPECT-NEXT:   all                    20     160
// INSPECT: separable
// INSPECT: state sha256:7bf388bf04307e56ab7babc9d7faff249d06d997fbe0e6fc6f8b05811fea018e

// ROUNDS: learner diabetes_momentum: 442 samples, 2 fields, 20 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        1.0000000000000002
// ROUNDS-NEXT:          1        0.9437390932338223
// ROUNDS-NEXT:          2        0.8516445458310871
// ROUNDS-NEXT:          4        0.6623199843263217
// ROUNDS-NEXT: state sha256:c07de9b86b97d9805a9c4e113cc6a898c84e06b797435f298f96ea8c938d7c4f
