"""The AArch64 target: Armv8-A with Advanced SIMD, and the SHA-256 instructions where asked."""
