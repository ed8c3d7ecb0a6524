// RUN: alpha-opt %s | alpha-opt | filecheck %s
// RUN: alpha-opt %s --print-op-generic | alpha-opt | filecheck %s

// CHECK-LABEL: func.func @near(
func.func @near(%m : memref<?x4xf64>, %s : memref<f64>, %p : !ptr_xdsl.ptr, %i : index) {
  // CHECK-NEXT: hint.prefetch %m[%i, %i] : memref<?x4xf64>
  hint.prefetch %m[%i, %i] : memref<?x4xf64>
  // CHECK-NEXT: hint.prefetch %s[] {origin = "a"} : memref<f64>
  hint.prefetch %s[] {origin = "a"} : memref<f64>
  // CHECK-NEXT: hint.prefetch %p[] : !ptr_xdsl.ptr
  hint.prefetch %p[] : !ptr_xdsl.ptr
  func.return
}
