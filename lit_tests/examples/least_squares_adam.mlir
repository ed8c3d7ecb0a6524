// RUN: alpha-opt %examples/least_squares_adam.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/least_squares_adam.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/least_squares_adam.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/least_squares_adam.mlir --resolve-contract | filecheck %s
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 5 | filecheck %s --check-prefix=RUN
// RUN: alpha inspect %examples/least_squares_adam.mlir | filecheck %s --check-prefix=INSPECT
