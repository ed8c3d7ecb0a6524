"""Choices of lanes by masks and comparisons, and memory of which only some lanes are touched.

Truths of lanes have no register of their own here: a comparison is done where it chooses, and a
constant mask is a vector of ones and zeros from the pool, or bits from there where there are
registers for masks.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import vector
from xdsl.ir import Operation

from alpha.backends.core.program import Value
from alpha.backends.core.selection.addresses import constant_of, defining
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import literal
from alpha.backends.core.selection.comparing import choose, compared
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.lanes import is_zero, mask_of
from alpha.backends.core.selection.matching import (
    Match,
    Matcher,
    Matching,
    Rule,
    operand_of,
    registers_of,
)
from alpha.backends.x86.selecting.comparisons import TESTS
from alpha.backends.x86.selecting.floats import INTEGER_VECTORS, VECTORS, Form, sign_mask
from alpha.backends.x86.selecting.lanes import has, spread
from alpha.ir.dialects.arith_vectors import SelectOp

MERGED = {"arith.addf": "vadd", "arith.subf": "vsub", "arith.mulf": "vmul", "arith.divf": "vdiv"}
COMMUTING = ("arith.addf", "arith.mulf")
"""Operations with rows that keep lanes where a mask is false, and those whose operands commute."""

INTEGER_TESTS = {
    "eq": ("vpcmpeq", False, False), "ne": ("vpcmpeq", False, True),
    "gt": ("vpcmpgt", False, False), "le": ("vpcmpgt", False, True),
    "lt": ("vpcmpgt", True, False), "ge": ("vpcmpgt", True, True),
}  # fmt: skip
"""The row for a predicate, whether its operands change places, whether it says the opposite."""


def masks() -> Iterator[Rule]:
    """Rules for `arith.select` of vectors, and for masked loads and stores."""
    for form in VECTORS:
        yield Rule("arith.select", form.key, _merged(form))
    for form in INTEGER_VECTORS:
        floats = form.key.replace("i", "f")
        yield Rule("arith.select", form.key, choose(TESTS, f"select_{floats}"))
    for form in VECTORS + INTEGER_VECTORS:
        yield Rule("arith.select", form.key, _chosen(form))
        yield Rule("arith.select", form.key, _chosen_by_integers(form))
        yield Rule("arith.select", form.key, _chosen_whole(form))
        yield Rule("vector.maskedload", form.key, _masked_load(form))
        yield Rule("vector.maskedstore", "*", _masked_store(form))


def mask_register(builder: Builder, mask: list[bool], form: Form, wide: bool) -> Value:
    """A constant mask: as bits of a mask register if `wide`, else as lanes of ones and zeros."""
    if wide:
        bits = sum(1 << lane for lane, truth in enumerate(mask) if truth)
        return builder.constant("kmovq_pool", literal(bits.to_bytes(8, "little")))
    size = form.lane_bytes
    content = b"".join(b"\xff" * size if truth else bytes(size) for truth in mask)
    return builder.constant(f"vmovups_{form.view}_pool", literal(content))


def _is_wide(matcher: Matcher) -> bool:
    """Whether masks have registers of their own."""
    return "kmovq_pool" in matcher.target.rows


def _chosen(form: Form) -> Matching:
    """A choice by a constant mask: x where it is true, else y."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        mask, wide = mask_of(op.cond), _is_wide(matcher)
        row = form.named("vblendm" if wide else "vblendv")
        if mask is None or row not in matcher.target.rows:
            return None

        def emit(builder: Builder) -> None:
            sides = builder.value(op.rhs), builder.value(op.lhs)
            held = mask_register(builder, mask, form, wide)
            (made,) = builder.emit(row, *((held, *sides) if wide else (*sides, held)))
            builder.bind(op.result, made)

        return Match([op.lhs, op.rhs], emit)

    return match


def _chosen_by_integers(form: Form) -> Matching:
    """A choice by a comparison of integers in lanes of the same width.

    Without a sign, numbers are ordered as those with the highest bits turned are with one.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        found = compared(op.cond)
        integers = next(
            each for each in INTEGER_VECTORS if (each.view, each.lanes) == (form.view, form.lanes)
        )
        row = f"vpcmpeq{form.letter}_{form.view}"
        if found.key != integers.key or found.other is None or row not in matcher.target.rows:
            return None
        other = found.other
        name, swapped, opposite = INTEGER_TESTS[found.predicate[-2:]]
        sides = [op.lhs, op.rhs] if opposite else [op.rhs, op.lhs]

        def emit(builder: Builder) -> None:
            held = [builder.value(value) for value in (found.value, other)]
            if found.predicate[0] == "u":
                signs = literal(sign_mask(form, True))
                turn = f"{form.logical('vxor')}_mem"
                held = [builder.emit(turn, each, signs)[0] for each in held]
            if swapped:
                held.reverse()
            (mask,) = builder.emit(f"{name}{form.letter}_{form.view}", *held)
            y, x = (builder.value(side) for side in sides)
            builder.bind(op.result, builder.emit(form.named("vblendv"), y, x, mask)[0])

        return Match([found.value, other, *sides], emit)

    return match


def _chosen_whole(form: Form) -> Matching:
    """One of two vectors, by a truth: its negative is ones or zeros for every lane."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        if key_of(op.cond.type, op) != "i1" or not has(matcher, form):
            return None

        def emit(builder: Builder) -> None:
            (ones,) = builder.emit("neg", builder.value(op.cond))
            mask = spread(builder, ones, form)
            sides = builder.value(op.rhs), builder.value(op.lhs)
            builder.bind(op.result, builder.emit(form.named("vblendv"), *sides, mask)[0])

        return Match([op.cond, op.lhs, op.rhs], emit)

    return match


def _merged(form: Form) -> Matching:
    """An operation on a value, kept where a constant mask is false: one row with a mask.

    `select mask, (y op b), y`, whose other operand is y itself.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        mask, inner = mask_of(op.cond), defining(op.lhs)
        if mask is None or inner is None or inner.name not in MERGED:
            return None
        row = f"{form.named(MERGED[inner.name])}_k"
        first, second = inner.operands
        if first is not op.rhs and inner.name in COMMUTING:
            first, second = second, first
        if first is not op.rhs or row not in matcher.target.rows or len(list(op.lhs.uses)) != 1:
            return None

        def emit(builder: Builder) -> None:
            kept, other = builder.value(op.rhs), builder.value(second)
            held = mask_register(builder, mask, form, True)
            (made,) = builder.emit(row, held, kept, kept, other)
            builder.bind(op.result, made)

        return Match([op.rhs, second], emit)

    return match


def _masked_load(form: Form) -> Matching:
    """Lanes where a constant mask is true; the others are those of `pass_thru`, zeros or not."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.MaskedLoadOp)
        mask, wide = mask_of(op.mask), _is_wide(matcher)
        row = f"vmovup{form.ending[-1]}_{form.view}_kload"
        if not wide:
            row = f"{form.named('vmaskmov')}_load"
        if mask is None or row not in matcher.target.rows or constant_of(op.indices[0]) != 0:
            return None
        pointer = matcher.pointer_for(matcher.target.rows[row], op.base)
        zeros = is_zero(op.pass_thru)
        needs = [*registers_of(pointer), *(() if zeros else (op.pass_thru,))]

        def emit(builder: Builder) -> None:
            lanes = mask_register(builder, mask, form, wide)
            (made,) = builder.emit(row, lanes, operand_of(pointer, builder))
            if not zeros:
                rest = builder.value(op.pass_thru)
                sides = (lanes, rest, made) if wide else (rest, made, lanes)
                (made,) = builder.emit(form.named("vblendm" if wide else "vblendv"), *sides)
            builder.bind(op.result, made)

        return Match(needs, emit)

    return match


def _masked_store(form: Form) -> Matching:
    """Lanes where a constant mask is true; the others aren't touched."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.MaskedStoreOp)
        mask, wide = mask_of(op.mask), _is_wide(matcher)
        row = f"vmovup{form.ending[-1]}_{form.view}_kstore"
        if not wide:
            row = f"{form.named('vmaskmov')}_store"
        if mask is None or key_of(op.value_to_store.type, op) != form.key:
            return None
        if row not in matcher.target.rows or constant_of(op.indices[0]) != 0:
            return None
        pointer = matcher.pointer_for(matcher.target.rows[row], op.base)

        def emit(builder: Builder) -> None:
            lanes = mask_register(builder, mask, form, wide)
            value = builder.value(op.value_to_store)
            builder.emit(row, operand_of(pointer, builder), lanes, value)

        return Match([*registers_of(pointer), op.value_to_store], emit)

    return match
