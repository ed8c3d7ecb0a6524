"""Registers of AArch64, their views, and how functions are called.

Sources: Arm Architecture Reference Manual (DDI 0487), B1.2.1; Procedure Call Standard for the Arm
64-bit Architecture (AAPCS64), 6.1 and 6.8.

Invariant: 31 is the stack pointer and 32 the zero register, though both are encoded as 31: an
    instruction takes one of them in a place, never both. Neither is ever allocated.
Why: x16 and x17 belong to the text of rows, for addresses that an instruction can't hold and for
    what has to be kept for a moment; a linker may change them in a call. x18 is the platform's. x30
    holds the address to return to, and counts as kept, so that a function that calls saves it.
Entry: `VIEWS`, `CONVENTION`, `GENERAL`, `VECTOR`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.target import Convention

STACK_POINTER = 31
ZERO = 32
LINK = 30

GENERAL = RegisterClass("gpr", 33)
VECTOR = RegisterClass("vec", 32)


def _general(name: str, bytes: int, stack_pointer: str) -> View:
    numbered = tuple(f"{name}{number}" for number in range(31))
    return View(name, GENERAL, bytes, (*numbered, stack_pointer, f"{name}zr"))


def _vector(name: str, bytes: int) -> View:
    return View(name, VECTOR, bytes, tuple(f"{name}{number}" for number in range(32)))


VIEWS: Mapping[str, View] = MappingProxyType(
    {
        view.name: view
        for view in (
            _general("x", 8, "sp"),
            _general("w", 4, "wsp"),
            _vector("b", 1),
            _vector("h", 2),
            _vector("s", 4),
            _vector("d", 8),
            _vector("q", 16),
            _vector("v", 16),
        )
    }
)
"""The views by name.

Values are `x` (integers of any width, with zeros above), `d`, `s` or `q`; the others only spell:
`w` the low half of a general register, `v` a vector in the instructions that say their lanes.
"""

_KEPT_GENERAL = tuple(range(19, 30))
_KEPT_VECTOR = tuple(range(8, 16))
# What a call changes comes first: a function that calls nothing then saves nothing.
_FREE_GENERAL = (*range(16), *_KEPT_GENERAL)
_FREE_VECTOR = (*range(8), *range(16, 32), *_KEPT_VECTOR)

CONVENTION = Convention(
    arguments={"gpr": tuple(range(8)), "vec": tuple(range(8))},
    results={"gpr": tuple(range(8)), "vec": tuple(range(8))},
    kept={"gpr": (*_KEPT_GENERAL, LINK), "vec": _KEPT_VECTOR},
    free={"gpr": _FREE_GENERAL, "vec": _FREE_VECTOR},
    kept_view={"gpr": "x", "vec": "d"},
    stack_pointer=Register("gpr", STACK_POINTER),
    alignment=16,
    bytes_at_entry=0,
)
"""AAPCS64. Of v8 to v15 only the low 8 bytes are kept; x8 is one of those that calls change."""
