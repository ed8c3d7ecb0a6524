// RUN: alpha-opt %s --split-input-file --verify-diagnostics

func.func @too_few(%m : memref<?x4xf64>, %i : index) {
  // expected-error@+1 {{[source-structure] expected an index for each of 2 axes, found 1}}
  hint.prefetch %m[%i] : memref<?x4xf64>
  func.return
}

// -----

func.func @of_a_pointer(%p : !ptr_xdsl.ptr, %i : index) {
  // expected-error@+1 {{[source-structure] expected an index for each of 0 axes, found 1}}
  hint.prefetch %p[%i] : !ptr_xdsl.ptr
  func.return
}

// -----

func.func @as_many(%m : memref<?x4xf64>, %p : !ptr_xdsl.ptr, %i : index) {
  hint.prefetch %m[%i, %i] : memref<?x4xf64>
  hint.prefetch %p[] : !ptr_xdsl.ptr
  func.return
}
