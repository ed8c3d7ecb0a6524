// A learner is built and run, an executable a role; the table and the digest are the interpreter's.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 12 > %t.shard
// RUN: alpha run %examples/least_squares_adam.mlir --rounds 12 > %t.native
// RUN: filecheck %s --check-prefix=NATIVE < %t.native
// NATIVE: {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 roles, star, native for {{x86-64|aarch64}}{{$}}
// NATIVE-NEXT: {{^ *}}version {{ *}}loss{{$}}
// RUN: tail -n +2 %t.shard > %t.wanted
// RUN: tail -n +2 %t.native | diff %t.wanted -

// Some of the roles may be interpreted, and any learner be partitioned.
// RUN: alpha run %examples/least_squares_adam.mlir --rounds 12 --roles-interpreted 1,3 --partition optimizer,gradients > %t.mixed
// RUN: filecheck %s --check-prefix=MIXED < %t.mixed
// MIXED: 4 roles, star, native for {{x86-64|aarch64}}, 2 interpreted{{$}}
// RUN: tail -n +2 %t.mixed | diff %t.wanted -

// What was built before is run as it is.
// RUN: alpha build %examples/least_squares_adam.mlir --rounds 12 -o %t.built
// RUN: alpha run %t.built --rounds 12 --wait 20 --deadline 60 | tail -n +2 | diff %t.wanted -
// RUN: alpha run %t.built --metrics %t.jsonl --save %t.safetensors | tail -n +2 | diff %t.wanted -
// RUN: wc -l < %t.jsonl | filecheck %s --check-prefix=LINES
// LINES: {{^ *}}12{{$}}

// A protocol without a learner ends in no state.
// RUN: alpha run %examples/choice_gate.mlir | filecheck %s --check-prefix=GATE
// GATE: {{^}}protocol choice_gate: 3 roles, native for {{x86-64|aarch64}}{{$}}
// GATE-NEXT: {{^}}3 roles finished{{$}}

// A round that is refused says so, as the role does that refuses it.
// RUN: python3 %S/../Inputs/status.py 3 alpha run %S/../refusals/Inputs/doubling.mlir --owners 1 --rounds 3 2>&1 | filecheck %s --check-prefix=ROUND
// ROUND: alpha: role {{[0-9]}}: refused numeric-nonfinite: expected
