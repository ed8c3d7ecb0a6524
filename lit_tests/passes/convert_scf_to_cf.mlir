// RUN: alpha-opt %s --convert-scf-to-cf | filecheck %s

// A loop is tested before it is entered, and at the end of each iteration.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: [[first:%.+]] = arith.cmpi slt, %a, %b : index
// CHECK-NEXT: cf.cond_br [[first]], ^[[body:bb[0-9]+]](%a, %z : index, f64), ^[[exit:bb[0-9]+]](%z : f64)
// CHECK-NEXT: ^[[body]](%i: index, %s: f64):
// CHECK-NEXT: %t = arith.addf %s, %s : f64
// CHECK-NEXT: [[next:%.+]] = arith.addi %i, %c : index
// CHECK-NEXT: [[again:%.+]] = arith.cmpi slt, [[next]], %b : index
// CHECK-NEXT: cf.cond_br [[again]], ^[[body]]([[next]], %t : index, f64), ^[[exit]](%t : f64)
// CHECK-NEXT: ^[[exit]](%r: f64):
// CHECK-NEXT: func.return %r : f64
func.func @loop(%a : index, %b : index, %c : index, %z : f64) -> f64 {
  %r = scf.for %i = %a to %b step %c iter_args(%s = %z) -> (f64) {
    %t = arith.addf %s, %s : f64
    scf.yield %t : f64
  }
  func.return %r : f64
}

// One that runs at least once isn't tested before.
// CHECK-LABEL: func.func @known(
// CHECK-NOT: cf.cond_br
// CHECK: cf.br ^[[body:bb[0-9]+]](%{{.+}} : index)
// CHECK: ^[[body]](
func.func @known() {
  %zero = arith.constant 0 : index
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %ten step %one {
  }
  func.return
}

// A loop by a condition goes back to its test.
// CHECK-LABEL: func.func @until(
// CHECK: cf.br ^[[test:bb[0-9]+]](%n : i64)
// CHECK-NEXT: ^[[test]](%k: i64):
// CHECK: cf.cond_br %{{.+}}, ^[[body:bb[0-9]+]](%k : i64), ^[[exit:bb[0-9]+]](%k : i64)
// CHECK-NEXT: ^[[body]](%j: i64):
// CHECK: cf.br ^[[test]](%{{.+}} : i64)
// CHECK-NEXT: ^[[exit]](%r: i64):
func.func @until(%n : i64) -> i64 {
  %one = arith.constant 1 : i64
  %r = scf.while (%k = %n) : (i64) -> i64 {
    %p = arith.cmpi sgt, %k, %one : i64
    scf.condition(%p) %k : i64
  } do {
  ^bb0(%j : i64):
    %h = arith.shrui %j, %one : i64
    scf.yield %h : i64
  }
  func.return %r : i64
}

// Conditions, with one arm or two, nested.
// CHECK-LABEL: func.func @choice(
// CHECK: cf.cond_br %p, ^[[then:bb[0-9]+]], ^[[else:bb[0-9]+]]
// CHECK-NEXT: ^[[then]]:
// CHECK-NEXT: cf.cond_br %q, ^[[inner:bb[0-9]+]], ^[[after:bb[0-9]+]]
// CHECK-NEXT: ^[[inner]]:
// CHECK-NEXT: memref.store %x, %m[] : memref<f64>
// CHECK-NEXT: cf.br ^[[after]]
// CHECK-NEXT: ^[[after]]:
// CHECK-NEXT: cf.br ^[[join:bb[0-9]+]](%x : f64)
// CHECK-NEXT: ^[[else]]:
// CHECK-NEXT: cf.br ^[[join]](%y : f64)
// CHECK-NEXT: ^[[join]](%r: f64):
func.func @choice(%p : i1, %q : i1, %x : f64, %y : f64, %m : memref<f64>) -> f64 {
  %r = scf.if %p -> (f64) {
    scf.if %q {
      memref.store %x, %m[] : memref<f64>
    }
    scf.yield %x : f64
  } else {
    scf.yield %y : f64
  }
  func.return %r : f64
}

// A switch compares with one case after another.
// CHECK-LABEL: func.func @switch(
// CHECK: arith.constant 2 : index
// CHECK: arith.cmpi eq, %k
// CHECK: arith.constant 5 : index
// CHECK: arith.cmpi eq, %k
// CHECK: func.return %r : i64
func.func @switch(%k : index, %x : i64, %y : i64, %z : i64) -> i64 {
  %r = scf.index_switch %k -> i64
  case 2 {
    scf.yield %x : i64
  }
  case 5 {
    scf.yield %y : i64
  }
  default {
    scf.yield %z : i64
  }
  func.return %r : i64
}
