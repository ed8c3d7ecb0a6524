// What the design has and this version doesn't is refused by its name.
// RUN: not alpha run %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=NATIVE
// NATIVE: [target-unsupported] expected --interpret, --interpret=learner or --interpret=shard, found native programs, not built in this version
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=protocol 2>&1 | filecheck %s --check-prefix=PROTOCOL
// PROTOCOL: [target-unsupported] expected --interpret, --interpret=learner or --interpret=shard, found --interpret=protocol, not built in this version
// RUN: not alpha run %examples/partitioned_regression.mlir --interpret=role 2>&1 | filecheck %s --check-prefix=ROLE
// ROLE: [target-unsupported] expected --interpret, --interpret=learner or --interpret=shard, found --interpret=role, not built in this version
// RUN: not alpha build %examples/partitioned_regression.mlir -o %t 2>&1 | filecheck %s --check-prefix=BUILD
// BUILD: [target-unsupported]{{.*}}alpha build
// RUN: not alpha simulate %examples/partitioned_regression.mlir 2>&1 | filecheck %s --check-prefix=SIMULATE
// SIMULATE: [target-unsupported]{{.*}}alpha simulate
// RUN: not alpha inspect %examples/partitioned_regression.mlir --dot 2>&1 | filecheck %s --check-prefix=DOT
// DOT: [target-unsupported] expected alpha inspect without pictures, found --dot, not built in this version
// RUN: not alpha inspect %examples/partitioned_regression.mlir --svg 2>&1 | filecheck %s --check-prefix=SVG
// SVG: [target-unsupported] expected alpha inspect without pictures, found --svg, not built in this version
