// RUN: alpha-translate --emit-ptx %s | filecheck %s
// RUN: alpha-translate --emit-ptx --show-source %s | filecheck %s --check-prefix=SOURCE
// RUN: alpha-translate --emit-ptx %s -o %t.ptx && alpha-translate --emit-ptx %s | diff - %t.ptx
// RUN: not alpha-translate --emit-ptx --role=1 %s 2>&1 | filecheck %s --check-prefix=ROLE
// RUN: not alpha-translate --emit-ptx --features=tensor %s 2>&1 | filecheck %s --check-prefix=FEATURES
// RUN: not alpha-translate --emit-ptx %S/Inputs/ptx_name.mlir 2>&1 | filecheck %s --check-prefix=NAME
// RUN: sed 's/WARP_SZ/warp_sz/' %S/Inputs/ptx_name.mlir | alpha-translate --emit-ptx | filecheck %s --check-prefix=RENAMED

// CHECK:      .version 7.1
// CHECK-NEXT: .target sm_86
// CHECK-NEXT: .address_size 64
// CHECK:      // @step, step 0: the extent points, a thread for each, blocks of 256
// CHECK-NEXT: //   step_0: input 0 %w : n0xf64
// CHECK-NEXT: //   step_1: input 1 %g : n0xf64
// CHECK-NEXT: //   step_2: result 0 %w1 : n0xf64
// CHECK-NEXT: //   step_3: extent 0
// CHECK-NEXT: //   step_4: wide 2
// CHECK-NEXT: .visible .entry step(
// CHECK-NEXT:     .param .u64 step_0,
// CHECK:          .param .u64 step_4
// CHECK-NEXT: )
// CHECK-NEXT: .maxntid 256, 1, 1
// CHECK-NEXT: {
// CHECK:      .reg .f64 %fd<
// CHECK:      ld.global.v2.f64 {%fd{{[0-9]+}}, %fd{{[0-9]+}}}, [%rd{{[0-9]+}}];
// CHECK:      mul.rn.f64
// CHECK:      sub.rn.f64
// CHECK:      st.global.v2.f64
// CHECK:      ld.global.f64
// CHECK:      mul.rn.f64
// CHECK-NOT:  fma
// CHECK:      ret;

// SOURCE: // step: %x1 = arith.subf
// SOURCE-NEXT: sub.rn.f64

// ROLE: alpha-translate: error: --emit-ptx writes the kernels of all programs; --role is for --emit-x86, --emit-aarch64 and --emit-dot
// FEATURES: alpha-translate: error: --features expects some of none; got tensor

// NAME: error: [target-unsupported] expected a name of letters, digits, `_` and `$` that begins with a letter, found 'WARP_SZ'
// RENAMED: .visible .entry warp_sz(
pointwise.update @step(%w : tensor<9xf64>, %g : tensor<9xf64>) -> (tensor<9xf64>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %y = %g[i]) {
    %t = arith.mulf %y, %y : f64
    %x1 = arith.subf %x, %t : f64
    pointwise.yield %x1
  } : tensor<9xf64>
  pointwise.return %w1
}
