// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A state begins with finite words. Bits in hexadecimal can say others.

// expected-error@+1 {{[numeric-nonfinite] expected finite words of @w at version 0, found inf}}
region.state @w : f64 = 0x7FF0000000000000

// -----

// accepted: the largest finite word
region.state @w : f64 = 0x7FEFFFFFFFFFFFFF

// -----

// expected-error@+1 {{[numeric-nonfinite] expected finite words of @w at version 0, found -inf}}
region.state @w : f32 = 0xFF800000

// -----

// accepted:
region.state @w : f32 = 0xFF7FFFFF

// -----

// expected-error@+1 {{[numeric-nonfinite] expected finite words of @w at version 0, found nan at coordinate [0]}}
region.state @w : tensor<3xf64> = dense<0x7FF8000000000000>

// -----

// accepted:
region.state @w : tensor<3xf64> = dense<0x3FF8000000000000>

// -----

// The coordinate is the first one in row-major order.

// expected-error@+1 {{[numeric-nonfinite] expected finite words of @w at version 0, found inf at coordinate [1, 1]}}
region.state @w : tensor<2x2xf32> = dense<[[1.0, 2.0], [3.0, 0x7F800000]]>

// -----

// accepted:
region.state @w : tensor<2x2xf32> = dense<[[1.0, 2.0], [3.0, 0x7F7FFFFF]]>

// -----

// accepted: a tensor without words has no word that isn't finite.
region.state @w : tensor<0xf64> = dense<0x7FF0000000000000>

// -----

// accepted: a constant may be infinite, since only state is published.
region.constant @most : f64 = 0x7FF0000000000000

// A file's words are looked at when they are opened.
// RUN: python3 %S/Inputs/make_arrays.py %t
// RUN: cd %t
// RUN: sed 's/SOURCE/"nan.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=FILE
// FILE: <stdin>:3:3: error: [numeric-nonfinite] expected finite words of @w at version 0, found nan at coordinate [1]
// RUN: sed 's/SOURCE/"right.npy"/' %S/Inputs/from_file.mlir | alpha run - --interpret

// A scalar's word is named without an index there, too.
// RUN: sed -e 's/SOURCE/"scalar.npy"/' -e 's/tensor<2xf64>/f64/g' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=SCALAR
// SCALAR: <stdin>:3:3: error: [numeric-nonfinite] expected finite words of @w at version 0, found inf{{$}}

// A round that ends in a word that isn't finite publishes nothing.
// RUN: alpha run %S/Inputs/doubling.mlir --interpret --rounds 2 | filecheck %s --check-prefix=DONE
// DONE: state sha256:{{[0-9a-f]+}}
// RUN: not alpha run %S/Inputs/doubling.mlir --interpret --rounds 3 > %t.out 2> %t.err
// RUN: filecheck %s --check-prefix=ROUND < %t.err
// ROUND: doubling.mlir:{{.*}}: error: [numeric-nonfinite] expected finite words of @w at version 3, found inf at coordinate [1]
// RUN: filecheck %s --check-prefix=NOTHING < %t.out
// NOTHING-NOT: state sha256
