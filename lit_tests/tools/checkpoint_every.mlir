// A protocol that stores generations is looked at, drawn and verified as any other.
// RUN: alpha inspect %examples/least_squares_adam.mlir --owners 2 --partition none > %t.plain
// RUN: alpha inspect %examples/least_squares_adam.mlir --owners 2 --checkpoint-every end > %t.stored
// RUN: filecheck %s --check-prefix=PLAIN < %t.plain
// RUN: filecheck %s --check-prefix=STORED < %t.stored
// PLAIN: {{^}}protocol, one round and its publication{{$}}
// PLAIN: {{^}}  0     1   2       288    1{{$}}
// PLAIN-NEXT: {{^}}  1     0   3       480    2{{$}}
// STORED: {{^}}protocol, one round, a generation and its publication{{$}}
// STORED: {{^}}  0     1   3       416    1{{$}}
// STORED-NEXT: {{^}}  1     0   4       640    2{{$}}
// RUN: alpha inspect %examples/least_squares_adam.mlir --owners 2 --checkpoint-every 5 | filecheck %s --check-prefix=FIVE
// FIVE: {{^}}protocol, 5 rounds, a generation and its publication{{$}}
// RUN: alpha inspect %examples/least_squares_adam.mlir --owners 2 --checkpoint-every 2 --svg - | filecheck %s --check-prefix=SVG
// SVG: checkpoint, 5 words of i64

// RUN: alpha verify %examples/least_squares_adam.mlir --partition optimizer --rounds 5 --checkpoint-every 2 | filecheck %s --check-prefix=VERIFY
// VERIFY: {{^}}  protocol     w {{ +}}4      proved

// What stands in a file stores those that it says, and a learner without owners none.
// RUN: not alpha inspect %examples/choice_gate.mlir --checkpoint-every 2 --dot - 2>&1 | filecheck %s --check-prefix=WRITTEN
// WRITTEN: [target-unsupported] expected no flags that make another protocol, found --checkpoint-every with a protocol as it is
// RUN: not alpha inspect %examples/linear_predictor.mlir --checkpoint-every 2 2>&1 | filecheck %s --check-prefix=ALONE
// ALONE: [target-unsupported] expected no --checkpoint-every with a learner, which has no owners, found --checkpoint-every
// RUN: not alpha inspect %examples/least_squares_adam.mlir --owners 65 --checkpoint-every 2 2>&1 | filecheck %s --check-prefix=MANY
// MANY: [target-unsupported] expected at most 64 owners with --checkpoint-every, found 65
