// RUN: alpha-opt %s --simplify-code | filecheck %s

// What doesn't vary leaves every loop that it doesn't vary in; what is equal is computed once.
// CHECK-LABEL: func.func @rows(
// CHECK: [[width:%.+]] = arith.constant {origin = "a"} 80 : index
// CHECK: scf.for %i =
// CHECK-NEXT: [[row:%.+]] = arith.muli %i, [[width]] : index
// CHECK-NEXT: [[at:%.+]] = ptr_xdsl.ptradd %p, [[row]]
// CHECK-NEXT: scf.for %j =
// CHECK-NEXT: [[x:%.+]] = ptr_xdsl.load [[at]] : !ptr_xdsl.ptr -> f64
// CHECK-NEXT: ptr_xdsl.store [[x]], [[at]]
func.func @rows(%p : !ptr_xdsl.ptr, %n : index, %one : index) {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      %w = arith.constant {origin = "a"} 80 : index
      %r = arith.muli %i, %w : index
      %a = ptr_xdsl.ptradd %p, %r : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
      %x = ptr_xdsl.load %a : !ptr_xdsl.ptr -> f64
      %v = arith.constant {origin = "b"} 80 : index
      %s = arith.muli %i, %v : index
      %b = ptr_xdsl.ptradd %p, %s : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
      ptr_xdsl.store %x, %b : f64, !ptr_xdsl.ptr
    }
  }
  func.return
}

// Neither does a shift whose count may be the width or more, nor any kind of division; by a constant
// both have a result for all operands, and go.
// CHECK-LABEL: func.func @partial(
// CHECK: arith.floordivsi %a, [[seven:%.+]] : i64
// CHECK: arith.shli %a, [[seven]] : i64
// CHECK: scf.for
// CHECK-DAG: arith.floordivsi %a, %b : i64
// CHECK-DAG: arith.ceildivsi %a, %b : i64
// CHECK-DAG: arith.ceildivui %a, %b : i64
// CHECK-DAG: arith.shrui %a, %b : i64
// CHECK: ptr_xdsl.store
func.func @partial(%p : !ptr_xdsl.ptr, %a : i64, %b : i64, %n : index, %one : index) {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %n step %one {
    %q = arith.floordivsi %a, %b : i64
    %r = arith.ceildivsi %a, %b : i64
    %s = arith.ceildivui %a, %b : i64
    %t = arith.shrui %a, %b : i64
    %seven = arith.constant 7 : i64
    %u = arith.floordivsi %a, %seven : i64
    %v = arith.shli %a, %seven : i64
    %x = arith.addi %q, %r : i64
    %y = arith.addi %s, %t : i64
    %z = arith.addi %u, %v : i64
    %w = arith.addi %x, %y : i64
    %k = arith.addi %w, %z : i64
    ptr_xdsl.store %k, %p : i64, !ptr_xdsl.ptr
  }
  func.return
}

// A division may stop the program, so it stays; loads stay, since a store may come between; what an
// arm computes isn't known in the other one; what nobody uses goes.
// CHECK-LABEL: func.func @stays(
// CHECK: scf.for
// CHECK-NEXT: [[x:%.+]] = ptr_xdsl.load %p
// CHECK-NEXT: ptr_xdsl.store [[x]], %p
// CHECK-NEXT: [[y:%.+]] = ptr_xdsl.load %p
// CHECK-NEXT: ptr_xdsl.store [[y]], %p
// CHECK-NEXT: [[q:%.+]] = arith.divui %a, %b : i64
// CHECK-NEXT: ptr_xdsl.store [[q]], %p
// CHECK-NOT: arith.xori
// CHECK: scf.if
// CHECK-NEXT: arith.addi %a, %b : i64
// CHECK: else
// CHECK-NEXT: arith.addi %a, %b : i64
func.func @stays(%p : !ptr_xdsl.ptr, %a : i64, %b : i64, %c : i1, %n : index, %one : index) -> i64 {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %n step %one {
    %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> f64
    ptr_xdsl.store %x, %p : f64, !ptr_xdsl.ptr
    %y = ptr_xdsl.load %p : !ptr_xdsl.ptr -> f64
    ptr_xdsl.store %y, %p : f64, !ptr_xdsl.ptr
    %q = arith.divui %a, %b : i64
    ptr_xdsl.store %q, %p : i64, !ptr_xdsl.ptr
    %u = arith.xori %a, %b : i64
  }
  %r = scf.if %c -> (i64) {
    %s = arith.addi %a, %b : i64
    scf.yield %s : i64
  } else {
    %t = arith.addi %a, %b : i64
    scf.yield %t : i64
  }
  func.return %r : i64
}
