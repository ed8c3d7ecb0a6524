"""Comparisons with what uses them: branches, choices, and truths as integers.

Flags are no values, so a comparison is done where its result is used, each time anew. A table of
the target says how each predicate is tested.

Entry: `Test`, `Tests`, `branch`, `choose`, `truth`, `jump`, `extreme`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import arith, cf
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.program import Extra, Value
from alpha.backends.core.rows import Immediate, Row
from alpha.backends.core.selection.addresses import constant_of, defining, immediate_of
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.matching import Match, Matcher, Matching
from alpha.ir.dialects.arith_vectors import CmpfOp, CmpiOp, SelectOp
from alpha.ir.scalars import PREDICATES

INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Those of `arith.cmpi`, by their numbers."""

SWAPPED = {
    "slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle",
    "ult": "ugt", "ule": "uge", "ugt": "ult", "uge": "ule",
    "olt": "ogt", "ole": "oge", "ogt": "olt", "oge": "ole",
}  # fmt: skip
"""What a predicate becomes when its operands change places; those that aren't here stay."""


OF_TRUTHS = {"slt": "ugt", "sle": "uge", "sgt": "ult", "sge": "ule"}
"""Signed order of truths: with one bit, true is -1 and comes first."""

ALWAYS = {"true": "ueq", "false": "one"}
"""What a predicate that compares nothing says of a value and itself."""

NARROW = ("i8", "i16")


class Test(NamedTuple):
    """How a predicate is tested: the row, its condition, what is exchanged.

    `swapped`: the operands are; `opposite`: what is done for true and false is. A row without a
    condition has an empty one.
    """

    row: str
    condition: Extra
    swapped: bool = False
    opposite: bool = False


def _none(key: str, predicate: str) -> Test | None:
    return None


def _no_row(row: str) -> str:
    return ""


class Tests(NamedTuple):
    """A target's comparisons.

    A use is `branch`, `set`, `select_i`, or `select_` and the type of the floats that are chosen.
    `integers` has the row for registers and the one for an immediate, by type, with `{use}` in the
    place of what uses it; `conditions` the condition of each predicate of integers; `uses` spells a
    use in the names of these rows. `floats` has the test of each predicate by type, predicate and
    use. What isn't there has no test.

    `extended` names the row that puts the sign above a narrow integer, for the types whose rows
    compare more bits than they have. `branch_zero` is a branch by a comparison of an integer with
    zero that says no zero, and `against_zero` the row that compares with zero in the place of a row
    that compares two floats, where there is one.
    """

    integers: Mapping[str, tuple[str, str]]
    conditions: Mapping[str, str]
    floats: Callable[[str, str, str], Test | None]
    uses: Mapping[str, str]
    extended: Mapping[str, str]
    branch_zero: Callable[[str, str], Test | None] = _none
    against_zero: Callable[[str], str] = _no_row


class Compared(NamedTuple):
    """What a truth is: a comparison of two values, or the lowest bit of one (`other` is None)."""

    predicate: str
    key: str
    value: SSAValue
    other: SSAValue | None

    @property
    def of_floats(self) -> bool:
        """Whether floats are compared."""
        return self.key[-3:] in ("f32", "f64")


def compared(truth: SSAValue) -> Compared:
    """How a truth is decided: by the comparison that defines it, else by its own word."""
    op = defining(truth)
    match op:
        case CmpiOp():
            predicate = INTEGER_PREDICATES[op.predicate.value.data]
            return Compared(predicate, key_of(op.lhs.type, op), op.lhs, op.rhs)
        case CmpfOp():
            predicate = PREDICATES[op.predicate.value.data]
            return Compared(predicate, key_of(op.lhs.type, op), op.lhs, op.rhs)
        case _:
            return by_word(truth)


def by_word(truth: SSAValue) -> Compared:
    """A truth that is in a register, whatever made it."""
    return Compared("ne", "i1", truth, None)


class _Written(NamedTuple):
    """A test ready to be written: row, operands in order, extras, whether sides are exchanged.

    `extended` is the row that each operand goes through first, or empty.
    """

    row: str
    needs: Sequence[SSAValue]
    extras: Sequence[Extra]
    opposite: bool = False
    extended: str = ""

    def operands(self, builder: Builder) -> list[Value]:
        """The registers that are compared."""
        held = [builder.value(value) for value in self.needs]
        return [builder.emit(self.extended, each)[0] for each in held] if self.extended else held


def _tested(tests: Tests, matcher: Matcher, found: Compared, use: str) -> _Written | None:
    """The row that makes a comparison for a use, or None if the target has none."""
    made = _floats if found.of_floats else _integers
    written = made(tests, matcher, found, use)
    return written if written is not None and written.row in matcher.target.rows else None


def _floats(tests: Tests, matcher: Matcher, found: Compared, use: str) -> _Written | None:
    assert found.other is not None
    predicate, needs = found.predicate, [found.value, found.other]
    if predicate in ALWAYS:
        predicate, needs = ALWAYS[predicate], [found.value, found.value]
    elif _is_zero(needs[0]) and not _is_zero(needs[1]):
        turned = tests.floats(found.key, SWAPPED.get(predicate, predicate), use)
        if predicate in SWAPPED and turned is not None and tests.against_zero(turned.row):
            predicate, needs = SWAPPED[predicate], needs[::-1]
    test = tests.floats(found.key, predicate, use)
    if test is None:
        return None
    extras = () if test.condition == "" else (test.condition,)
    if _is_zero(needs[1]) and (row := tests.against_zero(test.row)):
        return _Written(row, needs[:1], extras, test.opposite)
    return _Written(test.row, needs[::-1] if test.swapped else needs, extras, test.opposite)


def _is_zero(value: SSAValue) -> bool:
    op = defining(value)
    return (
        isinstance(op, arith.ConstantOp)
        and isinstance(op.value, FloatAttr)
        and op.value.value.data == 0
    )


def _integers(tests: Tests, matcher: Matcher, found: Compared, use: str) -> _Written | None:
    if found.key not in tests.integers or use not in tests.uses:
        return None
    register, immediate = (each.format(use=tests.uses[use]) for each in tests.integers[found.key])
    value, other, predicate = found.value, found.other, found.predicate
    if other is not None and constant_of(value) is not None and constant_of(other) is None:
        value, other, predicate = other, value, SWAPPED.get(predicate, predicate)
    if found.key == "i1":
        predicate = OF_TRUTHS.get(predicate, predicate)
    extended = tests.extended.get(found.key, "") if predicate.startswith("s") else ""
    constant = 0 if other is None else immediate_of(other)
    by_sign = extended or found.key not in tests.extended
    if found.key in NARROW and constant is not None and by_sign:
        constant = signed(constant, int(found.key[1:]))
    if constant == 0 and use == "branch":
        test = tests.branch_zero(found.key, predicate)
        if test is not None:
            return _Written(test.row, [value], (test.condition,))
    condition = tests.conditions[predicate]
    row = matcher.target.rows.get(immediate)
    if constant is not None and row is not None and holds_immediate(row, constant):
        return _Written(immediate, [value], (constant, condition), False, extended)
    assert other is not None
    return _Written(register, [value, other], (condition,), False, extended)


def holds_immediate(row: Row, value: int) -> bool:
    """Whether a row holds an integer as its first immediate."""
    kinds = [slot.kind for slot in row.extras if isinstance(slot.kind, Immediate)]
    return bool(kinds) and kinds[0].holds(value)


def signed(value: int, bits: int) -> int:
    """The integer that the lowest bits are in two's complement, if those above are zeros."""
    return value - (1 << bits) if value >> (bits - 1) else value


def branch(tests: Tests) -> Matching:
    """`cf.cond_br`, with the comparison that decides it."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, cf.ConditionalBranchOp)
        test = _tested(tests, matcher, compared(op.cond), "branch")
        if test is None:
            return None
        then = (op.then_block, op.then_arguments)
        other = (op.else_block, op.else_arguments)
        first, second = (other, then) if test.opposite else (then, other)

        def emit(builder: Builder) -> None:
            edges = [builder.edge(*first), builder.edge(*second)]
            builder.emit(test.row, *test.operands(builder), extras=test.extras, edges=edges)

        return Match([*test.needs, *then[1], *other[1]], emit)

    return match


def jump(matcher: Matcher, op: Operation) -> Match | None:
    """`cf.br`."""
    assert isinstance(op, cf.BranchOp)
    row = next(row for row in matcher.target.rows.values() if row.role == "jump")

    def emit(builder: Builder) -> None:
        builder.emit_row(row, edges=[builder.edge(op.successor, op.arguments)])

    return Match(list(op.arguments), emit)


def choose(tests: Tests, use: str) -> Matching:
    """`arith.select` with the comparison that decides it.

    Where no row does both, the truth is made first and its word is tested.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        test = _tested(tests, matcher, compared(op.cond), use)
        if test is None and key_of(op.cond.type, op) == "i1":
            test = _tested(tests, matcher, by_word(op.cond), use)
        if test is None:
            return None
        sides = [op.rhs, op.lhs] if test.opposite else [op.lhs, op.rhs]

        def emit(builder: Builder) -> None:
            operands = [*test.operands(builder), *(builder.value(side) for side in sides)]
            (made,) = builder.emit(test.row, *operands, extras=test.extras)
            builder.bind(op.result, made)

        return Match([*test.needs, *sides], emit)

    return match


def truth(tests: Tests) -> Matching:
    """`arith.cmpi` and `arith.cmpf` as 0 or 1 in a register."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        test = _tested(tests, matcher, compared(op.results[0]), "set")
        if test is None:
            return None

        def emit(builder: Builder) -> None:
            (made,) = builder.emit(test.row, *test.operands(builder), extras=test.extras)
            builder.bind(op.results[0], made)

        return Match(test.needs, emit)

    return match


def extreme(least: str, greatest: str) -> Matching:
    """`a < b ? a : b` and `a > b ? a : b` as one row, which takes b where nothing is less.

    The names are those of the rows for the least and for the greatest.
    """
    rows = {"olt": least, "ogt": greatest}

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        compare = defining(op.cond)
        if not isinstance(compare, CmpfOp):
            return None
        predicate = PREDICATES[compare.predicate.value.data]
        a, b = compare.lhs, compare.rhs
        if (op.lhs, op.rhs) == (b, a):
            # b where a < b, else a: the greater one, a where nothing is.
            predicate, a, b = {"olt": "ogt", "ogt": "olt"}.get(predicate, ""), b, a
        elif (op.lhs, op.rhs) != (a, b):
            return None
        row = rows.get(predicate)
        if row is None or row not in matcher.target.rows:
            return None

        def emit(builder: Builder) -> None:
            (made,) = builder.emit(row, builder.value(a), builder.value(b))
            builder.bind(op.result, made)

        return Match([a, b], emit)

    return match
