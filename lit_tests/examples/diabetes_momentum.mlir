// RUN: alpha-opt %examples/diabetes_momentum.mlir -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --print-op-generic -o %t.generic && alpha-opt %t.generic | diff %t -
// RUN: alpha-opt %t.generic --print-op-generic | diff %t.generic -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --check-separability | diff %t -
// RUN: alpha-opt %examples/diabetes_momentum.mlir --resolve-contract | filecheck %s
// RUN: alpha run %examples/diabetes_momentum.mlir --interpret --rounds 5 | filecheck %s --check-prefix=RUN
// RUN: alpha inspect %examples/diabetes_momentum.mlir | filecheck %s --check-prefix=INSPECT
