// RUN: alpha-translate --emit-x86 %s | filecheck %s
// RUN: alpha-translate --emit-x86 --features=avx512 %examples/least_squares_adam.mlir | filecheck %s --check-prefix=WIDE
// RUN: alpha-translate --emit-x86 --show-source %examples/least_squares_sgd.mlir | filecheck %s --check-prefix=SOURCE
// RUN: alpha-opt %s --lower-memref --convert-scf-to-cf --select-x64 --allocate-registers | alpha-translate --emit-x86 | filecheck %s
// RUN: not alpha-translate --emit-x86 --features=sha,foo %s 2>&1 | filecheck %s --check-prefix=FEATURE
// RUN: not alpha-translate --emit-x86 --role=1 %s 2>&1 | filecheck %s --check-prefix=ROLE
// RUN: printf 'func.func @f() -> i128 {\n %%%%x = arith.constant 1 : i128\n func.return %%%%x : i128\n}' | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: alpha-opt %s --lower-memref --convert-scf-to-cf --select-a64 | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=OTHER

// FEATURE: alpha-translate: error: --features expects some of avx512, sha; got foo
// ROLE: [region-learner-count] expected a region.learner, or a protocol, found neither
// TYPE: [target-unsupported] expected an integer of 1, 8, 16, 32 or 64 bits, f32, f64, a pointer or a vector of them, found i128
// OTHER: [target-unsupported] expected functions and data of x64, found a64.func

// CHECK: .intel_syntax noprefix
// CHECK: .globl doubled
// CHECK-NEXT: .type doubled, %function
// CHECK-NEXT: doubled:
// CHECK-NOT: #
// CHECK: vmovsd xmm[[word:[0-9]+]], qword ptr [rdi + [[index:r[a-z0-9]+]]*8]
// CHECK-NEXT: vaddsd xmm[[word]], xmm[[word]], xmm[[word]]
// CHECK-NEXT: vmovsd qword ptr [rdi + [[index]]*8], xmm[[word]]
// CHECK: ret
// CHECK-NEXT: .size doubled, . - doubled
func.func @doubled(%a : memref<?xf64>, %n : index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf64>
    %y = arith.addf %x, %x : f64
    memref.store %y, %a[%i] : memref<?xf64>
  }
  func.return
}

// Constants lie in a pool behind the functions, one of each.
// CHECK-LABEL: mul:
// CHECK-NEXT: vmovsd [[tenth:xmm[0-9]+]], qword ptr [rip + lit.9a9999999999b93f]
// CHECK-NEXT: vmulsd xmm0, xmm0, [[tenth]]
// CHECK-NEXT: ret
// CHECK: .section .rodata
// CHECK: lit.9a9999999999b93f:
// CHECK-NEXT: .byte 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f
func.func @mul(%x : f64) -> f64 {
  %k = arith.constant 0.1 : f64
  %y = arith.mulf %x, %k : f64
  func.return %y : f64
}

// Vectors of 64 bytes where the processor is said to have them.
// WIDE: zmm
// WIDE: vsqrtpd zmm

// Each group of instructions says what of the source it comes from, and stands behind that.
// SOURCE-LABEL: gradient:
// SOURCE: # gradient: -0.0, before the first sample
// SOURCE: # gradient: %ab = arith.mulf
// SOURCE-NEXT: vmulpd
// SOURCE-LABEL: plain_step:
// SOURCE: # plain_step: %step = arith.mulf
// SOURCE: vmul{{[ps]}}d
// SOURCE: # plain_step: %wi1 = arith.subf
// SOURCE-NEXT: vsub{{[ps]}}d
