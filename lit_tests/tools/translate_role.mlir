// With --role, the whole program of a role: its code, the runtime that it calls and the entry.
// RUN: alpha-translate --emit-x86 --role=1 %s -o %t.s
// RUN: filecheck %s < %t.s
// RUN: grep -c "^_start:" %t.s | filecheck %s --check-prefix=ONE
// RUN: not grep "alpha_store_file" %t.s

// CHECK: .intel_syntax noprefix
// CHECK: .globl alpha_role
// CHECK: call alpha_begin
// CHECK: call alpha_receive
// CHECK: alpha_receive:
// CHECK: syscall
// CHECK: alpha_begin:
// CHECK: _start:
// CHECK: cpuid
// CHECK: alpha_start
// ONE: 1

// Refused: a role that there isn't, and a learner whose words lie in files: who builds it opens them.
// RUN: not alpha-translate --emit-x86 --role=2 %s 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: error: [protocol-role-range] expected a role from 0 to 1, found 2
// RUN: not alpha-translate --emit-aarch64 --role=0 %examples/diabetes_sgd.mlir 2>&1 | filecheck %s --check-prefix=FILES
// FILES: error: [target-unsupported] expected identity=..., which follows from the words of the learner's files, found none
#two = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.global @greet group #two {
  %x = protocol.local at role 0 {
    %x = arith.constant 1.5 : f64
    protocol.yield %x
  }
  %y = protocol.transfer %x from 0 to 1
}
