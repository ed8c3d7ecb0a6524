// What a run says: a line about the learner, observations at versions 0, 1, 2, 5, 10, 20, 50, ... and at
// the last, and the digest of the final state.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 120 | filecheck %s
// CHECK:      {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 owners, star
// CHECK-NEXT: version loss
// CHECK-NEXT: 0 2.9737500000000003
// CHECK-NEXT: 1 2.696214586337876
// CHECK-NEXT: 2 2.4725803460439866
// CHECK-NEXT: 5 {{[0-9.]+$}}
// CHECK-NEXT: 10 {{[0-9.]+$}}
// CHECK-NEXT: 20 {{[0-9.]+$}}
// CHECK-NEXT: 50 {{[0-9.]+$}}
// CHECK-NEXT: 100 {{[0-9.]+$}}
// CHECK-NEXT: 119 {{[0-9.]+$}}
// CHECK-NEXT: {{^}}state sha256:{{[0-9a-f]+$}}

// A pipe sees no progress.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 120 2> %t.err
// RUN: diff /dev/null %t.err

// The level may be named, and one round is the default. Where owners are declared it is shard.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 1 > %t.named
// RUN: alpha run %examples/least_squares_adam.mlir --interpret | diff %t.named -
// RUN: alpha run --interpret -- %examples/least_squares_adam.mlir | diff %t.named -

// No round at all: the initial state, as alpha inspect prints it.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 0 > %t.none
// RUN: filecheck %s --check-prefix=NONE < %t.none
// NONE:      {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 owners, star
// NONE-NEXT: {{^}}state sha256:{{[0-9a-f]+$}}
// RUN: tail -n 1 %t.none > %t.state
// RUN: alpha inspect %examples/least_squares_adam.mlir | tail -n 1 | diff %t.state -
