// What a program in `linalg` computes is said by the pass that converts it, and by nothing else.
// RUN: alpha-opt %s --resolve-contract | filecheck %s --check-prefix=KEPT
// KEPT: %w1 = linalg.sub ins(%w, %g : tensor<3xf64>, tensor<3xf64>) outs(%w : tensor<3xf64>) -> tensor<3xf64>

// RUN: python3 %S/../Inputs/status.py 1 alpha run %s --interpret 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: python3 %S/../Inputs/status.py 1 alpha inspect %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: python3 %S/../Inputs/status.py 1 alpha inspect %examples/linear_predictor.mlir --against %s 2>&1 | filecheck %s --check-prefix=REFUSED
// REFUSED: linalg_unconverted.mlir:{{[0-9]+}}:5: error: [target-unsupported] expected pointwise operations alone: run --convert-linalg-to-pointwise first, found arith.constant of tensor<f64>{{$}}
// REFUSED-NEXT: %i = arith.constant dense<0.0> : tensor<f64>
// REFUSED-NOT: Traceback
// RUN: not alpha-opt %s --check-separability 2>&1 | filecheck %s --check-prefix=SEPARABLE
// SEPARABLE: linalg_unconverted.mlir:{{[0-9]+}}:5: error: [target-unsupported] expected pointwise operations alone: run --convert-linalg-to-pointwise first, found linalg.sub{{$}}

// Behind the pass everything is as with any other learner, whichever form it was written in.
// RUN: alpha-opt %s --convert-linalg-to-pointwise --check-separability -o %t
// RUN: alpha run %t --interpret=learner --rounds=2 | filecheck %s --check-prefix=HEADING
// RUN: alpha inspect %t | filecheck %s --check-prefix=INSPECT
// RUN: alpha-opt %s --print-op-generic -o %t.generic
// RUN: alpha-opt %t.generic --convert-linalg-to-pointwise | diff %t -
// RUN: alpha-opt %s --convert-linalg-to-pointwise --resolve-contract -o %t.first
// RUN: alpha-opt %s --resolve-contract --convert-linalg-to-pointwise | diff %t.first -
// HEADING: {{^}}learner in_linalg: 2 samples
// INSPECT: {{^}}separable{{$}}

region.learner @in_linalg {
  region.state @w : tensor<3xf64> = dense<1.0>
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<[[1.0, 2.0, 3.0], [0.5, -0.0, -1.0]]>, dense<[2.0, -1.0]>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>, %y : f64) -> (tensor<3xf64>) {
    %i = arith.constant dense<0.0> : tensor<f64>
    %d = linalg.dot ins(%w, %x : tensor<3xf64>, tensor<3xf64>) outs(%i : tensor<f64>) -> tensor<f64>
    %p = tensor.extract %d[] : tensor<f64>
    %r = arith.subf %p, %y : f64
    %e = tensor.empty() : tensor<3xf64>
    %rs = linalg.fill ins(%r : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    %g = linalg.mul ins(%x, %rs : tensor<3xf64>, tensor<3xf64>) outs(%e : tensor<3xf64>) -> tensor<3xf64>
    pointwise.return %g
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = linalg.sub ins(%w, %g : tensor<3xf64>, tensor<3xf64>) outs(%w : tensor<3xf64>) -> tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
