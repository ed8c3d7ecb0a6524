// RUN: alpha-opt %examples/linear_predictor.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/linear_predictor.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/linear_predictor.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/linear_predictor.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/linear_predictor.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/linear_predictor.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @linear_predictor {
// CHECK: %sum, %count = pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [5], combine = left> : tensor<2xf64>
// CHECK: region.advance @w = %w1, @h = %h1

// INSPECT: learner linear_predictor
// INSPECT-NEXT:   digest sha256:7cfc4aaf949cf16ca110f6440112ca4b661ce72a13d4b1ea2df468e26becc18a
// INSPECT: state
// INSPECT-NEXT:   field  type           words  bytes  kind
// INSPECT-NEXT:   w      tensor<2xf64>  2      16     parameter
// INSPECT-NEXT:   h      tensor<2xf64>  2      16     optimizer state
// INSPECT-NEXT:   all                   4      32
// INSPECT: separable
// INSPECT: state sha256:d4708df41c599c03f6b0f768a86476d617e7a4039af09ead201c4056804e0779

// ROUNDS: learner linear_predictor: 5 samples, 2 fields, 4 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        10.640281250000001
// ROUNDS-NEXT:          1         4.725031250117686
// ROUNDS-NEXT:          2        2.6901535853806338
// ROUNDS-NEXT:          4        1.2588213638991754
// ROUNDS-NEXT: state sha256:980e886e04d5833e1b4b0f0ea0cdfdba6dd2afeab113eec98437fc112b88cd55
