// RUN: alpha-opt --explain source-syntax | filecheck %s --check-prefix=EXPLAIN
// RUN: not alpha-opt --explain source-syntx 2>&1 | filecheck %s --check-prefix=NEAR
// RUN: alpha-opt --help | filecheck %s --check-prefix=HELP
// RUN: alpha-opt --version | filecheck %s --check-prefix=VERSION

// EXPLAIN: source-syntax
// EXPLAIN: rule:
// EXPLAIN-NEXT: refused:
// EXPLAIN-NEXT: accepted:
// EXPLAIN-NEXT: tests: {{.*}}lit_tests/refusals/source-syntax.mlir
// NEAR: alpha-opt: error: there is no refusal code 'source-syntx'; did you mean source-syntax
// HELP: usage: alpha-opt
// HELP: --split-input-file
// HELP: passes, in the order in which they are given:
// HELP: --allocate-registers {{.*}}register
// HELP: --check-separability {{.*}}separable
// HELP: --convert-pointwise-to-ptx {{.*}}PTX
// HELP: --vectorize
// HELP: exit status:
// HELP-NEXT: {{^}}  0    done{{$}}
// HELP-NEXT: {{^}}  1    refused or invalid input, a file that can't be read or written, or no memory left{{$}}
// HELP-NEXT: {{^}}  2    a command line that can't be understood{{$}}
// VERSION: alpha-opt {{.*}}xDSL 0.75.0
func.func private @f()
