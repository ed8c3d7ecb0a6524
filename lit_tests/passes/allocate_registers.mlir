// RUN: alpha-opt %s --split-input-file --allocate-registers --verify-diagnostics | filecheck %s

// Arguments and results are where the convention has them, so nothing is moved.
// CHECK-LABEL: x64.func @sum in () slots [] out 0 {
// CHECK-NEXT: x64.vaddsd_mem placed (0 = 0, 7, 6) [_ + _ * 8]
// CHECK-NEXT: x64.ret placed ( = 0)
x64.func @sum in (7, 6, 0) slots [] out 0 {
^bb0(%0: !x64.reg<r64>, %1: !x64.reg<r64>, %2: !x64.reg<d>):
  %3 = x64.vaddsd_mem %2, [%0 + %1 * 8]
  x64.ret with %3 in 0
}

// What lives across a call is in a register that calls keep: rbx is 3.
// CHECK-LABEL: x64.func @twice
// CHECK-NEXT: x64.mov placed (3 = 7) as move
// CHECK-NEXT: x64.call placed (0 = 7) "other"
// CHECK-NEXT: x64.add placed (0 = 0, 3)
// CHECK-NEXT: x64.ret placed ( = 0)
x64.func @twice in (7) slots [] out 0 {
^bb0(%0: !x64.reg<r64>):
  %1 = x64.call "other" with %0 in 7 to r64 in 0
  %2 = x64.add %1, %0
  x64.ret with %2 in 0
}

// Floats aren't kept by any call, so one goes to the frame.
// CHECK-LABEL: x64.func @kept in () slots [8 : 8] out 0 {
// CHECK-NEXT: x64.vmovsd_store placed ( = 0) [slot 0] as store
// CHECK-NEXT: x64.call placed (0 = 0) "other"
// CHECK: x64.ret placed ( = 0)
x64.func @kept in (0) slots [] out 0 {
^bb0(%0: !x64.reg<d>):
  %1 = x64.call "other" with %0 in 0 to d in 0
  %2 = x64.vaddsd %1, %0
  x64.ret with %2 in 0
}

// What is in registers already stays as it is, and so does data.
// CHECK: x64.data private @table align 64 "01"
// CHECK-NEXT: x64.data @counter align 8 writable "0200000000000000"
// CHECK-NEXT: x64.data @space align 8 zero 16
// CHECK-LABEL: x64.func @done in () slots [] out 0 {
// CHECK-NEXT: x64.mov placed (0 = 7)
// CHECK-NEXT: x64.ret placed ( = 0)
x64.data private @table align 64 "01"
x64.data @counter align 8 writable "0200000000000000"
x64.data @space align 8 zero 16
x64.func @done in () slots [] out 0 {
  x64.mov placed (0 = 7)
  x64.ret placed ( = 0)
}

// -----

// Another dialect, with the same pass.
// CHECK-LABEL: a64.func @twice
// CHECK: a64.mov placed (19 = 0) as move
// CHECK-NEXT: a64.bl placed (0 = 0) "other"
// CHECK-NEXT: a64.add placed (0 = 0, 19)
// CHECK-NEXT: a64.ret placed ( = 0)
a64.func @twice in (0) slots [] out 0 {
^bb0(%0: !a64.reg<x>):
  %1 = a64.bl "other" with %0 in 0 to x in 0
  %2 = a64.add %1, %0
  a64.ret with %2 in 0
}
