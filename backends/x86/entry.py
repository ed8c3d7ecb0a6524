"""Where an executable begins on x86-64, before any code that was compiled runs: `_start`.

Invariant: compiled code runs with round-to-nearest, no flushing and every exception masked, on a
    stack that a call may use, and on no processor without the baseline.
Why: an instruction that a processor lacks would end the process by SIGILL, and say nothing.
Refuses: target-unsupported, as a line on stderr and exit status 3.
Entry: `entry`, `FEATURES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.x86.syntax import SYNTAX
from alpha.ir.linux.calls import number_of

FEATURES: Mapping[str, int] = MappingProxyType({"avx512": 0, "sha": 1})
"""The bit of each feature in the word that `alpha_start` is given, which no other target uses."""

BASELINE = "x86-64-v3"
_TARGET = "x86-64"

# Intel 64 Architectures Software Developer's Manual, volume 2A, CPUID; the levels are those of the
# System V psABI for x86-64, 3.1.1: of the second and the third what user code sees.
_LEAF_1_ECX = MappingProxyType(
    {"sse3": 0, "ssse3": 9, "fma": 12, "cmpxchg16b": 13, "sse4.1": 19, "sse4.2": 20}
    | {"movbe": 22, "popcnt": 23, "osxsave": 27, "avx": 28, "f16c": 29}
)
_LEAF_7_EBX = MappingProxyType({"bmi1": 3, "avx2": 5, "bmi2": 8})
_LEAF_EXTENDED_ECX = MappingProxyType({"lahf": 0, "lzcnt": 5})
_AVX512_EBX = MappingProxyType({"f": 16, "dq": 17, "bw": 30, "vl": 31})
_SHA_EBX = 29

# Volume 1, 13.3: what the kernel saves of vectors: XMM and YMM; with AVX-512 masks and ZMM too.
_AVX_STATE, _AVX512_STATE = 0x6, 0xE6

MXCSR = 0x1F80
"""Volume 1, 10.2.3: round to nearest, no flush to zero, denormals as they are, all masked."""

_REFUSED = 3
_STDERR = 2


def _mask(bits: Mapping[str, int]) -> int:
    return sum(1 << bit for bit in bits.values())


def entry(role: int) -> str:
    """The text of `_start` for a role; it stands alone, or behind the text of a module.

    It calls `alpha_start` with the stack pointer of the kernel, where the arguments lie, and the
    word of `FEATURES` that the processor has and the kernel lets be used. `role` is in the line of
    a refusal.
    """
    what = f"expected a processor of {BASELINE}, found one without"
    line = f"alpha: role {role}: refused target-unsupported: {what}\n"
    parts = (*SYNTAX.header, *_code(len(line)), *_written(line), *SYNTAX.footer, "")
    return "\n".join(parts)


def _code(line_bytes: int) -> tuple[str, ...]:
    return (
        *(".text", ".globl _start", "_start:", "  xor ebp, ebp", "  mov r12, rsp"),
        *("  and rsp, -64", f"  mov dword ptr [rsp - 8], {MXCSR}", "  ldmxcsr [rsp - 8]"),
        # A leaf beyond the last one answers as another does.
        *("  xor eax, eax", "  xor ecx, ecx", "  cpuid", "  cmp eax, 7", "  jb .Lentry_refused"),
        *("  mov eax, 1", "  xor ecx, ecx", "  cpuid", "  not ecx"),
        *(f"  test ecx, {_mask(_LEAF_1_ECX)}", "  jnz .Lentry_refused"),
        *("  xor ecx, ecx", "  xgetbv", "  not eax", "  mov r13d, eax"),
        *(f"  test eax, {_AVX_STATE}", "  jnz .Lentry_refused"),
        *("  mov eax, 7", "  xor ecx, ecx", "  cpuid", "  not ebx", "  mov r14d, ebx"),
        *(f"  test ebx, {_mask(_LEAF_7_EBX)}", "  jnz .Lentry_refused"),
        # Every processor with 64 bits has this leaf, which says so.
        *("  mov eax, 0x80000001", "  xor ecx, ecx", "  cpuid", "  not ecx"),
        *(f"  test ecx, {_mask(_LEAF_EXTENDED_ECX)}", "  jnz .Lentry_refused"),
        *("  xor esi, esi", f"  test r14d, {1 << _SHA_EBX}", "  jnz .Lentry_no_sha"),
        *(f"  or esi, {1 << FEATURES['sha']}", ".Lentry_no_sha:"),
        *(f"  test r14d, {_mask(_AVX512_EBX)}", "  jnz .Lentry_start"),
        *(f"  test r13d, {_AVX512_STATE}", "  jnz .Lentry_start"),
        *(f"  or esi, {1 << FEATURES['avx512']}", ".Lentry_start:"),
        *("  mov rdi, r12", "  call alpha_start", "  ud2"),
        *(".Lentry_refused:", f"  mov edi, {_STDERR}", "  lea rsi, [rip + .Lentry_line]"),
        *(f"  mov edx, {line_bytes}", f"  mov eax, {number_of('write', _TARGET)}", "  syscall"),
        *(f"  mov edi, {_REFUSED}", f"  mov eax, {number_of('exit_group', _TARGET)}"),
        *("  syscall", "  ud2"),
    )


def _written(line: str) -> tuple[str, ...]:
    text = line.replace("\n", "\\n")
    return (".section .rodata", ".Lentry_line:", f'  .ascii "{text}"')
