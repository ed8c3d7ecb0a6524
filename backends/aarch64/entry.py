"""Where an executable begins on AArch64, before any code that was compiled runs: `_start`.

Invariant: compiled code runs with round-to-nearest, no flushing, every exception masked and one
    NaN, on a stack that a call may use, and on no processor without the baseline.
Why: an instruction that a processor lacks would end the process by SIGILL, and say nothing.
Refuses: target-unsupported, as a line on stderr and exit status 3.
Entry: `entry`, `FEATURES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.aarch64.syntax import syntax
from alpha.ir.linux.calls import number_of
from alpha.ir.linux.constants import value_of

FEATURES: Mapping[str, int] = MappingProxyType({"sha2": 2})
"""The bit of each feature in the word that `alpha_start` is given, which no other target uses."""

BASELINE = "Armv8-A with Advanced SIMD"
_TARGET = "aarch64"

# asm/hwcap.h of Linux: what the kernel says in the auxiliary vector that there is and may be used.
HWCAP: Mapping[str, int] = MappingProxyType({"HWCAP_FP": 0, "HWCAP_ASIMD": 1, "HWCAP_SHA2": 6})
"""The bits of the word of AT_HWCAP that are looked at."""

FPCR = 1 << 25
"""Arm ARM, C5.2.8: round to nearest, no flush to zero, no traps; DN: every NaN is the default."""

_REFUSED = 3
_STDERR = 2


def entry(role: int) -> str:
    """The text of `_start` for a role; it stands alone, or behind the text of a module.

    It calls `alpha_start` with the stack pointer of the kernel, where the arguments lie, and the
    word of `FEATURES` that the processor has and the kernel lets be used. `role` is in the line of
    a refusal.
    """
    what = f"expected a processor of {BASELINE}, found one without"
    line = f"alpha: role {role}: refused target-unsupported: {what}\n"
    around = syntax(frozenset())
    parts = (*around.header, *_code(len(line)), *_written(line), *around.footer, "")
    return "\n".join(parts)


def _code(line_bytes: int) -> tuple[str, ...]:
    has = {name: 1 << bit for name, bit in HWCAP.items()}
    return (
        *(".text", ".globl _start", "_start:", "  mov x29, xzr", "  mov x30, xzr"),
        *("  mov x0, sp", "  and sp, x0, #-64"),
        # Behind the arguments and a zero lies the environment, and behind that and a zero the
        # auxiliary vector: pairs of a kind and a word, up to the kind 0.
        *("  ldr x2, [x0]", "  add x2, x0, x2, lsl #3", "  add x2, x2, #16"),
        *(".Lentry_variable:", "  ldr x3, [x2], #8", "  cbnz x3, .Lentry_variable"),
        *("  mov x4, xzr", ".Lentry_pair:", "  ldp x3, x5, [x2], #16", "  cbz x3, .Lentry_pairs"),
        *(f"  cmp x3, #{value_of('AT_HWCAP', _TARGET)}", "  csel x4, x5, x4, eq"),
        *("  b .Lentry_pair", ".Lentry_pairs:"),
        *(f"  tst x4, #{has['HWCAP_FP']}", "  b.eq .Lentry_refused"),
        *(f"  tst x4, #{has['HWCAP_ASIMD']}", "  b.eq .Lentry_refused"),
        *(f"  mov x3, #{FPCR}", "  msr fpcr, x3"),
        *("  mov x1, xzr", f"  tst x4, #{has['HWCAP_SHA2']}", "  b.eq .Lentry_start"),
        *(f"  orr x1, x1, #{1 << FEATURES['sha2']}", ".Lentry_start:"),
        *("  bl alpha_start", "  brk #0"),
        *(".Lentry_refused:", f"  mov x0, #{_STDERR}", "  adrp x1, .Lentry_line"),
        *("  add x1, x1, :lo12:.Lentry_line", f"  mov x2, #{line_bytes}"),
        *(f"  mov x8, #{number_of('write', _TARGET)}", "  svc #0"),
        *(f"  mov x0, #{_REFUSED}", f"  mov x8, #{number_of('exit_group', _TARGET)}", "  svc #0"),
        "  brk #0",
    )


def _written(line: str) -> tuple[str, ...]:
    text = line.replace("\n", "\\n")
    return (".section .rodata", ".Lentry_line:", f'  .ascii "{text}"')
