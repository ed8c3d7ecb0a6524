// The final state as .safetensors, from which another run goes on: 2 rounds and 3 are 5.
// RUN: mkdir -p %t && cd %t
// RUN: alpha run %examples/least_squares_momentum.mlir --interpret --rounds 5 --save five.safetensors | tail -n 1 > five.txt
// RUN: alpha run %examples/least_squares_momentum.mlir --interpret --rounds 2 --save two.safetensors
// RUN: sed -e 's/@w : tensor<4xf64> = dense<0.0>/@w : tensor<4xf64> from "two.safetensors"["w"]/' -e 's/@u : tensor<4xf64> = dense<0.0>/@u : tensor<4xf64> from "two.safetensors"["u"]/' %examples/least_squares_momentum.mlir > going_on.mlir
// RUN: alpha run going_on.mlir --interpret --rounds 3 | tail -n 1 | diff five.txt -

// What is saved says whose state it is.
// RUN: python3 -c "from safetensors import safe_open; print(sorted(safe_open('five.safetensors', 'numpy').metadata().items()))" | filecheck %s
// CHECK: [('learner', 'least_squares_momentum'), ('version', '5')]

// A file that is there is replaced as a whole, or stays as it was.
// RUN: cp five.safetensors kept.safetensors
// RUN: not alpha run %S/../refusals/Inputs/doubling.mlir --interpret --rounds 3 --save kept.safetensors
// RUN: diff five.safetensors kept.safetensors
// RUN: ls | filecheck %s --check-prefix=LEFT
// LEFT-NOT: .part
