// A model of very many roles says first that it is one, and follows a few programs.
// RUN: alpha simulate %examples/least_squares_adam.mlir --roles 200000 --fan-out 64 --rounds 5 2>&1 | filecheck %s
// CHECK: warning: the bits change
// CHECK: {{^}}a model, not a run: nothing was executed on 200000 roles of least_squares_adam, or on any device of theirs
// CHECK-NEXT: protocol least_squares_adam: 200000 roles, a tree of fan-out 64 and depth 3, 6 size classes, 5 rounds
// CHECK: model of time
// CHECK: size classes
// CHECK-NEXT: subtree  roles   children
// CHECK-NEXT: 200000   1       63 of 3125, 1 of 3124
// CHECK-NEXT: 3125     63      52 of 49, 12 of 48
// CHECK-NEXT: 3124     1       51 of 49, 13 of 48
// CHECK-NEXT: 49       3327    48 of 1
// CHECK-NEXT: 48       769     47 of 1
// CHECK-NEXT: 1        195839  none
// CHECK: distinct contributing devices: 6, with 6 roles
// CHECK-NEXT: not contributing: 199994 roles

// With rates of whole seconds, times can be followed by hand. Both roles sum 3 samples until 3 s.
// Role 1 sends 168 bytes: role 0 waits from 3 to 13 and reads until 181. It answers with 136 bytes:
// role 1, which was sending until 171, waits until 191 and reads until 327. Then they agree.
// RUN: alpha simulate %s --frame-seconds 10 --bytes-per-second 1 --sample-seconds 1 --word-seconds 0 | filecheck %s --check-prefix=EXACT
// EXACT: 2 roles, a tree of fan-out 1 and depth 1, 2 size classes, 1 round
// EXACT: a round: 2 frames, 304 bytes
// EXACT-NEXT: the run: 4 frames, 592 bytes, 1 round
// EXACT-NEXT: time by the model: the first round 327 s, the run 635 s
// EXACT-NEXT: longest wait of a role for one frame: 20 s
// EXACT-NEXT: busiest role a round: 0, 304 bytes; busiest edge: 0 to 1, 304 bytes
// EXACT-NEXT: distinct contributing devices: 2, with 2 roles

// An irregular mix: the faster half is done with its samples earlier, and both halves are classes.
// RUN: alpha simulate %examples/least_squares_adam.mlir --roles 40 --fan-out 3 --capability "sm86=stride(0, 2, 20)" --capability "x86-64=stride(1, 2, 20)" --speed sm86=2.5 --json 2>/dev/null | filecheck %s --check-prefix=JSON
// JSON: "notice": "a model, not a run: nothing was executed on 40 roles of least_squares_adam, or on any device of theirs",
// JSON: "speeds": {
// JSON-NEXT: "sm86": 2.5
// JSON: "capability": "sm86",
// JSON: "capability": "x86-64",

// A protocol is taken as it is, and flags that would make another are refused.
// RUN: alpha-opt %s --distribute --lower-shard-to-protocol="rounds=3" -o %t.mlir
// RUN: alpha simulate %t.mlir | filecheck %s --check-prefix=PROTOCOL
// PROTOCOL: protocol halves: 2 roles, {{.*}} 3 rounds
// RUN: not alpha simulate %t.mlir --roles 3 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: [target-unsupported] expected no flags that make another protocol
// RUN: not alpha simulate %examples/choice_gate.mlir 2>&1 | filecheck %s --check-prefix=CHOICE
// CHOICE: choice_gate.mlir:{{[0-9]+:[0-9]+}}: error: [target-unsupported] expected a protocol without choices, whose frames depend on no words

// What can't be understood ends with status 2, and what isn't a selection of roles is refused.
// RUN: not alpha simulate %s --capability sm86 2>&1 | filecheck %s --check-prefix=NAME
// NAME: argument --capability: expected NAME=...
// RUN: not alpha simulate %s --speed sm86=2 2>&1 | filecheck %s --check-prefix=SPEED
// SPEED: alpha: error: --speed sm86=... without --capability sm86=...
// RUN: not alpha simulate %s --fan-out 2 --topology star 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: alpha: error: --fan-out 2 with --topology star: give one of them
// RUN: not alpha simulate %s --bytes-per-second 0 2>&1 | filecheck %s --check-prefix=RATE
// RATE: argument --bytes-per-second: expected a number above 0, got '0'
// RUN: not alpha simulate %s --frame-seconds 1e308 2>&1 | filecheck %s --check-prefix=FAST
// FAST: argument --frame-seconds: expected a number such as 0.5 or 5e-5, with at most 18 digits before the point and 18 behind it and an exponent from -99 to 99, got '1e308'
// RUN: not alpha simulate %s --control "stride(0, 1)" 2>&1 | filecheck %s --check-prefix=TEXT
// TEXT: alpha: error: [source-syntax] expected
// RUN: not alpha simulate %s --device "one=stride(1, 1, 2)" 2>&1 | filecheck %s --check-prefix=UNIVERSE
// UNIVERSE: alpha: error: [select-universe] expected members below 2, found member 2
// RUN: not alpha simulate %s --roles 0 2>&1 | filecheck %s --check-prefix=NONE
// NONE: [shard-owner-range] expected at least 1 owner, found 0

// Data files stay closed: a model needs no word of them.
// RUN: alpha simulate %S/Inputs/simulate_without_data.mlir | filecheck %s --check-prefix=CLOSED
// CLOSED: protocol elsewhere: 3 roles

region.learner @halves attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
