// RUN: alpha-opt %examples/digits_perceptron.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/digits_perceptron.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/digits_perceptron.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/digits_perceptron.mlir --resolve-contract | filecheck %s
// RUN: alpha inspect %examples/digits_perceptron.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/digits_perceptron.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: region.learner @digits_perceptron attributes {owners = #shard.owners<4, tree<2>, samples = [120, 97, 83, 0]>} {
// CHECK: %s1, %t1, %s2, %t2, %count = pointwise.sum @backpropagate(%w1, %b1, %w2, %b2) over @digits contract #region.contract<groups = [120, 97, 83, 0], combine = tree<2>> : tensor<16x64xf64>, tensor<16xf64>, tensor<10x16xf64>, tensor<10xf64>
// CHECK: region.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2

// INSPECT: learner digits_perceptron
// INSPECT-NEXT:   digest sha256:93302442bffa314d6ed3c985c253f2316ccf2d92a36f357027e4f8d310676d70
// INSPECT: state
// INSPECT-NEXT:   field  type               words  bytes  kind
// INSPECT-NEXT:   w1     tensor<16x64xf64>  1024   8192   parameter
// INSPECT-NEXT:   b1     tensor<16xf64>     16     128    parameter
// INSPECT-NEXT:   w2     tensor<10x16xf64>  160    1280   parameter
// INSPECT-NEXT:   b2     tensor<10xf64>     10     80     parameter
// INSPECT-NEXT:   all                       1210   9680
// INSPECT: separable
// INSPECT: state sha256:29d87a5ab438048da52bba95a0262cffcd15e1ab672ca869f495a6804e30dba6

// ROUNDS: learner digits_perceptron: 300 samples, 4 fields, 1210 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        1.7848999499123932
// ROUNDS-NEXT:          1        1.1480358088115679
// ROUNDS-NEXT:          2        1.0578935856229317
// ROUNDS-NEXT:          4        0.9896235941476654
// ROUNDS-NEXT: state sha256:8b26458af887c4332271c9176ceaa33b5c0f23b7313afff2091ec46a5cc056bb
