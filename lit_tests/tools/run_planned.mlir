// What the design has and this version doesn't is refused by its name.
// RUN: not alpha inspect --targets x86-64 %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=INSPECT
// INSPECT: [target-unsupported] expected a flag of alpha inspect that this version builds, found --targets, which

// A page says them, and what stands behind `--` is a file.
// RUN: alpha inspect --help | filecheck %s --check-prefix=HELP
// HELP: planned flags, not built in this version:
// HELP-NEXT: {{^}}  --targets{{$}}
// RUN: not alpha inspect -- --targets 2>&1 | filecheck %s --check-prefix=FILE
// FILE: cannot read --targets: No such file or directory
