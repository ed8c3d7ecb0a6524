// RUN: printf 'module {}\n' | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=NONE
// RUN: printf 'module {}\n' | not alpha inspect - 2>&1 | filecheck %s --check-prefix=NONE
// NONE: <stdin>:1:1: error: [region-learner-count] expected exactly one region.learner, found 0

// RUN: cat %examples/partitioned_regression.mlir %examples/linear_predictor.mlir > %t.two
// RUN: not alpha run %t.two --interpret 2>&1 | filecheck %s --check-prefix=TWO
// TWO: {{.*}}.two:40:1: error: [region-learner-count] expected exactly one region.learner, found 2

// accepted:
// RUN: alpha run %examples/partitioned_regression.mlir --interpret | filecheck %s --check-prefix=ONE
// RUN: alpha inspect %examples/partitioned_regression.mlir | filecheck %s --check-prefix=ONE
// ONE: learner partitioned_regression
