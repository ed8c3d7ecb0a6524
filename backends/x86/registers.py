"""The registers of x86-64, and how functions use them: the System V calling convention.

Invariant: every value in a general register has the view r64; the narrower views only spell
    operands of instructions that read or write fewer bytes. rsp and k0 are never allocated: k0 as a
    write mask means "no mask".
Why: registers 16 to 31 have names in EVEX instructions only, so they are free only where rows that
    can't name them have been replaced; see `rows.table`. SHA instructions have no such twins, so a
    function that uses them keeps to the first 16.
Entry: `VIEWS`, `GPR`, `VEC`, `MASK`, `convention`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.target import Convention

GPR = RegisterClass("gpr", 16)
VEC = RegisterClass("vec", 32)
MASK = RegisterClass("mask", 8)

_HIGH = range(8, 16)
_LOW = ("ax", "cx", "dx", "bx", "sp", "bp", "si", "di")
_BYTES = ("al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil")


def _numbered(name: str, of: RegisterClass, bytes: int, prefix: str) -> View:
    return View(name, of, bytes, tuple(f"{prefix}{number}" for number in range(of.count)))


VIEWS: Mapping[str, View] = MappingProxyType(
    {
        view.name: view
        for view in (
            View("r64", GPR, 8, (*(f"r{each}" for each in _LOW), *(f"r{n}" for n in _HIGH))),
            View("r32", GPR, 4, (*(f"e{each}" for each in _LOW), *(f"r{n}d" for n in _HIGH))),
            View("r16", GPR, 2, (*_LOW, *(f"r{n}w" for n in _HIGH))),
            View("r8", GPR, 1, (*_BYTES, *(f"r{n}b" for n in _HIGH))),
            _numbered("s", VEC, 4, "xmm"),
            _numbered("d", VEC, 8, "xmm"),
            _numbered("x", VEC, 16, "xmm"),
            _numbered("y", VEC, 32, "ymm"),
            _numbered("z", VEC, 64, "zmm"),
            _numbered("k", MASK, 8, "k"),
        )
    }
)


def _numbers(*names: str) -> tuple[int, ...]:
    return tuple(VIEWS["r64"].number(name) for name in names)


def convention(features: frozenset[str]) -> Convention:
    """System V for AMD64: all vector and mask registers belong to the called function."""
    wide = "avx512" in features
    vectors = 32 if wide and "sha" not in features else 16
    kept = _numbers("rbx", "rbp", "r12", "r13", "r14", "r15")
    lent = _numbers("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")
    return Convention(
        arguments={
            "gpr": _numbers("rdi", "rsi", "rdx", "rcx", "r8", "r9"),
            "vec": tuple(range(8)),
            "mask": (),
        },
        results={"gpr": _numbers("rax", "rdx"), "vec": (0, 1), "mask": ()},
        kept={"gpr": kept, "vec": (), "mask": ()},
        free={
            "gpr": lent + kept,
            "vec": tuple(range(vectors)),
            "mask": tuple(range(1, 8)) if wide else (),
        },
        kept_view={"gpr": "r64", "vec": "z" if wide else "y", "mask": "k"},
        stack_pointer=Register("gpr", VIEWS["r64"].number("rsp")),
        alignment=16,
        bytes_at_entry=8,
    )
