// RUN: alpha-opt %s --split-input-file --verify-diagnostics --lower-memref | filecheck %s

// A constant index is the offset; what varies is multiplied by its stride in bytes.
// CHECK-LABEL: func.func @load(
// CHECK-SAME: %m: !ptr_xdsl.ptr, %i: index) -> f64 {
// CHECK: [[width:%.+]] = arith.constant 24 : index
// CHECK-NEXT: [[row:%.+]] = arith.muli %i, [[width]] : index
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %m, [[row]]
// CHECK-NEXT: [[offset:%.+]] = arith.constant 16 : index
// CHECK-NEXT: [[word:%.+]] = ptr_xdsl.ptradd [[at]], [[offset]]
// CHECK-NEXT: ptr_xdsl.load [[word]] : !ptr_xdsl.ptr -> f64
func.func @load(%m : memref<?x3xf64>, %i : index) -> f64 {
  %two = arith.constant 2 : index
  %x = memref.load %m[%i, %two] : memref<?x3xf64>
  func.return %x : f64
}

// What is added to an index goes to the offset, too; vectors are loaded as their element is.
// CHECK-LABEL: func.func @vectors(
// CHECK: [[width:%.+]] = arith.constant 4 : index
// CHECK-NEXT: [[row:%.+]] = arith.muli %i, [[width]] : index
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %m, [[row]]
// CHECK-NEXT: [[offset:%.+]] = arith.constant 20 : index
// CHECK-NEXT: [[word:%.+]] = ptr_xdsl.ptradd [[at]], [[offset]]
// CHECK-NEXT: ptr_xdsl.load [[word]] : !ptr_xdsl.ptr -> vector<4xf32>
// CHECK: ptr_xdsl.store %{{.+}}, %m : vector<4xf32>, !ptr_xdsl.ptr
func.func @vectors(%m : memref<?xf32>, %i : index) {
  %five = arith.constant 5 : index
  %zero = arith.constant 0 : index
  %j = arith.addi %i, %five : index
  %x = vector.load %m[%j] : memref<?xf32>, vector<4xf32>
  vector.store %x, %m[%zero] : memref<?xf32>, vector<4xf32>
  func.return
}

// What the accesses of a block share is computed once, before the first of them; those of a block
// inside compute it again, since that may be left out.
// CHECK-LABEL: func.func @shared(
// CHECK: [[row:%.+]] = arith.muli %i, %{{.+}} : index
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %m, [[row]]
// CHECK-NEXT: [[x:%.+]] = ptr_xdsl.load [[at]]
// CHECK-NEXT: [[to:%.+]] = ptr_xdsl.ptradd %n, [[row]]
// CHECK-NEXT: ptr_xdsl.store [[x]], [[to]]
// CHECK-NEXT: ptr_xdsl.store [[x]], [[at]]
// CHECK-NEXT: scf.if %go {
// CHECK: [[again:%.+]] = arith.muli %i, %{{.+}} : index
// CHECK-NEXT: [[there:%.+]] = ptr_xdsl.ptradd %n, [[again]]
// CHECK-NEXT: ptr_xdsl.store [[x]], [[there]]
func.func @shared(%m : memref<?xf64>, %n : memref<?xf64>, %i : index, %go : i1) {
  %x = memref.load %m[%i] : memref<?xf64>
  memref.store %x, %n[%i] : memref<?xf64>
  memref.store %x, %m[%i] : memref<?xf64>
  scf.if %go {
    memref.store %x, %n[%i] : memref<?xf64>
  }
  func.return
}

// Places of the frame and names of the module are left, and taken by to_ptr.
// CHECK: "memref.global"() <{sym_name = "table"
// CHECK-LABEL: func.func @places(
// CHECK: [[place:%.+]] = memref.alloca() : memref<4xi64>
// CHECK: [[first:%.+]] = ptr_xdsl.to_ptr [[place]] : memref<4xi64> -> !ptr_xdsl.ptr
// CHECK: ptr_xdsl.store %x, [[first]] : i64, !ptr_xdsl.ptr
// CHECK: [[table:%.+]] = memref.get_global @table : memref<4xi64>
// CHECK: [[second:%.+]] = ptr_xdsl.to_ptr [[table]] : memref<4xi64> -> !ptr_xdsl.ptr
// CHECK: ptr_xdsl.load [[second]] : !ptr_xdsl.ptr -> i64
"memref.global"() <{sym_name = "table", type = memref<4xi64>, sym_visibility = "private", constant,
  initial_value = dense<[1, 2, 3, 4]> : tensor<4xi64>}> : () -> ()
func.func @places(%x : i64) -> i64 {
  %zero = arith.constant 0 : index
  %a = memref.alloca() : memref<4xi64>
  memref.store %x, %a[%zero] : memref<4xi64>
  %t = memref.get_global @table : memref<4xi64>
  %y = memref.load %t[%zero] : memref<4xi64>
  func.return %y : i64
}

// -----

// Only the first extent may be unknown.
func.func @unknown(%m : memref<?x?xf64>, %i : index) -> f64 {
  // expected-error@+1 {{[target-unsupported] expected memrefs in row-major order whose extents behind the first are known, found memref<?x?xf64>}}
  %x = memref.load %m[%i, %i] : memref<?x?xf64>
  func.return %x : f64
}
