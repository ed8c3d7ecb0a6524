// RUN: alpha-opt %examples/least_squares_adam.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/least_squares_adam.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/least_squares_adam.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/least_squares_adam.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/least_squares_adam.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @least_squares_adam attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>
// CHECK: region.advance @w = %w1, @m = %m1, @v = %v1, @b1_power = %q1, @b2_power = %q2

// INSPECT: learner least_squares_adam
// INSPECT-NEXT:   digest sha256:cfe45a8ba49a12dc5e707a8aac56e6547e061f728563870f5ef29818c20b756b
// INSPECT: state
// INSPECT-NEXT:   field     type           words  bytes  kind
// INSPECT-NEXT:   w         tensor<4xf64>  4      32     parameter
// INSPECT-NEXT:   m         tensor<4xf64>  4      32     optimizer state
// INSPECT-NEXT:   v         tensor<4xf64>  4      32     optimizer state
// INSPECT-NEXT:   b1_power  f64            1      8      optimizer state, shared
// INSPECT-NEXT:   b2_power  f64            1      8      optimizer state, shared
// INSPECT-NEXT:   all                      14     112
// INSPECT: separable
// INSPECT: state sha256:9077bf6f73d90b3b5fbabf531a07ea1e9cdae00e15c4beb3175f6f585e9f3939

// ROUNDS: learner least_squares_adam: 6 samples, 5 fields, 14 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        2.9737500000000003
// ROUNDS-NEXT:          1         2.696214586337876
// ROUNDS-NEXT:          2        2.4725803460439866
// ROUNDS-NEXT:          4        2.1648025120658367
// ROUNDS-NEXT: state sha256:23d41d75f6e66f9b2dd41b508e346ea7ba69fc565a36ff886dcd529ff63978d0
