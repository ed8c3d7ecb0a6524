// RUN: alpha-opt %examples/least_squares_momentum.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/least_squares_momentum.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/least_squares_momentum.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/least_squares_momentum.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/least_squares_momentum.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/least_squares_momentum.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @least_squares_momentum attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>
// CHECK: region.advance @w = %w1, @u = %u1

// INSPECT: learner least_squares_momentum
// INSPECT-NEXT:   digest sha256:3c85ea18b96fdbe0377c2ba8f690cdf6c7aff7cba95733806d93a7b479d09eb9
// INSPECT: state
// INSPECT-NEXT:   field  type           words  bytes  kind
// INSPECT-NEXT:   w      tensor<4xf64>  4      32     parameter
// INSPECT-NEXT:   u      tensor<4xf64>  4      32     optimizer state
// INSPECT-NEXT:   all                   8      64
// INSPECT: separable
// INSPECT: state sha256:cf5c346e09f1199018edaa6c348b969190380c48390f02cf823f81816ab9f824

// ROUNDS: learner least_squares_momentum: 6 samples, 2 fields, 8 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        2.9737500000000003
// ROUNDS-NEXT:          1         2.656042951519097
// ROUNDS-NEXT:          2         2.191397140553958
// ROUNDS-NEXT:          4        1.5023335535749727
// ROUNDS-NEXT: state sha256:be94e5151ace47550d4f3a3fd709cb1ea432198803f5ee09f30895a37cb81494
