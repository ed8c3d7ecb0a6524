// RUN: alpha-opt %examples/perceptron_mixed.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/perceptron_mixed.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/perceptron_mixed.mlir --verify-shards | diff %t -
// RUN: filecheck %s --input-file %t
// RUN: alpha verify %examples/perceptron_mixed.mlir | filecheck %s --check-prefix=VERIFY
// RUN: alpha inspect %examples/perceptron_mixed.mlir | filecheck %s --check-prefix=INSPECT
// RUN: alpha run %examples/perceptron_mixed.mlir --interpret --rounds 5 | filecheck %s --check-prefix=ROUNDS
// RUN: alpha run %examples/perceptron_mixed.mlir --interpret=learner --rounds 5 | filecheck %s --check-prefix=ROUNDS

// CHECK: shard.learner @perceptron owners #shard.owners<2, pair, samples = [5, 3]> {
// CHECK: shard.place @w1 by rows<5, [3, 3]>
// CHECK: shard.place @w2 by rows<6, [2, 1]>
// CHECK: shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2

// VERIFY: learner perceptron: 2 owners, pair
// VERIFY: one round, for every input; 20 rounds, by their bits
// VERIFY-NEXT:   level       field            words  equal to the learner  sha256 of the words
// VERIFY-NEXT:   as written  b1               6      proved                27d4556c09f3e123
// VERIFY-NEXT:   as written  b2               3      proved                0c959ed867cbb1e9
// VERIFY-NEXT:   as written  w1               30     proved                7985ed7b2fe1218e
// VERIFY-NEXT:   as written  w2               18     proved                a5614fe8f25e5a33
// VERIFY-NEXT:   as written  observed "loss"  1      proved                b6d98ae7723039c6
// VERIFY: each owner, as written
// VERIFY-NEXT:   role  words kept  bytes kept  bytes at most  bytes sent  bytes received
// VERIFY-NEXT:   0     36          288         672            1024        720
// VERIFY-NEXT:   1     30          240         624            720         1024

// INSPECT: learner perceptron
// INSPECT-NEXT:   digest sha256:5348100125e8211351a809ed0d13df08025c1acb5cac77a4d70c0135372c6663

// ROUNDS: learner perceptron: 8 samples, 4 fields, 57 words
// ROUNDS-NEXT:    version                      loss
// ROUNDS-NEXT:          0        3.5867704708164405
// ROUNDS-NEXT:          1        1.5420393888319273
// ROUNDS-NEXT:          2        1.0367752016743579
// ROUNDS-NEXT:          4        0.7014394013335272
// ROUNDS-NEXT: state sha256:48a4d4afdad9b066a50738a14455d286c23584255ff364024f2449b3280192bd
