// The real console scripts, each in an interpreter of its own: what the forks of this suite can't
// see is a script that isn't installed, or an import that only another tool has made.
// RUN: %console/alpha-opt %s | filecheck %s
// RUN: %console/alpha-opt < %s | filecheck %s
// RUN: not %console/alpha-opt --no-such-pass %s 2>&1 | filecheck %s --check-prefix=USAGE
// RUN: %console/alpha-opt --help | filecheck %s --check-prefix=OPT
// RUN: %console/alpha-translate --help | filecheck %s --check-prefix=TRANSLATE
// RUN: %console/alpha --version | filecheck %s --check-prefix=VERSION
// RUN: %console/alpha inspect %examples/diabetes_adam.mlir | filecheck %s --check-prefix=INSPECT
// RUN: %console/alpha run %examples/least_squares_adam.mlir --interpret --rounds 2 | filecheck %s --check-prefix=STATE

// CHECK: func.func @f() {
func.func @f() {
  func.return
}

// USAGE: alpha-opt: error: {{.*}}--no-such-pass
// OPT: alpha-opt
// TRANSLATE: alpha-translate
// VERSION: {{^}}alpha {{[0-9]+\.[0-9]+\.[0-9]+}} (xDSL 0.75.0){{$}}
// INSPECT: diabetes
// STATE: state sha256:{{[0-9a-f]+}}
