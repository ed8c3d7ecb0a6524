// RUN: alpha-opt %s --split-input-file --select-x64 --verify-diagnostics | filecheck %s
// RUN: alpha-opt %s --split-input-file --select-x64="features=avx512" --verify-diagnostics | filecheck %s --check-prefix=WIDE
// RUN: not alpha-opt %s --select-x64="features=foo" 2>&1 | filecheck %s --check-prefix=FEATURE

// FEATURE: error: [target-unsupported] expected features of x64: avx512, sha, found foo

// A load that nothing else uses is the operand of what uses it, and an address is one operand.
// CHECK-LABEL: x64.func @sum in (7, 6, 0)
// CHECK-NEXT: ^bb0(%0: !x64.reg<r64>, %1: !x64.reg<r64>, %2: !x64.reg<d>):
// CHECK-NEXT: %3 = x64.vaddsd_mem %2, [%0 + %1 * 8]
// CHECK-NEXT: x64.ret with %3 in 0
// WIDE: x64.func @sum {{.*}}features = "avx512"
func.func @sum(%p : !ptr_xdsl.ptr, %n : i64, %s : f64) -> f64 {
  %eight = arith.constant 8 : i64
  %o = arith.muli %n, %eight : i64
  %a = ptr_xdsl.ptradd %p, %o : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %a : !ptr_xdsl.ptr -> f64
  %y = arith.addf %s, %x : f64
  func.return %y : f64
}

// A comparison is one row with what uses it: a branch, a choice, the lesser of two.
// CHECK-LABEL: x64.func @smaller
// CHECK: x64.cmp_branch_imm %2, 0, "g" ^bb1, ^bb2
// CHECK: [[least:%.+]] = x64.vminsd %0, %1
// CHECK-NEXT: x64.ret with [[least]] in 0
// CHECK: x64.vcmpsd_select %0, %1, %1, %0, 12
func.func @smaller(%x : f64, %y : f64, %n : i64) -> f64 {
  %zero = arith.constant 0 : i64
  %c = arith.cmpi sgt, %n, %zero : i64
  cf.cond_br %c, ^then, ^else
^then:
  %t = arith.cmpf olt, %x, %y : f64
  %m = arith.select %t, %x, %y : f64
  func.return %m : f64
^else:
  %o = arith.cmpf one, %x, %y : f64
  %k = arith.select %o, %y, %x : f64
  func.return %k : f64
}

// A narrow argument may have anything above it. A name of the module becomes data; a declaration is
// nothing; what is computed for nobody goes.
// CHECK: x64.data private @table align 64 "0100000002000000"
// CHECK-NOT: elsewhere
// CHECK-LABEL: x64.func private @second in (7)
// CHECK: %1 = x64.movzx_8 %0
// CHECK-NEXT: %2 = x64.add_32_mem %1, ["table" + 4]
// CHECK-NEXT: x64.ret with %2 in 0
"memref.global"() <{sym_name = "table", sym_visibility = "private", constant,
  type = memref<2xi32>, initial_value = dense<[1, 2]> : tensor<2xi32>}> : () -> ()
func.func private @elsewhere(i64) -> i64
func.func private @second(%x : i8) -> i32 {
  %t = memref.get_global @table : memref<2xi32>
  %p = ptr_xdsl.to_ptr %t : memref<2xi32> -> !ptr_xdsl.ptr
  %four = arith.constant 4 : i64
  %a = ptr_xdsl.ptradd %p, %four : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %y = ptr_xdsl.load %a : !ptr_xdsl.ptr -> i32
  %w = arith.extui %x : i8 to i32
  %unused = arith.muli %w, %w : i32
  %z = arith.addi %y, %w : i32
  func.return %z : i32
}

// Arguments beyond those in registers lie on the stack; a call says where all of its operands are.
// CHECK-LABEL: x64.func @handed
// CHECK: [[seventh:%.+]] = x64.load_64 [in]
// CHECK: x64.store_64 [out], %0
// CHECK: x64.call "handed" with %1 in 7, %2 in 6, %3 in 2, %4 in 1, %5 in 8, [[seventh]] in 9 to r64 in 0
func.func @handed(%a : i64, %b : i64, %c : i64, %d : i64, %e : i64, %f : i64, %g : i64) -> i64 {
  %r = func.call @handed(%b, %c, %d, %e, %f, %g, %a) : (i64, i64, i64, i64, i64, i64, i64) -> i64
  func.return %r : i64
}

// -----

// Functions that are selected already stay.
// CHECK-LABEL: x64.func @done in (7)
// CHECK: x64.ret with %0 in 0
x64.func @done in (7) slots [] out 0 {
^bb0(%0: !x64.reg<r64>):
  x64.ret with %0 in 0
}

// -----

func.func @half(%p : !ptr_xdsl.ptr) {
  %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> f16
  // expected-error@+1 {{[target-unsupported] expected an integer of 1, 8, 16, 32 or 64 bits, f32, f64, a pointer or a vector of them, found f16}}
  ptr_xdsl.store %x, %p : f16, !ptr_xdsl.ptr
  func.return
}

// -----

func.func @odd(%p : !ptr_xdsl.ptr) {
  %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> vector<3xf64>
  // expected-error@+1 {{[target-unsupported] expected operations that x86-64 has rows for, found ptr_xdsl.store on 3xf64}}
  ptr_xdsl.store %x, %p : vector<3xf64>, !ptr_xdsl.ptr
  func.return
}

// -----

func.func @quotient(%a : i64, %b : i64) -> i64 {
  // expected-error@+1 {{[target-unsupported] expected operations that x86-64 has rows for, found arith.floordivsi on i64}}
  %q = arith.floordivsi %a, %b : i64
  func.return %q : i64
}

// -----

// accepted, one operation away:
func.func @towards_zero(%a : i64, %b : i64) -> i64 {
  %q = arith.divsi %a, %b : i64
  func.return %q : i64
}

// -----

// expected-error@+1 {{[target-unsupported] expected arguments and results that the calling convention passes in one register, found 2xf64}}
func.func @vector(%x : vector<2xf64>) {
  func.return
}

// -----

func.func @loop(%n : index, %p : !ptr_xdsl.ptr) {
  %one = arith.constant 1 : index
  // expected-error@+1 {{[target-unsupported] expected operations that x86-64 has rows for, found scf.for on i64}}
  scf.for %i = %one to %n step %one {
    ptr_xdsl.store %i, %p : index, !ptr_xdsl.ptr
  }
  func.return
}
