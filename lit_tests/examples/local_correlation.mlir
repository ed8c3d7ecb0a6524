// RUN: alpha-opt %examples/local_correlation.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/local_correlation.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/local_correlation.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/local_correlation.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/local_correlation.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/local_correlation.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @local_correlation attributes {owners = #shard.owners<3, star>} {
// CHECK: region.advance @c = %c1

// INSPECT: learner local_correlation
// INSPECT-NEXT:   digest sha256:95bda4b1d10b85f2dcc4490510b73024a4c7faa7a2bf3bef6ef2eb734cf56fb1
// INSPECT: state
// INSPECT-NEXT:   field  type           words  bytes  kind
// INSPECT-NEXT:   c      tensor<5xf64>  5      40     optimizer state
// INSPECT-NEXT:   all                   5      40
// INSPECT: separable
// INSPECT: state sha256:6a7057d8002ecf407d85329346dfffca1c6e7374e81298428f3d3009073dbdab

// ROUNDS: learner local_correlation: 5 samples, 1 field, 5 words
// ROUNDS-NEXT: state sha256:cf46be38b1f9e4a14694d8ef6c8ac2b31ab8bff73fb13ddb2fde5e961b4c659d
