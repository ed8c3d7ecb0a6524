// RUN: alpha-opt %s --promote-memory | filecheck %s

"memref.global"() <{sym_name = "table", type = memref<2x2xi32>, sym_visibility = "private", constant,
  initial_value = dense<[[10, 11], [12, 13]]> : tensor<2x2xi32>}> : () -> ()
"memref.global"() <{sym_name = "buffer", type = memref<2xi32>, sym_visibility = "private",
  initial_value = dense<[1, 2]> : tensor<2xi32>}> : () -> ()

// What is stored is used where it would be loaded, also where it is stored a second time.
// CHECK-LABEL: func.func @promoted(
// CHECK-NOT: memref
// CHECK: [[s:%.+]] = arith.addi %x, %y : i32
// CHECK: [[t:%.+]] = arith.addi [[s]], %y : i32
// CHECK: func.return [[t]] : i32
func.func @promoted(%x : i32, %y : i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  memref.store %y, %m[%c1] : memref<2xi32>
  %a = memref.load %m[%c0] : memref<2xi32>
  %b = memref.load %m[%c1] : memref<2xi32>
  %s = arith.addi %a, %b : i32
  memref.store %s, %m[%c0] : memref<2xi32>
  %c = memref.load %m[%c0] : memref<2xi32>
  %d = memref.load %m[%c1] : memref<2xi32>
  %t = arith.addi %c, %d : i32
  func.return %t : i32
}

// A constant of a table that nothing changes; one that may be changed is loaded.
// CHECK-LABEL: func.func @constants(
// CHECK: arith.constant 12 : i32
// CHECK: memref.get_global @buffer
// CHECK-NEXT: memref.load
func.func @constants() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.get_global @table : memref<2x2xi32>
  %x = memref.load %t[%c1, %c0] : memref<2x2xi32>
  %b = memref.get_global @buffer : memref<2xi32>
  %y = memref.load %b[%c1] : memref<2xi32>
  %s = arith.addi %x, %y : i32
  func.return %s : i32
}

// A place outside of it is left, since it may never be loaded; it is no other place of the table.
// CHECK-LABEL: func.func @outside(
// CHECK-COUNT-3: memref.load
func.func @outside() -> i32 {
  %back = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %t = memref.get_global @table : memref<2x2xi32>
  %x = memref.load %t[%c0, %back] : memref<2x2xi32>
  %y = memref.load %t[%c0, %c3] : memref<2x2xi32>
  %z = memref.load %t[%c3, %c0] : memref<2x2xi32>
  %s = arith.addi %x, %y : i32
  %r = arith.addi %s, %z : i32
  func.return %r : i32
}

// Left alone: a place that isn't known, one that is loaded before it is stored, accesses in several
// blocks, and an array whose address goes elsewhere.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-4: memref.alloca
func.func @left(%i : index, %x : i32, %p : i1) -> i32 {
  %c0 = arith.constant 0 : index
  %unknown = memref.alloca() : memref<2xi32>
  memref.store %x, %unknown[%i] : memref<2xi32>
  %a = memref.load %unknown[%c0] : memref<2xi32>
  %early = memref.alloca() : memref<2xi32>
  %b = memref.load %early[%c0] : memref<2xi32>
  memref.store %x, %early[%c0] : memref<2xi32>
  %split = memref.alloca() : memref<2xi32>
  memref.store %x, %split[%c0] : memref<2xi32>
  %c = scf.if %p -> (i32) {
    %d = memref.load %split[%c0] : memref<2xi32>
    scf.yield %d : i32
  } else {
    scf.yield %x : i32
  }
  %passed = memref.alloca() : memref<2xi32>
  memref.store %x, %passed[%c0] : memref<2xi32>
  %q = ptr_xdsl.to_ptr %passed : memref<2xi32> -> !ptr_xdsl.ptr
  %e = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i32
  %s = arith.addi %a, %b : i32
  %t = arith.addi %s, %c : i32
  %u = arith.addi %t, %e : i32
  func.return %u : i32
}

// Left alone too: an array of unknown extent, one in which two places may be the same, and a name
// that is another global in a module of its own.
// CHECK-LABEL: func.func @odd(
// CHECK: memref.alloca(%n)
// CHECK: memref.load %unknown
// CHECK: memref.alloca()
// CHECK: memref.load %folded
func.func @odd(%n : index, %x : i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unknown = memref.alloca(%n) : memref<?xi32>
  memref.store %x, %unknown[%c0] : memref<?xi32>
  %a = memref.load %unknown[%c0] : memref<?xi32>
  %folded = memref.alloca() : memref<2xi32, affine_map<(i) -> (0)>>
  memref.store %x, %folded[%c0] : memref<2xi32, affine_map<(i) -> (0)>>
  memref.store %a, %folded[%c1] : memref<2xi32, affine_map<(i) -> (0)>>
  %b = memref.load %folded[%c0] : memref<2xi32, affine_map<(i) -> (0)>>
  func.return %b : i32
}
// CHECK-LABEL: func.func @inner(
// CHECK: memref.load
builtin.module {
  "memref.global"() <{sym_name = "table", type = memref<2x2xi32>, sym_visibility = "private",
    initial_value}> : () -> ()
  func.func @inner() -> i32 {
    %c0 = arith.constant 0 : index
    %t = memref.get_global @table : memref<2x2xi32>
    %x = memref.load %t[%c0, %c0] : memref<2x2xi32>
    func.return %x : i32
  }
}
