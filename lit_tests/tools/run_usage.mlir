// A command line that can't be understood says what it expected, and nothing is run.
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --rounds -1 2>&1 | filecheck %s --check-prefix=NEGATIVE
// NEGATIVE: alpha run: error: argument --rounds: expected
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --rounds five 2>&1 | filecheck %s --check-prefix=WORD
// WORD: alpha run: error: argument --rounds: expected a number of rounds from 0 to 9223372036854775807, got 'five'
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --rounds 9223372036854775808 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: alpha run: error: argument --rounds: expected a number of rounds from 0 to 9223372036854775807, got '9223372036854775808'
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=protocol --seed 99999999999999999999999999999999999 2>&1 | filecheck %s --check-prefix=SEED
// SEED: alpha run: error: argument --seed: expected a number from 0 to 9223372036854775807, got '99999999999999999999999999999999999'
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=protocol --buffer 9223372036854775808 2>&1 | filecheck %s --check-prefix=BUFFER
// BUFFER: alpha run: error: argument --buffer: expected unbounded, or a number from 0 to 9223372036854775807, got '9223372036854775808'
// RUN: not alpha simulate %examples/partitioned_regression.mlir --roles 1000000000000000000 2>&1 | filecheck %s --check-prefix=ROLES
// ROLES: alpha simulate: error: argument --roles: expected a number from 0 to 999999999999999999, got '1000000000000000000'
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=native 2>&1 | filecheck %s --check-prefix=LEVEL
// LEVEL: alpha run: error: argument --interpret: invalid choice: 'native'
// RUN: not alpha run --interpret %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER: alpha run: error: argument --interpret: invalid choice: '{{.*}}partitioned_regression.mlir' (choose from {{.*}}); without a level, FILE comes first: alpha run FILE --interpret
// RUN: not alpha run %examples/partitioned_regression.mlir --interp 2>&1 | filecheck %s --check-prefix=SHORT
// SHORT: alpha: error: unrecognized arguments: --interp
// RUN: not alpha walk %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=VERB
// VERB: alpha: error: argument {{COMMAND}}: invalid choice: 'walk'
// RUN: not alpha inpect %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=NEAR-VERB
// NEAR-VERB: alpha: error: argument {{COMMAND}}: invalid choice: 'inpect' (choose from {{.*}}'inspect'{{.*}}); did you mean inspect?
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --round 5 2>&1 | filecheck %s --check-prefix=NEAR
// RUN: not alpha verify --round=5 %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=NEAR
// NEAR: alpha: error: unrecognized arguments: --round{{.5}}; did you mean --rounds?
// RUN: not alpha 2>&1 | filecheck %s --check-prefix=NONE
// NONE: alpha: error: the following arguments are required: COMMAND

// Help is no error.
// RUN: alpha --help | filecheck %s --check-prefix=HELP
// HELP: {{^}}Run,{{.*}} and inspect learners.{{$}}
// HELP: run
// HELP: inspect
// HELP: checkpoint
// HELP: --version {{ *}}print the version
// HELP-NOT: planned
// HELP: exit status:
// HELP-NEXT: {{^}}  0    done{{$}}
// HELP: {{^}}  3    of alpha run, launch and role: a round or a frame was refused
// HELP: {{^}}  4    of alpha run, launch and role: a role was lost
// HELP: {{^}}  5    of alpha run, launch and role, in place of 1: a file that can't be read or written, or no memory left{{$}}
// RUN: alpha run --help | filecheck %s --check-prefix=RUN-HELP
// RUN-HELP: --interpret
// RUN-HELP: --rounds
// RUN-HELP: --metrics
// RUN-HELP: --save
// RUN-HELP: exit status:
// RUN-HELP: {{^}}  1    refused or invalid input, or a fault of --fault that the run has no place for{{$}}
// RUN-HELP: {{^}}  3    a round or a frame was refused
// RUN-HELP: {{^}}  4    a role was lost, or a deadline passed
// RUN-HELP: {{^}}  5    a file that can't be read or written, or no memory left{{$}}
// RUN: alpha inspect --help | filecheck %s --check-prefix=INSPECT-HELP
// INSPECT-HELP: --dot PICTURE {{ *}}instead of tables, write the topology
// INSPECT-HELP: --svg PICTURE {{ *}}instead of tables, write one round
// INSPECT-HELP: exit status:
// INSPECT-HELP-NEXT: 0 {{ *}}done
// INSPECT-HELP-NEXT: 1 {{ *}}refused {{.*}}--against
// RUN: alpha --version | filecheck %s --check-prefix=VERSION
// VERSION: {{^}}alpha {{[0-9]+\.[0-9]+\.[0-9]+}} (xDSL 0.75.0){{$}}
