// What the design has and this version doesn't is refused by its name.
// RUN: not alpha checkpoint %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=COMMAND
// COMMAND: [target-unsupported]{{.*}}alpha checkpoint
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --checkpoint-every=2 2>&1 | filecheck %s --check-prefix=CHECKPOINT-EVERY
// CHECKPOINT-EVERY: {{^}}alpha: error: [target-unsupported] expected a flag of alpha run that this version builds, found --checkpoint-every, which
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --checkpoint c 2>&1 | filecheck %s --check-prefix=CHECKPOINT
// CHECKPOINT: {{^}}alpha: error: [target-unsupported] expected a flag of alpha run that this version builds, found --checkpoint, which
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --resume c 2>&1 | filecheck %s --check-prefix=RESUME
// RESUME: {{^}}alpha: error: [target-unsupported] expected a flag of alpha run that this version builds, found --resume, which
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret --device=0 2>&1 | filecheck %s --check-prefix=DEVICE
// DEVICE: {{^}}alpha: error: [target-unsupported] expected a flag of alpha run that this version builds, found --device, which
// RUN: not alpha verify --checkpoint-every 2 %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=VERIFY
// VERIFY: [target-unsupported] expected a flag of alpha verify that this version builds, found --checkpoint-every, which

// A page says them, and what stands behind `--` is a file.
// RUN: alpha run --help | filecheck %s --check-prefix=HELP
// HELP: planned flags, not built in this version:
// HELP-NEXT: --checkpoint-every, --checkpoint, --resume, --device
// RUN: not alpha inspect -- --targets 2>&1 | filecheck %s --check-prefix=FILE
// FILE: cannot read --targets: No such file or directory
