// What can't be built is refused by its name, before anything is written.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --targets x86-64,sm86 2>&1 | filecheck %s --check-prefix=DEVICE
// DEVICE: {{^}}alpha: error: [target-unsupported] expected some of the targets x86-64, aarch64, found sm86, whose roles aren't executables: alpha run drives them{{$}}
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --targets x86_64 2>&1 | filecheck %s --check-prefix=TARGET
// TARGET: {{^}}alpha: error: [target-unsupported] expected some of the targets x86-64, aarch64, found 'x86_64'{{$}}
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --targets aarch64 --features avx512 2>&1 | filecheck %s --check-prefix=FEATURE
// FEATURE: {{^}}alpha: error: [target-unsupported] expected some of the features sha2 of aarch64, found 'avx512'{{$}}
// RUN: not env PATH=/nonexistent ALPHA_TOOLCHAIN=gnu %console/alpha build %examples/least_squares_adam.mlir -o out --targets x86-64 2>&1 | filecheck %s --check-prefix=TOOLS
// TOOLS: {{^}}alpha: error: [target-unsupported] expected an assembler and a linker for x86-64, found no x86_64-linux-gnu-as with -ld in PATH{{$}}
// TOOLS: {{^}}alpha: note: install Debian's binutils-x86-64-linux-gnu, or the package ziglang of PyPI
// RUN: not alpha build %examples/linear_predictor.mlir -o out 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: error: [shard-owners-undeclared]
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --owners 5000 2>&1 | filecheck %s --check-prefix=ROLES
// ROLES: error: [target-unsupported] expected at most 4096 roles with alpha build, found 5000
// RUN: not alpha build %examples/choice_gate.mlir -o out --owners 3 2>&1 | filecheck %s --check-prefix=FLAGS
// FLAGS: error: [target-unsupported] expected no flags that make another protocol, found --owners with a protocol as it is
// RUN: not alpha build none.mlir -o out 2>&1 | filecheck %s --check-prefix=NONE
// NONE: {{^}}alpha: error: cannot read none.mlir: No such file or directory{{$}}
// RUN: not ls out

// The command line says where to.
// RUN: python3 %S/../Inputs/status.py 2 alpha build %examples/least_squares_adam.mlir 2>&1 | filecheck %s --check-prefix=WHERE
// RUN: python3 %S/../Inputs/status.py 2 alpha build %examples/least_squares_adam.mlir -o "" 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: python3 %S/../Inputs/status.py 2 alpha build %examples/least_squares_adam.mlir -o out --targets x86-64, 2>&1 | filecheck %s --check-prefix=WORDS
// WHERE: alpha build: error: the following arguments are required: -o
// EMPTY: alpha build: error: argument -o: expected the name of a folder, got none
// WORDS: alpha build: error: argument --targets: expected words divided by commas, got 'x86-64,'

// Only an earlier build is replaced, and no input.
// RUN: mkdir letters && touch letters/dear
// RUN: not alpha build %examples/least_squares_adam.mlir -o letters 2>&1 | filecheck %s --check-prefix=LETTERS
// LETTERS: {{^}}alpha: error: cannot write letters: it holds dear and no run.json of an earlier build{{$}}
// RUN: not alpha build %examples/least_squares_adam.mlir -o letters/dear 2>&1 | filecheck %s --check-prefix=FILE
// FILE: {{^}}alpha: error: cannot write letters/dear: it isn't a folder{{$}}
// RUN: not alpha build %examples/least_squares_adam.mlir -o none/out 2>&1 | filecheck %s --check-prefix=PARENT
// PARENT: {{^}}alpha: error: cannot write none/out: there is no folder {{.*}}none{{$}}

// accepted: targets and features that there are, into a new folder, an empty one and an earlier build
// RUN: mkdir empty
// RUN: alpha build %examples/least_squares_adam.mlir -o out --targets aarch64 --features sha2 | filecheck %s --check-prefix=ACCEPTED
// RUN: alpha build %examples/least_squares_adam.mlir -o empty --targets aarch64 --features sha2 | filecheck %s --check-prefix=ACCEPTED
// RUN: alpha build %examples/least_squares_adam.mlir -o out --targets aarch64 --features sha2 | filecheck %s --check-prefix=ACCEPTED
// RUN: diff -r out empty
// ACCEPTED: {{^}}role 3  aarch64+sha2  {{.*}} bytes  no data  {{.*}} bytes of memory{{$}}
// RUN: not alpha build out/run.mlir -o out 2>&1 | filecheck %s --check-prefix=INPUT
// INPUT: {{^}}alpha: error: cannot write out: it holds out/run.mlir, which is an input{{$}}
// RUN: touch out/notes && not alpha build %examples/least_squares_adam.mlir -o out 2>&1 | filecheck %s --check-prefix=NOTES
// NOTES: {{^}}alpha: error: cannot write out: it holds notes, which no build has written{{$}}
// RUN: diff out/run.json empty/run.json
