// RUN: alpha-opt %examples/diabetes_adam.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/diabetes_adam.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/diabetes_adam.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/diabetes_adam.mlir --resolve-contract | filecheck %s
// RUN: alpha run %examples/diabetes_adam.mlir --interpret --rounds 5 | filecheck %s --check-prefix=RUN
// RUN: alpha inspect %examples/diabetes_adam.mlir | filecheck %s --check-prefix=INSPECT
