// Every level ends in the same state: the owners in one process, the roles over a simulated network,
// and each role in a process of its own.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 5 | tail -n 1 > %t.shard
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=protocol --rounds 5 > %t.protocol
// RUN: filecheck %s --check-prefix=PROTOCOL < %t.protocol
// PROTOCOL: {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 roles, star, over a simulated network{{$}}
// PROTOCOL: {{^ *}}4 
// RUN: tail -n 1 %t.protocol | diff %t.shard -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=role --rounds 5 > %t.role
// RUN: filecheck %s --check-prefix=ROLE < %t.role
// ROLE: {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 roles, star, a process each{{$}}
// RUN: tail -n 1 %t.role | diff %t.shard -

// The seed, the buffers and the way of exchange change nothing but the order of steps.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=protocol --rounds 5 --seed 9 --buffer 0 | tail -n 1 | diff %t.shard -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=protocol --rounds 5 --seed 9 --buffer 1 --exchange sharded | tail -n 1 | diff %t.shard -
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=protocol --rounds 5 --buffer unbounded --threshold 0 --partition optimizer,gradients | tail -n 1 | diff %t.shard -

// A run of no rounds publishes the initial state.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 0 | tail -n 1 > %t.none
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=protocol --rounds 0 | tail -n 1 | diff %t.none -

// A protocol in the file is run as it is, also without a learner; flags that would make another one
// are refused. The other levels of such a file run as many rounds.
// RUN: alpha-opt --distribute --lower-shard-to-protocol="rounds=5" %examples/least_squares_adam.mlir -o %t.mlir
// RUN: alpha run %t.mlir --interpret=protocol | tail -n 1 | diff %t.shard -
// RUN: alpha run %t.mlir --interpret=protocol --rounds 5 | tail -n 1 | diff %t.shard -
// RUN: alpha run %t.mlir --interpret=shard > %t.written
// RUN: filecheck %s --check-prefix=WRITTEN < %t.written
// WRITTEN: {{^}}learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 owners, star; 5 rounds, as the protocol in the file makes{{$}}
// RUN: tail -n 1 %t.written | diff %t.shard -
// RUN: alpha run %t.mlir --interpret=learner | tail -n 1 | diff %t.shard -
// RUN: alpha run %t.mlir --interpret=learner --rounds 5 | tail -n 1 | diff %t.shard -
// RUN: not alpha run %t.mlir --interpret=protocol --rounds 6 2>&1 | filecheck %s --check-prefix=ROUNDS
// RUN: not alpha run %t.mlir --interpret=shard --rounds 6 2>&1 | filecheck %s --check-prefix=ROUNDS
// ROUNDS: {{^}}alpha: error: [target-unsupported] expected --rounds 5, which is how many the protocol in the file makes, found --rounds 6{{$}}
// RUN: alpha-opt --project-role %t.mlir -o %t.roles.mlir
// RUN: alpha run %t.roles.mlir --interpret=role --rounds 5 | tail -n 1 | diff %t.shard -
// RUN: alpha run %t.roles.mlir --interpret | tail -n 1 | diff %t.shard -
// RUN: not alpha run %t.roles.mlir --interpret=role --rounds 4 2>&1 | filecheck %s --check-prefix=FEWER
// FEWER: {{^}}alpha: error: [target-unsupported] expected --rounds 5, which is how many the protocol in the file makes, found --rounds 4{{$}}
// RUN: alpha run %examples/choice_gate.mlir --interpret=protocol | filecheck %s --check-prefix=GATE
// GATE: {{^}}protocol choice_gate: 3 roles, over a simulated network{{$}}
// GATE-NEXT: {{^}}3 roles finished{{$}}

// A flag of another level is refused, and a module without learner or protocol can't be run.
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --seed 1 2>&1 | filecheck %s --check-prefix=SEED
// SEED: [target-unsupported] expected --interpret=protocol with --seed, found --interpret=shard
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=role --buffer 1 2>&1 | filecheck %s --check-prefix=BUFFER
// BUFFER: [target-unsupported] expected --interpret=protocol with --buffer, found --interpret=role
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --wait 3 2>&1 | filecheck %s --check-prefix=WAIT
// WAIT: [target-unsupported] expected --interpret=role with --wait, found --interpret=shard
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=learner --deadline 3 2>&1 | filecheck %s --check-prefix=DEADLINE
// DEADLINE: [target-unsupported] expected --interpret=protocol or --interpret=role with --deadline, found --interpret=learner
// RUN: not alpha run %examples/choice_gate.mlir --interpret=protocol --unchecked 2>&1 | filecheck %s --check-prefix=UNCHECKED
// UNCHECKED: [target-unsupported] expected --interpret=role with --unchecked, found --interpret=protocol
// RUN: not alpha run %examples/choice_gate.mlir --interpret=role --unchecked 2>&1 | filecheck %s --check-prefix=PROGRAMS
// PROGRAMS: [target-unsupported] expected programs of roles in the file with --unchecked, found none
// RUN: not alpha run %S/opt_usage.mlir --interpret=role 2>&1 | filecheck %s --check-prefix=NOTHING
// NOTHING: [region-learner-count] expected a learner, a protocol.global or the program of every role in the file, found none
