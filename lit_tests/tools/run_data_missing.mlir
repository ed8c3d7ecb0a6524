// A data file that can't be opened is a failure of input, not a refusal of the learner.
// RUN: mkdir -p %t && cd %t
// RUN: sed 's/SOURCE/"absent.npy"/' %S/../refusals/Inputs/from_file.mlir > absent.mlir
// RUN: not alpha run absent.mlir --interpret 2>&1 | filecheck %s --check-prefix=ARRAY
// ARRAY: {{^}}alpha: error: cannot read absent.npy: No such file or directory{{$}}
// RUN: sed 's/SOURCE/"absent.safetensors"["w"]/' %S/../refusals/Inputs/from_file.mlir > absent.mlir
// RUN: not alpha run absent.mlir --interpret 2>&1 | filecheck %s --check-prefix=TENSOR
// TENSOR: {{^}}alpha: error: cannot read absent.safetensors: No such file or directory{{$}}
// RUN: sed 's/SOURCE/"folder.npy"/' %S/../refusals/Inputs/from_file.mlir > folder.mlir
// RUN: mkdir -p folder.npy
// RUN: not alpha run folder.mlir --interpret 2>&1 | filecheck %s --check-prefix=FOLDER
// FOLDER: {{^}}alpha: error: cannot read folder.npy: Is a directory{{$}}

// So it is for alpha inspect.
// RUN: not alpha inspect absent.mlir 2>&1 | filecheck %s --check-prefix=TENSOR

// alpha-opt never opens data files.
// RUN: alpha-opt absent.mlir | filecheck %s --check-prefix=OPT
// OPT: region.state @w : tensor<2xf64> from "absent.safetensors"["w"]
