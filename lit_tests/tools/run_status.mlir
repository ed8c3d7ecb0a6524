// The exit status says what happened: 0 done, 1 refused, 2 usage, 3 a round refused, 4 a role lost,
// 5 input or output.
// RUN: python3 %S/../Inputs/status.py 0 alpha run %examples/partitioned_regression.mlir --interpret

// RUN: python3 %S/../Inputs/status.py 1 alpha run %examples/partitioned_regression.mlir --targets sm85 2>&1 | filecheck %s --check-prefix=NATIVE
// NATIVE: error: [target-unsupported] expected some of the targets x86-64, aarch64, found 'sm85'
// RUN: python3 %S/../Inputs/status.py 2 alpha run 2>&1 | filecheck %s --check-prefix=USAGE
// USAGE: usage: alpha run

// RUN: python3 %S/../Inputs/status.py 3 alpha run %S/../refusals/Inputs/doubling.mlir --interpret --rounds 3 2>&1 | filecheck %s --check-prefix=ROUND
// ROUND: error: [numeric-nonfinite] expected finite words of @w at version 3, found inf at coordinate [1]

// RUN: python3 %S/../Inputs/status.py 3 alpha run %S/../refusals/Inputs/doubling.mlir --interpret=protocol --owners 1 --rounds 3 2>&1 | filecheck %s --check-prefix=PROTOCOL
// PROTOCOL: role 0: refused numeric-nonfinite: expected finite words of @w at version 3, found inf at coordinate [1]
// PROTOCOL: error: [numeric-nonfinite] expected finite words of @w at version 3, found inf at coordinate [1]

// RUN: python3 %S/../Inputs/status.py 4 alpha run %examples/choice_gate.mlir --interpret=protocol --fault kill:1:1 2>&1 | filecheck %s --check-prefix=LOST
// LOST: alpha: role 1: killed
// LOST: alpha: role {{[02]}}: lost: role 1 closed the edge

// RUN: python3 %S/../Inputs/status.py 5 alpha run %t.absent --interpret 2>&1 | filecheck %s --check-prefix=ABSENT
// ABSENT: {{^}}alpha: error: cannot read {{.*}}.absent: No such file or directory{{$}}
