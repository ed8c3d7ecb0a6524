// A run goes on from a generation of its own learner, but for the parts that may differ.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 2 --checkpoint x
// RUN: sed 's/@rate : f64 = .*/@rate : f64 = 0.5/' %examples/least_squares_adam.mlir > other.mlir
// RUN: not alpha run other.mlir --interpret=shard --rounds 3 --resume x 2>&1 | filecheck %s --check-prefix=RATE
// RATE: {{^}}alpha: error: [checkpoint-learner] expected the constant rate of sha256:{{[0-9a-f]+}} in x/gen-2, found sha256:{{[0-9a-f]+}}{{$}}
// RUN: not alpha run other.mlir --interpret=shard --rounds 3 --resume x --allow pace 2>&1 | filecheck %s --check-prefix=ALLOW
// ALLOW: error: [checkpoint-learner] expected the name of a part of the learner as one that may differ, found 'pace', which no part has

// accepted: the same learner, and another one with leave
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 3 --resume x
// RUN: alpha run other.mlir --interpret=shard --rounds 3 --resume x --allow rate
// RUN: alpha run other.mlir --interpret=shard --rounds 3 --resume x --allow "constant rate"

// A name that several parts have names none of them; one with its kind names one.
// RUN: sed 's/@b1_power/@round/g' %examples/least_squares_adam.mlir > round.mlir
// RUN: alpha run round.mlir --interpret=shard --rounds 2 --checkpoint z
// RUN: not alpha run round.mlir --interpret=shard --rounds 3 --resume z --allow round 2>&1 | filecheck %s --check-prefix=SEVERAL
// SEVERAL: error: [checkpoint-learner] expected the name of a part of the learner as one that may differ, found 'round', which several have: 'state round', 'the round'{{$}}
// accepted:
// RUN: alpha run round.mlir --interpret=shard --rounds 3 --resume z --allow "state round" --allow "the round"
