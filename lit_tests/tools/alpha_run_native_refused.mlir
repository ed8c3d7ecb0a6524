// What can't be run, or would change nothing, is refused before anything is started.
// RUN: not alpha run %examples/least_squares_adam.mlir --targets sm86 2>&1 | filecheck %s --check-prefix=TARGET
// TARGET: {{^}}alpha: error: [target-unsupported] expected --device with what runs the kernels of the roles for sm86, found none{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --device interpreter 2>&1 | filecheck %s --check-prefix=NOROLE
// NOROLE: {{^}}alpha: error: [target-unsupported] expected roles for sm86 among --targets with --device, found none{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --targets x86-64,sm86 --device GPU-7 2>&1 | filecheck %s --check-prefix=DEVICE
// DEVICE: {{^}}alpha: error: [target-unsupported] expected interpreter or the UUID of a GPU, as GPU-8-4-4-4-12 digits, with --device, found GPU-7{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --seed 1 2>&1 | filecheck %s --check-prefix=SEED
// SEED: {{^}}alpha: error: [target-unsupported] expected --interpret=protocol with --seed, found native programs{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --targets aarch64 2>&1 | filecheck %s --check-prefix=LEVEL
// LEVEL: {{^}}alpha: error: [target-unsupported] expected native programs with --targets, found --interpret=shard{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=role --features avx512 2>&1 | filecheck %s --check-prefix=FEATURES
// FEATURES: {{^}}alpha: error: [target-unsupported] expected native programs with --features, found --interpret=role{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --roles-interpreted 1,4 2>&1 | filecheck %s --check-prefix=ROLE
// ROLE: {{^}}alpha: error: [protocol-role-range] expected one of the 4 roles, 0, 1, 2, 3, with --roles-interpreted, found role 4{{$}}
// RUN: python3 %S/../Inputs/status.py 2 alpha run %examples/least_squares_adam.mlir --roles-interpreted one 2>&1 | filecheck %s --check-prefix=USAGE
// USAGE: alpha run: error: argument --roles-interpreted: expected roles such as 1,3, each from 0 to {{[0-9]+}}, got 'one'
// RUN: python3 %S/../Inputs/status.py 5 alpha run %t.absent 2>&1 | filecheck %s --check-prefix=ABSENT
// ABSENT: {{^}}alpha: error: cannot read {{.*}}.absent: No such file or directory{{$}}

// RUN: alpha build %examples/least_squares_adam.mlir -o %t.built
// RUN: not alpha run %t.built --owners 2 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: {{^}}alpha: error: [target-unsupported] expected a file with --owners, found {{.*}}.built, a folder of executables{{$}}
// RUN: not alpha run %t.built --rounds 2 2>&1 | filecheck %s --check-prefix=ROUNDS
// ROUNDS: {{^}}alpha: error: [target-unsupported] expected --rounds 1, which is how many {{.*}}.built is built for, found --rounds 2{{$}}
// RUN: not alpha run %t.built --interpret=role 2>&1 | filecheck %s --check-prefix=INTERPRET
// INTERPRET: {{^}}alpha: error: [target-unsupported] expected a file with --interpret, found {{.*}}.built, a folder of executables{{$}}
// RUN: echo >> %t.built/role-1
// RUN: not alpha run %t.built 2>&1 | filecheck %s --check-prefix=DIFFERS
// DIFFERS: role-1:1:1: error: [build-file-differs] expected the {{[0-9]+}} bytes of sha256:
