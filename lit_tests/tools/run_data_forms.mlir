// The same words inline, in .npy files and in one .safetensors file give the same bits.
// RUN: mkdir -p %t && cd %t
// RUN: python3 %S/Inputs/make_samples.py
// RUN: alpha run %examples/least_squares_adam.mlir --interpret --rounds 20 > inline.txt
// RUN: alpha inspect %examples/least_squares_adam.mlir > inline.digest
// RUN: python3 %S/Inputs/replace_samples.py %examples/least_squares_adam.mlir '"x.npy", "y.npy"' > npy.mlir
// RUN: alpha run npy.mlir --interpret --rounds 20 | diff inline.txt -
// RUN: alpha inspect npy.mlir | diff inline.digest -
// RUN: python3 %S/Inputs/replace_samples.py %examples/least_squares_adam.mlir '"all.safetensors"["x"], "all.safetensors"["y"]' > tensors.mlir
// RUN: alpha run tensors.mlir --interpret --rounds 20 | diff inline.txt -
// RUN: alpha inspect tensors.mlir | diff inline.digest -

// Files lie beside the learner, wherever the run is started; from standard input, where it is started.
// RUN: mkdir -p elsewhere && cd elsewhere
// RUN: alpha run ../npy.mlir --interpret --rounds 20 | diff ../inline.txt -
// RUN: not alpha run - --interpret --rounds 20 < ../npy.mlir 2>&1 | filecheck %s
// CHECK: {{^}}alpha: error: cannot read x.npy: No such file or directory{{$}}
// RUN: cd ..
// RUN: alpha run - --interpret --rounds 20 < npy.mlir | diff inline.txt -
