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

// A wish is for a place as an access would be.
// CHECK-LABEL: func.func @wished(
// CHECK: [[row:%.+]] = arith.muli %i, %{{.+}} : index
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %m, [[row]]
// CHECK-NEXT: [[offset:%.+]] = arith.constant {origin = "a"} 2560 : index
// CHECK-NEXT: [[word:%.+]] = ptr_xdsl.ptradd [[at]], [[offset]]
// CHECK-NEXT: hint.prefetch [[word]][] {origin = "a"} : !ptr_xdsl.ptr
// CHECK-NEXT: hint.prefetch %p[] : !ptr_xdsl.ptr
func.func @wished(%m : memref<?xf64>, %p : !ptr_xdsl.ptr, %i : index) {
  %ahead = arith.constant 320 : index
  %j = arith.addi %i, %ahead : index
  hint.prefetch %m[%j] {origin = "a"} : memref<?xf64>
  hint.prefetch %p[] : !ptr_xdsl.ptr
  func.return
}

// A text is a constant of the module, once for equal ones.
// CHECK-LABEL: func.func @texts(
// CHECK: [[one:%.+]] = memref.get_global @[[NAME:text.[0-9a-f]+]] : memref<3xi8>
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.to_ptr [[one]] : memref<3xi8> -> !ptr_xdsl.ptr
// CHECK-NEXT: [[size:%.+]] = arith.constant 3 : i64
// CHECK-NEXT: memref.get_global @[[NAME]] : memref<3xi8>
// CHECK: return [[at]], [[size]] : !ptr_xdsl.ptr, i64
func.func @texts() -> (!ptr_xdsl.ptr, i64) {
  %at, %size = linux.text "a\C3\A9"
  %again, %same = linux.text "a\C3\A9"
  func.return %at, %size : !ptr_xdsl.ptr, i64
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

// What a function returns, and is given by another, is a pointer; blocks hand memrefs to one another.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME: %m: !ptr_xdsl.ptr, %go: i1) -> !ptr_xdsl.ptr {
// CHECK-NEXT: [[held:%.+]] = ptr_xdsl.from_ptr %m : !ptr_xdsl.ptr -> memref<4xi64>
// CHECK-NEXT: [[got:%.+]] = func.call @returned(%m, %go) : (!ptr_xdsl.ptr, i1) -> !ptr_xdsl.ptr
// CHECK-NEXT: [[other:%.+]] = ptr_xdsl.from_ptr [[got]] : !ptr_xdsl.ptr -> memref<4xi64>
// CHECK-NEXT: cf.cond_br %go, ^{{.+}}([[held]] : memref<4xi64>), ^{{.+}}([[other]] : memref<4xi64>)
// CHECK-NEXT: ^{{.+}}([[one:%.+]]: memref<4xi64>):
// CHECK-NEXT: [[given:%.+]] = ptr_xdsl.to_ptr [[one]]
// CHECK-NEXT: func.return [[given]] : !ptr_xdsl.ptr
func.func @returned(%m : memref<4xi64>, %go : i1) -> memref<4xi64> {
  %n = func.call @returned(%m, %go) : (memref<4xi64>, i1) -> memref<4xi64>
  cf.cond_br %go, ^next(%m : memref<4xi64>), ^next(%n : memref<4xi64>)
^next(%k : memref<4xi64>):
  func.return %k : memref<4xi64>
}

// Offsets have the width of addresses, and their signs.
// CHECK-LABEL: func.func @offsets(
// CHECK-NEXT: [[wide:%.+]] = arith.extsi %i : i32 to i64
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %p, [[wide]] : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
// CHECK: [[back:%.+]] = arith.constant -3 : index
// CHECK-NEXT: ptr_xdsl.ptradd [[at]], [[back]] : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
func.func @offsets(%p : !ptr_xdsl.ptr, %i : i32) -> !ptr_xdsl.ptr {
  %q = ptr_xdsl.ptradd %p, %i : (!ptr_xdsl.ptr, i32) -> !ptr_xdsl.ptr
  %less = arith.constant -3 : i8
  %r = ptr_xdsl.ptradd %q, %less : (!ptr_xdsl.ptr, i8) -> !ptr_xdsl.ptr
  func.return %r : !ptr_xdsl.ptr
}

// A number of bytes wraps as addresses do.
// CHECK-LABEL: func.func @wraps(
// CHECK: arith.constant -8 : index
func.func @wraps(%m : memref<?xf64>) -> f64 {
  %end = arith.constant 9223372036854775807 : index
  %x = memref.load %m[%end] : memref<?xf64>
  func.return %x : f64
}

// -----

// Only the first extent may be unknown.
func.func @unknown(%m : memref<?x?xf64>, %i : index) -> f64 {
  // expected-error@+1 {{[target-unsupported] expected memrefs in row-major order whose extents behind the first are known, found memref<?x?xf64>}}
  %x = memref.load %m[%i, %i] : memref<?x?xf64>
  func.return %x : f64
}

// -----

// accepted:
func.func @known(%m : memref<?x4xf64>, %i : index) -> f64 {
  %x = memref.load %m[%i, %i] : memref<?x4xf64>
  func.return %x : f64
}

// -----

// A frame holds arrays of known extents, also those that nobody uses ...
func.func @unknown(%n : index) {
  // expected-error@+1 {{[target-unsupported] expected an array of known extents in the frame of a function, found memref<?xi64>}}
  %m = memref.alloca(%n) : memref<?xi64>
  func.return
}

// -----

// accepted:
func.func @known(%n : index) {
  %m = memref.alloca() : memref<4xi64>
  func.return
}

// -----

// ... in the only memory that there is ...
func.func @space() {
  // expected-error@+1 {{[target-unsupported] expected memrefs without a memory space, or in that of a block of threads, found memref<4xi64, 3 : i64>}}
  %m = memref.alloca() : memref<4xi64, 3>
  func.return
}

// -----

// accepted:
func.func @space() {
  %m = memref.alloca() : memref<4xi64>
  func.return
}

// -----

// ... and one array for all turns of a loop, so that a turn can't hand its own to the next.
func.func @turns(%n : index, %m : memref<1xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%p = %m) -> (memref<1xi64>) {
    // expected-error@+1 {{[target-unsupported] expected an array that is reached in the turn of the loop that has made it alone, found memref<1xi64>, which is handed on}}
    %k = memref.alloca() : memref<1xi64>
    scf.yield %k : memref<1xi64>
  }
  func.return
}

// -----

// accepted:
func.func @turns(%n : index, %m : memref<1xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%p = %m) -> (memref<1xi64>) {
    %k = memref.alloca() : memref<1xi64>
    scf.yield %p : memref<1xi64>
  }
  func.return
}
