// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What the text can say wrong about a file: its kind ...

// expected-error@+1 {{[region-data-file] expected a .npy or .safetensors file, found 'x.csv'}}
region.state @w : tensor<2xf64> from "x.csv"

// -----

// expected-error@+1 {{[region-data-file] expected a .npy or .safetensors file, found 'npy'}}
region.state @w : tensor<2xf64> from "npy"

// -----

// expected-error@+1 {{[region-data-file] expected a .npy or .safetensors file, found 'x.csv'}}
region.samples @data[2] : (f64, f64) from "x.npy", "x.csv"

// -----

// accepted:
region.samples @data[2] : (f64, f64) from "x.npy", "y.npy"

// -----

// expected-error@+1 {{[region-data-file] expected a path without a NUL, found 'x\x00.npy'}}
region.state @w : tensor<2xf64> from "x\00.npy"

// -----

// accepted:
region.state @w : tensor<2xf64> from "x\20.npy"

// -----

// ... the tensor in it ...

// expected-error@+1 {{[region-data-file] expected the name of a tensor after x.safetensors, found none}}
region.state @w : tensor<2xf64> from "x.safetensors"

// -----

// accepted:
region.state @w : tensor<2xf64> from "x.safetensors"["w"]

// -----

// ... or a name where there is only one array.

// expected-error@+1 {{[region-data-file] expected no name of a tensor after x.npy, found 'w'}}
region.state @w : tensor<2xf64> from "x.npy"["w"]

// -----

// accepted:
region.state @w : tensor<2xf64> from "x.npy"

// What the file itself shows when it is opened.
// RUN: python3 %S/Inputs/make_arrays.py %t
// RUN: cd %t

// RUN: sed 's/SOURCE/"text.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=FORMAT
// FORMAT: <stdin>:3:3: error: [region-data-file] expected an array in .npy format, found text.npy: {{.+}}

// RUN: sed 's/SOURCE/"shorter.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=SHORTER
// SHORTER: <stdin>:3:3: error: [region-data-file] expected an array in .npy format, found shorter.npy: {{.+}}

// RUN: sed 's/SOURCE/"object.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=OBJECT
// OBJECT: <stdin>:3:3: error: [region-data-file] expected float32 or float64 words in object.npy, found Python objects{{$}}

// RUN: sed 's/SOURCE/"longer.npy"/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=LONGER
// LONGER: <stdin>:3:3: error: [region-data-file] expected the end of longer.npy, found further bytes

// RUN: sed 's/SOURCE/"right.npy"/' %S/Inputs/from_file.mlir | alpha run - --interpret | filecheck %s --check-prefix=RIGHT

// RUN: sed 's/SOURCE/"text.safetensors"["w"]/' %S/Inputs/from_file.mlir | not alpha run - --interpret 2>&1 | filecheck %s --check-prefix=TENSORS
// TENSORS: <stdin>:3:3: error: [region-data-file] expected tensors in .safetensors format, found text.safetensors: {{.+}}

// RUN: sed 's/SOURCE/"right.safetensors"["u"]/' %S/Inputs/from_file.mlir | not alpha inspect - 2>&1 | filecheck %s --check-prefix=TENSOR
// TENSOR: <stdin>:3:3: error: [region-data-file] expected one of the tensors v, w, found 'u' of right.safetensors

// RUN: sed 's/SOURCE/"right.safetensors"["w"]/' %S/Inputs/from_file.mlir | alpha run - --interpret | filecheck %s --check-prefix=RIGHT
// RIGHT: state sha256:5fe7be7c3799515c496bb6ed8557270afd5d40c3748355acd8f1e15cb90d5562
