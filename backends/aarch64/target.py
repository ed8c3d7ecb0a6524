"""AArch64 as a target of the core.

Entry: `target`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from alpha.backends.aarch64.registers import CONVENTION, GENERAL, STACK_POINTER, VECTOR, VIEWS
from alpha.backends.aarch64.rows.table import FEATURES, MOVES, ROWS
from alpha.backends.aarch64.syntax import holds_address, syntax
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Instruction
from alpha.backends.core.rows import Immediate, Memory, Row
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal

_LOW_BITS = 12


@cache
def target(features: frozenset[str] = frozenset()) -> Target:
    """The target with these features.

    Raises:
        Refusal: target-unsupported, for a feature that isn't in `FEATURES`.
    """
    unknown = sorted(features - FEATURES)
    if unknown:
        known = ", ".join(sorted(FEATURES))
        raise Refusal("target-unsupported", f"features of aarch64: {known}", ", ".join(unknown))
    return Target(
        name="aarch64",
        dialect="a64",
        classes=(GENERAL, VECTOR),
        views=VIEWS,
        rows={
            name: row for name, row in ROWS.items() if not row.feature or row.feature in features
        },
        convention=CONVENTION,
        moves=MOVES,
        syntax=syntax(features),
        frame=move_stack_pointer,
        view_of=_VIEWS_OF_TYPES.__getitem__,
        holds=holds,
    )


_VIEWS_OF_TYPES: Mapping[str, str] = MappingProxyType(
    {
        **{f"i{bits}": "x" for bits in (1, 8, 16, 32, 64)},
        "f64": "d",
        "f32": "s",
        # Only converted and put together: halves of a vector whose lanes were computed in f64.
        "2xf32": "d",
        **dict.fromkeys(("2xf64", "2xi64", "2xi1", "4xf32", "4xi32", "4xi1"), "q"),
    }
)
"""The view of a value of each type. Truths of a vector are lanes of ones and zeros, as wide as the
lanes are of which a vector has as many."""


def holds(row: Row, address: Address) -> bool:
    """Whether a row takes an address of this shape without an instruction more.

    A row that only makes an address takes every one, a literal's a name alone.
    """
    memory = row.memory
    if memory is None:
        return False
    assert isinstance(memory.kind, Memory)
    if memory.kind.bytes == 0:
        return True
    if "{m:page}" in row.text:
        return address.area == "symbol" and not address.registers
    return holds_address(address, -1 if "{m:base}" in row.text else memory.kind.bytes)


def move_stack_pointer(bytes: int) -> list[Placed]:
    """What adds so many bytes to the stack pointer, a multiple of 16 at every step.

    Raises ValueError for 2^24 bytes or more.
    """
    name = "sub" if bytes < 0 else "add"
    low = abs(bytes) % (1 << _LOW_BITS)
    parts = [(f"{name}_imm_high", abs(bytes) - low), (f"{name}_imm", low)]
    made: list[Placed] = []
    for row_name, part in parts:
        row = ROWS[row_name]
        kind = row.slot("i").kind
        assert isinstance(kind, Immediate)
        if not kind.holds(part):
            raise ValueError(f"a frame of {abs(bytes)} bytes")
        if part:
            moved = (STACK_POINTER, STACK_POINTER)
            made.append(Placed(Instruction(row, [0], [0], (part,)), moved, "frame"))
    return made
