// RUN: alpha-opt %examples/diabetes_adam.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/diabetes_adam.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/diabetes_adam.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/diabetes_adam.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/diabetes_adam.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/diabetes_adam.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @diabetes_adam attributes {owners = #shard.owners<4, star, samples = [265, 133, 44, 0]>} {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [265, 133, 44, 0], combine = left> : tensor<10xf64>
// CHECK: region.advance @w = %w1, @m = %m1, @v = %v1, @b1_power = %q1, @b2_power = %q2

// INSPECT: learner diabetes_adam
// INSPECT-NEXT:   digest sha256:5d8863e3578720806ca3df7138e0a0b70b6cf6bc240c94a7f081b0a3b007cc3d
// INSPECT: state
// INSPECT-NEXT:   field     type            words  bytes  kind
// INSPECT-NEXT:   w         tensor<10xf64>  10     80     parameter
// INSPECT-NEXT:   m         tensor<10xf64>  10     80     optimizer state
// INSPECT-NEXT:   v         tensor<10xf64>  10     80     optimizer state
// INSPECT-NEXT:   b1_power  f64             1      8      optimizer state, shared
// INSPECT-NEXT:   b2_power  f64             1      8      optimizer state, shared
// INSPECT-NEXT:   all                       32     256
// INSPECT: separable
// INSPECT: state sha256:d29ba88d692442f54c11502c70bf3348798eec00864dbd4615ffe6a5fab414fe

// ROUNDS: learner diabetes_adam: 442 samples, 5 fields, 32 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        1.0000000000000002
// ROUNDS-NEXT:          1        0.9355038379962034
// ROUNDS-NEXT:          2        0.8789722275222764
// ROUNDS-NEXT:          4        0.7881159257256456
// ROUNDS-NEXT: state sha256:aa65623dc1b7c7ce209060c16a3a7a3f7ed27f64f26ffaf1069595bc68b5bcbd
