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

// A scalar is saved as one, without an axis, and words in row-major order however they came about:
// what was saved is read back, and a second transposition gives the first words again.
// RUN: alpha run %S/Inputs/transposing.mlir --interpret --rounds 1 --save one.safetensors
// RUN: python3 -c "from safetensors.numpy import load_file; print(sorted((k, list(v.shape), v.tolist()) for k, v in load_file('one.safetensors').items()))" | filecheck %s --check-prefix=SHAPES
// SHAPES: [('s', [], 2.0), ('w', [2, 2], [{{\[}}1.0, 3.0], [2.0, 4.0{{\]}}])]
// RUN: sed -e 's/@w : \(.*\) = dense<.*>$/@w : \1 from "one.safetensors"["w"]/' -e 's/@s : f64 = 1.0/@s : f64 from "one.safetensors"["s"]/' %S/Inputs/transposing.mlir > again.mlir
// RUN: alpha run again.mlir --interpret --rounds 1 --save two.safetensors
// RUN: python3 -c "from safetensors.numpy import load_file; print(sorted((k, v.tolist()) for k, v in load_file('two.safetensors').items()))" | filecheck %s --check-prefix=TWICE
// TWICE: [('s', 4.0), ('w', [{{\[}}1.0, 2.0], [3.0, 4.0{{\]}}])]
