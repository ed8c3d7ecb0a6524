// The instructions of each program, for each target and set of features, give the program's terms.
// RUN: alpha verify %examples/partitioned_regression.mlir --targets x86-64,aarch64 --rounds 1 | filecheck %s
// CHECK:      {{^}}code{{$}}
// CHECK-NEXT: program target outcome
// CHECK-NEXT: @gradient x86-64 proved{{$}}
// CHECK-NEXT: @plain_step x86-64 proved{{$}}
// CHECK-NEXT: @gradient x86-64 with avx512 proved{{$}}
// CHECK-NEXT: @plain_step x86-64 with avx512 proved{{$}}
// CHECK-NEXT: @gradient aarch64 proved{{$}}
// CHECK-NEXT: @plain_step aarch64 proved{{$}}

// A target that is planned is refused by name, one that nobody knows is no target.
// RUN: alpha verify %examples/partitioned_regression.mlir --targets sm86 --rounds 1 | filecheck %s --check-prefix=KERNELS
// KERNELS: code
// KERNELS-NEXT: program {{ *}}target {{ *}}outcome
// KERNELS-COUNT-2: {{@[a-z_]+ +sm86 +equal}}
// RUN: not alpha verify %examples/partitioned_regression.mlir --targets sparc 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: expected some of x86-64, aarch64, sm86, got 'sparc'
