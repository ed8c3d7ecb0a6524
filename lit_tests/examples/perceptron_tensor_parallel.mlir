// RUN: alpha-opt %examples/perceptron_tensor_parallel.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/perceptron_tensor_parallel.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/perceptron_tensor_parallel.mlir --verify-shards | diff %t -
// RUN: filecheck %s --input-file %t
// RUN: alpha verify %examples/perceptron_tensor_parallel.mlir | filecheck %s --check-prefix=VERIFY
// RUN: alpha inspect %examples/perceptron_tensor_parallel.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/perceptron_tensor_parallel.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS
// RUN: alpha run %examples/perceptron_tensor_parallel.mlir --interpret=learner --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: shard.learner @perceptron owners #shard.owners<3, star> {
// CHECK: shard.place @w1 by rows<5, [3, 2, 1]>
// CHECK: shard.place @w2 by [repeat(3, 6, stride(0, 1, 3)), repeat(3, 6, stride(3, 1, 2)), stride(5, 6, 3)]
// CHECK: shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2

// VERIFY: learner perceptron: 3 owners, star
// VERIFY: one round, for every input; 20 rounds, by their bits
// VERIFY-NEXT:   level       field            words  equal to the learner  sha256 of the words
// VERIFY-NEXT:   as written  b1               6      proved                8d60eafbd3515d2e
// VERIFY-NEXT:   as written  b2               3      proved                94198859b88c5642
// VERIFY-NEXT:   as written  w1               30     proved                a1218b3af1f2c41d
// VERIFY-NEXT:   as written  w2               18     proved                0749ace00efe2dbc
// VERIFY-NEXT:   as written  observed "loss"  1      proved                bd18cb6648b83a4d
// VERIFY: each owner, as written
// VERIFY-NEXT:   role  words kept  bytes kept  bytes at most  bytes sent  bytes received
// VERIFY-NEXT:   0     28          224         608            1224        368
// VERIFY-NEXT:   1     19          152         536            224         608
// VERIFY-NEXT:   2     10          80          464            144         616

// INSPECT: learner perceptron
// INSPECT-NEXT:   digest sha256:5348100125e8211351a809ed0d13df08025c1acb5cac77a4d70c0135372c6663

// ROUNDS: learner perceptron: 8 samples, 4 fields, 57 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        3.5867704708164405
// ROUNDS-NEXT:          1        1.5420393888319275
// ROUNDS-NEXT:          2        1.0367752016743579
// ROUNDS-NEXT:          4        0.7014394013335272
// ROUNDS-NEXT: state sha256:18659970b73f796fd935583e7d4d195965741cf9428821105c3b6b2ecd3d2a00
