// RUN: python3 %S/Inputs/make_arrays.py %t
// RUN: cd %t

// The shape of a file is that of the words.
// RUN: sed 's/SOURCE/"three.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=SHAPE
// SHAPE: <stdin>:3:3: error: [region-data-extent] expected float64 [2] in three.npy for tensor<2xf64>, found float64 [3]

// RUN: sed 's/SOURCE/"right.safetensors"["v"]/' %S/Inputs/from_file.mlir | not alpha inspect - 2>&1 | filecheck %s --check-prefix=RANK
// RANK: <stdin>:3:3: error: [region-data-extent] expected float64 [2] in right.safetensors["v"] for tensor<2xf64>, found float64 [2, 1]

// accepted:
// RUN: sed 's/SOURCE/"right.npy"/' %S/Inputs/from_file.mlir | alpha run - --interpret | filecheck %s --check-prefix=RIGHT

// So is its type: nothing is rounded or widened.
// RUN: sed 's/SOURCE/"single.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=SINGLE
// SINGLE: <stdin>:3:3: error: [region-data-extent] expected float64 [2] in single.npy for tensor<2xf64>, found float32 [2]

// RUN: sed 's/SOURCE/"integer.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=INTEGER
// INTEGER: <stdin>:3:3: error: [region-data-extent] expected float64 [2] in integer.npy for tensor<2xf64>, found int64 [2]

// accepted: the other order of bytes, which is the same words
// RUN: sed 's/SOURCE/"big_endian.npy"/' %S/Inputs/from_file.mlir | alpha run - --interpret | filecheck %s --check-prefix=RIGHT
// RIGHT: state sha256:5fe7be7c3799515c496bb6ed8557270afd5d40c3748355acd8f1e15cb90d5562

// A component's file has the samples as its first axis.
// RUN: sed 's/SOURCE/"three.npy"/' %S/Inputs/samples_from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=SAMPLES
// SAMPLES: <stdin>:4:3: error: [region-data-extent] expected float64 [2, 3] in three.npy for tensor<2x3xf64>, found float64 [3]

// accepted: columns first in the file, which is the same words
// RUN: sed 's/SOURCE/"fortran.npy"/' %S/Inputs/samples_from_file.mlir | alpha run - --interpret | filecheck %s --check-prefix=ONES
// ONES: state sha256:e54dbbd750942059f3a41f0dbfa0cf54d01cd2a7ceff6dfb9b591a84e85571de
