// RUN: not alpha-opt --no-such %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not alpha-opt --check-separabilty %s 2>&1 | filecheck %s --check-prefix=NEAR
// RUN: not alpha-opt --check-separability=deep=1 %s 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not alpha-opt -p 'resolve-contract{' %s 2>&1 | filecheck %s --check-prefix=PIPELINE
// RUN: not alpha-opt %s %s 2>&1 | filecheck %s --check-prefix=FILES
// RUN: not alpha-opt %S/nowhere.mlir 2>&1 | filecheck %s --check-prefix=NOWHERE

// UNKNOWN: alpha-opt: error: there is no flag or pass --no-such
// UNKNOWN-NEXT: alpha-opt: see 'alpha-opt --help'
// NEAR: alpha-opt: error: there is no flag or pass --check-separabilty; did you mean --check-separability?
// OPTION: alpha-opt: error: --check-separability: there is no option 'deep'; it has none
// PIPELINE: alpha-opt: error: -p: '{' isn't closed in the pipeline 'resolve-contract{'
// FILES: alpha-opt: error: expected one input file, got 2
// NOWHERE: alpha-opt: error: cannot read {{.*}}nowhere.mlir: No such file or directory
func.func private @f()
