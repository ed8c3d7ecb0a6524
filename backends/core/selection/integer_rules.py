"""Rules for integers that targets share: between widths, in few bits, of moved bits.

Invariant: a narrow integer in a register has zeros above, before and behind every rule.
Entry: `one`, `computed`, `narrow`, `divisions`, `conversions`, `bits`, `shifted_product`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.program import Extra, Value
from alpha.backends.core.selection.addresses import constant_of, defining
from alpha.backends.core.selection.bit_patterns import moved_bits, reverses_bytes, rotation_right
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import narrowed, same, through
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

WIDTHS = (("i64", ""), ("i32", "_32"))
"""Short names of types, and the suffix of the rows that compute in so many bits."""

NARROW = ("i8", "i16")
WHOLE = (*NARROW, "i32", "i64")

SHIFT_LIMIT = 32
"""Narrow integers are shifted by less, in rows of so many bits."""

Compute = Callable[[Builder, Value, Value], Value]
"""Writes an operation on two integers that are as wide as its rows are."""


class WidthRows(NamedTuple):
    """Rows of one operand that change the width of an integer.

    `cut`: zeros above the width, by type. `signs`: its sign above, up to 32 or 64 bits, as in
    `i8->i32`. `lowest`: the lowest bit alone, a row with an immediate.
    """

    cut: Mapping[str, str]
    signs: Mapping[str, str]
    lowest: str


def one(op: Operation, row: str, needs: Sequence[SSAValue], extras: Sequence[Extra] = ()) -> Match:
    """A match of one row."""

    def emit(builder: Builder) -> None:
        (made,) = builder.emit(row, *(builder.value(value) for value in needs), extras=extras)
        builder.bind(op.results[0], made)

    return Match(needs, emit)


def computed(compute: Compute, extended: Sequence[str] = ("", ""), cut: str = "") -> Matching:
    """An operation on two operands, each brought to more bits by a row, its result cut by one.

    An empty name leaves out what it stands for.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            held = [builder.value(value) for value in op.operands]
            first, second = (
                builder.emit(row, value)[0] if row else value
                for row, value in zip(extended, held, strict=True)
            )
            made = compute(builder, first, second)
            builder.bind(op.results[0], builder.emit(cut, made)[0] if cut else made)

        return Match(list(op.operands), emit)

    return match


def narrow(op: str, key: str, patterns: Mapping[str, str], widths: WidthRows) -> Iterator[Rule]:
    """A row of 32 bits for narrow integers, by row and pattern; sums and products are cut.

    Logic needs no cut, nor does a shift to the right: zeros stay above. Of truths, a sum and a
    difference are what differs, and a product is both.
    """
    for row, pattern in patterns.items():
        found = rule(op, key, row, pattern)
        exact = op in ("arith.andi", "arith.ori", "arith.xori", "arith.shrui")
        yield found if exact else Rule(op, key, narrowed(found.match, widths.cut[key]))


def divisions(
    operations: Mapping[str, Callable[[str], Compute]], widths: WidthRows
) -> Iterator[Rule]:
    """Quotients and remainders; each has a function from the suffix of the width to what it is."""
    for op, made in operations.items():
        for key, suffix in WIDTHS:
            yield Rule(op, key, computed(made(suffix)))
        for key in NARROW:
            if op.endswith("ui"):
                yield Rule(op, key, computed(made("_32")))
            else:
                sign = widths.signs[f"{key}->i32"]
                matching = computed(made("_32"), (sign, sign), widths.cut[key])
                yield Rule(op, key, matching)


def narrow_signed_shift(by_register: str, by_immediate: str, widths: WidthRows) -> Iterator[Rule]:
    """`arith.shrsi` of narrow integers, by rows of 32 bits."""

    def shift(builder: Builder, value: Value, count: Value) -> Value:
        return builder.emit(by_register, value, count)[0]

    for key in NARROW:
        sign, cut = widths.signs[f"{key}->i32"], widths.cut[key]
        yield Rule("arith.shrsi", key, _shifted_signed(sign, by_immediate, cut))
        yield Rule("arith.shrsi", key, computed(shift, (sign, ""), cut))


def _shifted_signed(sign: str, shift: str, cut: str) -> Matching:
    """By a constant, between the two rows that change the width."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        count = constant_of(op.operands[1])
        if count is None or not 0 <= count < SHIFT_LIMIT:
            return None

        def emit(builder: Builder) -> None:
            (wide,) = builder.emit(sign, builder.value(op.operands[0]))
            (shifted,) = builder.emit(shift, wide, extras=(count,))
            builder.bind(op.results[0], builder.emit(cut, shifted)[0])

        return Match([op.operands[0]], emit)

    return match


def conversions(widths: WidthRows) -> Iterator[Rule]:
    """From one width to another."""
    for at, key in enumerate(("i1", *WHOLE)):
        for to in WHOLE[at:]:
            yield from same("arith.extui", f"{key}->{to}")
    for name in ("arith.extsi", "arith.index_cast"):
        for at, key in enumerate(("i1", *WHOLE)):
            for to in WHOLE[at:]:
                yield Rule(name, f"{key}->{to}", through(*_signed_to(key, to, widths)))
    yield from same("arith.index_cast", "i64->i64")
    for name in ("arith.trunci", "arith.index_cast"):
        for at, to in enumerate(WHOLE[:-1]):
            for key in WHOLE[at + 1 :]:
                yield rule(name, f"{key}->{to}", widths.cut[to], "a")
        for key in WHOLE:
            yield Rule(name, f"{key}->i1", _lowest(widths.lowest))


def _signed_to(key: str, to: str, widths: WidthRows) -> tuple[str, ...]:
    """The rows that put the sign of a type above it, up to another one."""
    through_32 = "i32" if to in NARROW else to
    wide = widths.signs[f"{key}->{through_32}"]
    return (wide, widths.cut[to]) if to in NARROW else (wide,)


def _lowest(row: str) -> Matching:
    return lambda matcher, op: one(op, row, [op.operands[0]], (1,))


def shifted_product(row: str) -> Matching:
    """By a power of two: a shift by an immediate."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, arith.MuliOp)
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            factor = constant_of(other)
            if factor is not None and factor > 1 and factor & (factor - 1) == 0:
                return one(op, row, [value], (factor.bit_length() - 1,))
        return None

    return match


class BitRows(NamedTuple):
    """Rows for what is said with several operations on bits.

    `without` is `a & ~b`, and `inverted_first` says whether b stands first in it.
    """

    rotated: str
    reversed: str
    complement: str
    without: str
    inverted_first: bool


def bits(rows: BitRows) -> Matching:
    """Rotations, reversals of bytes, complements and what is not in another value."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        if isinstance(op, arith.OrIOp) and (moved := moved_bits(op.result)) is not None:
            value, places = moved
            count = rotation_right(places)
            if count is not None:
                return one(op, rows.rotated, [value], (count,))
            if reverses_bytes(places):
                return one(op, rows.reversed, [value])
        if isinstance(op, arith.XOrIOp) and (value := complemented(op)) is not None:
            return one(op, rows.complement, [value])
        if isinstance(op, arith.AndIOp):
            for left, right in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                value = complemented(defining(left))
                if value is not None:
                    needs = [value, right] if rows.inverted_first else [right, value]
                    return one(op, rows.without, needs)
        return None

    return match


def complemented(op: Operation | None) -> SSAValue | None:
    """The value that an operation flips all bits of."""
    if isinstance(op, arith.XOrIOp):
        for left, right in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if constant_of(right) == -1:
                return left
    return None
