// RUN: alpha-opt %s --split-input-file --select-ptx --verify-diagnostics | filecheck %s

// Parameters lie in memory of their own; a comparison is a value like others.
// CHECK-LABEL: ptx.func @less in () slots [] out 0
// CHECK: %[[P:.+]] = ptx.load_param_x [in]
// CHECK: %[[N:.+]] = ptx.load_param_x [in + 8]
// CHECK: %[[A:.+]] = ptx.add_x %[[P]], {{.*}}
// CHECK: %[[X:.+]] = ptx.load_global_d [%[[A]]]
// CHECK: %[[T:.+]] = ptx.setp_d %[[X]], %{{.+}}, "lt"
// CHECK: %[[S:.+]] = ptx.selp_d %[[X]], %{{.+}}, %[[T]]
// CHECK: ptx.store_global_d [%[[A]]], %[[S]]
// CHECK: ptx.return
func.func @less(%p : !ptr_xdsl.ptr, %n : i64) {
  %eight = arith.constant 8 : i64
  %o = arith.muli %n, %eight : i64
  %a = ptr_xdsl.ptradd %p, %o : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %a : !ptr_xdsl.ptr -> f64
  %one = arith.constant 1.0 : f64
  %t = arith.cmpf olt, %x, %one : f64
  %s = arith.select %t, %x, %one : f64
  ptr_xdsl.store %s, %a : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// What a block shares is an array of the kernel, at an address of its own.
// CHECK-LABEL: ptx.func @shared in () slots [2048 : 8] out 0
// CHECK: %[[T:.+]] = ptx.thread
// CHECK: %[[A:.+]] = ptx.address [slot 0]
// CHECK: ptx.store_shared_d
// CHECK: ptx.barrier
// CHECK: ptx.load_shared_d
// CHECK: ptx.shuffle_down %{{.+}}, 4, 31
func.func @shared(%p : !ptr_xdsl.ptr) {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> f64
  %m = memref.alloca() : memref<256xf64, "workgroup">
  %q = ptr_xdsl.to_ptr %m : memref<256xf64, "workgroup"> -> !ptr_xdsl.ptr
  %eight = arith.constant 8 : index
  %o = arith.muli %t, %eight : index
  %a = ptr_xdsl.ptradd %q, %o : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  ptr_xdsl.store %x, %a : f64, !ptr_xdsl.ptr
  "gpu.barrier"() : () -> ()
  %y = ptr_xdsl.load %a : !ptr_xdsl.ptr -> f64
  %z = gpu.shuffle down %y, 4 width 32 : f64
  ptr_xdsl.store %z, %p : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// expected-error @+2 {{expected arrays of the address space "workgroup", which the threads of a block share, found memref<4xf64>}}
func.func @own() {
  %m = memref.alloca() : memref<4xf64>
  func.return
}

// -----

// expected-error @+1 {{expected at most 49152 bytes that the threads of a block share, found 49160}}
func.func @too_much(%p : !ptr_xdsl.ptr) {
  %m = memref.alloca() : memref<6145xf64, "workgroup">
  %q = ptr_xdsl.to_ptr %m : memref<6145xf64, "workgroup"> -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %q : !ptr_xdsl.ptr -> f64
  ptr_xdsl.store %x, %p : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// CHECK-LABEL: ptx.func @enough in () slots [49152 : 8] out 0
func.func @enough(%p : !ptr_xdsl.ptr) {
  %m = memref.alloca() : memref<6144xf64, "workgroup">
  %q = ptr_xdsl.to_ptr %m : memref<6144xf64, "workgroup"> -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %q : !ptr_xdsl.ptr -> f64
  ptr_xdsl.store %x, %p : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// expected-error @+3 {{expected kernels, which return nothing, found 1 results}}
func.func @one() -> i64 {
  %one = arith.constant 1 : i64
  func.return %one : i64
}

// -----

// expected-error @+3 {{expected threads along x, found y}}
func.func @y(%p : !ptr_xdsl.ptr) {
  %c = arith.constant 1.0 : f64
  %t = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
  ptr_xdsl.store %c, %p : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// expected-error @+3 {{expected operations that ptx has rows for, found math.sin on f64}}
func.func @sine(%p : !ptr_xdsl.ptr) {
  %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> f64
  %y = math.sin %x : f64
  ptr_xdsl.store %y, %p : f64, !ptr_xdsl.ptr
  func.return
}

// -----

// expected-error @+1 {{expected parameters of a kernel that are pointers or i32, i64, f32, f64, found i1}}
func.func @flag(%b : i1) {
  func.return
}

// -----

// CHECK-LABEL: ptx.func @number in () slots [] out 0
// CHECK: ptx.load_param_w [in]
// CHECK-NEXT: ptx.load_param_s [in + 8]
func.func @number(%b : i32, %x : f32) {
  func.return
}
