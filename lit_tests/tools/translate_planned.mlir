// RUN: not alpha-translate --emit-ptx %s 2>&1 | filecheck %s --check-prefix=PTX
// RUN: not alpha-translate %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: printf 'func.fun' | not alpha-translate --emit-ptx 2>&1 | filecheck %s --check-prefix=BAD

// PTX: translate_planned.mlir:1:1: error: [target-unsupported] expected a target that this version builds, found --emit-ptx
// NONE: alpha-translate: error: expected one target of --emit-x86, --emit-aarch64, --emit-ptx, --emit-dot; got none
// BAD: <stdin>:1:1: error: [source-operation-unknown]
func.func private @f()
