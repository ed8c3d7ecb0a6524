"""Rows that go somewhere else: jumps, branches by a comparison, calls, returns, the system.

A branch goes to `yes` where its condition holds, else to `no`, which comes next in the text or gets
a jump.

Invariant: a conditional branch reaches 1 MiB; who prints gets farther by a jump.
Entry: `ROWS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alpha.backends.aarch64.meanings import FLOAT_PREDICATES
from alpha.backends.aarch64.rows.integers import COMPARISONS, SIZES, Comparison, a64, decided
from alpha.backends.aarch64.rows.scalars import SCALARS, compared_floats
from alpha.backends.core.carriers import MachineCarrier, Trap
from alpha.backends.core.meanings import low, unmodelled
from alpha.backends.core.rows import Row

ARGUMENTS_SYSTEM_MAX = 6


def _branch(comparison: Comparison) -> Row:
    name, slots, text, _ = comparison

    def meaning(c: MachineCarrier, a: int, b: int, condition: str) -> int:
        return int(not decided(comparison, a, b, condition))

    signature = f"= {slots}, cc:cond, yes:label, no:label"
    return a64(f"branch_{name}", signature, f"{text}\nb.{{cc}} {{yes}}", meaning, role="branch")


def _branch_zero(bits: int, suffix: str, w: str) -> Row:
    """The condition is `z` or `nz`."""

    def meaning(c: MachineCarrier, a: int, condition: str) -> int:
        return int((a & low(bits) == 0) != (condition == "z"))

    signature = "= a:x, cc:cond, yes:label, no:label"
    return a64(f"cb{suffix}", signature, f"cb{{cc}} {{a:{w}}}, {{yes}}", meaning, role="branch")


def _float_branches(view: str) -> Iterator[Row]:
    """By a predicate of one condition, or by the two of `one`; exchanged labels make it `ueq`."""
    element = SCALARS[view]

    def meaning(c: MachineCarrier, a: Any, b: Any, condition: str) -> int:
        return int(not c.bits(compared_floats(c, FLOAT_PREDICATES[condition], element, a, b)))

    def meaning_zero(c: MachineCarrier, a: Any, condition: str) -> int:
        return int(not c.bits(compared_floats(c, FLOAT_PREDICATES[condition], element, a, None)))

    def meaning_one(c: MachineCarrier, a: Any, b: Any) -> int:
        return int(not c.bits(compared_floats(c, "one", element, a, b)))

    pair, labels = f"a:{view}, b:{view}", "yes:label, no:label"
    yield a64(
        f"branch_fcmp_{view}",
        f"= {pair}, cc:cond, {labels}",
        "fcmp {a}, {b}\nb.{cc} {yes}",
        meaning,
        role="branch",
    )
    yield a64(
        f"branch_fcmp_zero_{view}",
        f"= a:{view}, cc:cond, {labels}",
        "fcmp {a}, #0.0\nb.{cc} {yes}",
        meaning_zero,
        role="branch",
    )
    yield a64(
        f"branch_fcmp_one_{view}",
        f"= {pair}, {labels}",
        "fcmp {a}, {b}\nb.mi {yes}\nb.gt {yes}",
        meaning_one,
        role="branch",
    )


def _stopped(c: MachineCarrier, i: int) -> None:
    raise Trap(f"brk #{i}")


def _system() -> Iterator[Row]:
    """System calls take their number in x8 and change x0 alone; FPCR says how floats round."""
    arguments = [f"a{number}:x@x{number}" for number in range(ARGUMENTS_SYSTEM_MAX)]
    for count in range(ARGUMENTS_SYSTEM_MAX + 1):
        signature = f"d:x@x0 = {', '.join(['n:x@x8', *arguments[:count]])}"
        yield a64(f"svc_{count}", signature, "svc #0", unmodelled("a system call"))
    yield a64("read_fpcr", "d:x =", "mrs {d}, fpcr", unmodelled("the mode of floats"))
    yield a64("write_fpcr", "= a:x", "msr fpcr, {a}", unmodelled("the mode of floats"))


def _rows() -> Iterator[Row]:
    for comparison in COMPARISONS:
        yield _branch(comparison)
    for view in SCALARS:
        yield from _float_branches(view)
    yield a64("brk", "= i:immU16", "brk #{i}", _stopped, role="stop")
    yield from _system()
    yield a64("ret", "=", "ret", lambda c: None, role="return")
    yield a64("b", "= to:label", "b {to}", lambda c: 0, role="jump")
    yield a64("bl", "= f:symbol", "bl {f}", unmodelled("a call"), role="call", clobbers=("x30",))
    yield a64("blr", "= a:x", "blr {a}", unmodelled("a call"), role="call", clobbers=("x30",))
    for size in SIZES:
        yield _branch_zero(*size)


ROWS: tuple[Row, ...] = tuple(_rows())
