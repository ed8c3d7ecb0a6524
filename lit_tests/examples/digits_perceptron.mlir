// RUN: alpha-opt %examples/digits_perceptron.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/digits_perceptron.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/digits_perceptron.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/digits_perceptron.mlir --resolve-contract | filecheck %s
// RUN: alpha run %examples/digits_perceptron.mlir --interpret --rounds 5 | filecheck %s --check-prefix=RUN
// RUN: alpha inspect %examples/digits_perceptron.mlir | filecheck %s --check-prefix=INSPECT
