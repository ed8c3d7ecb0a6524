"""Truths of lanes, choices by them, and memory of which only some lanes are touched.

Truths of a vector are lanes of ones and zeros. A comparison that is used once, in a choice, gives
them in the way that costs least; the choice then takes its sides in the other order, if need be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from xdsl.dialects import vector
from xdsl.ir import Operation, SSAValue

from alpha.backends.aarch64.selecting.floats import INTEGER_VECTORS, VECTORS, Form
from alpha.backends.core.program import Value
from alpha.backends.core.selection.addresses import Pointer, constant_of, pointer_of
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.comparing import Compared, compared
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.lanes import is_zero, mask_of
from alpha.backends.core.selection.matching import (
    Match,
    Matcher,
    Matching,
    Rule,
    is_inside,
    operand_of,
    registers_of,
)
from alpha.ir.dialects.arith_vectors import SelectOp

COMPARISONS: Mapping[str, tuple[str, bool, bool]] = MappingProxyType(
    {
        "oeq": ("fcmeq", False, False),
        "ogt": ("fcmgt", False, False),
        "oge": ("fcmge", False, False),
        "olt": ("fcmgt", True, False),
        "ole": ("fcmge", True, False),
        "une": ("fcmeq", False, True),
        "ule": ("fcmgt", False, True),
        "ult": ("fcmge", False, True),
        "uge": ("fcmgt", True, True),
        "ugt": ("fcmge", True, True),
        "eq": ("cmeq", False, False),
        "ne": ("cmeq", False, True),
        "sgt": ("cmgt", False, False),
        "sge": ("cmge", False, False),
        "slt": ("cmgt", True, False),
        "sle": ("cmge", True, False),
        "ugt_integers": ("cmhi", False, False),
        "uge_integers": ("cmhs", False, False),
        "ult_integers": ("cmhi", True, False),
        "ule_integers": ("cmhs", True, False),
    }
)
"""The row for a predicate, whether its operands change places, whether it says the opposite."""

EITHER: Mapping[str, tuple[str, bool]] = MappingProxyType(
    {
        "one": ("fcmgt", False),
        "ueq": ("fcmgt", True),
        "ord": ("fcmge", False),
        "uno": ("fcmge", True),
    }
)
"""Predicates that hold if `fcmgt` does with its operands in one order or the other (`ord`: one of
them at least as great), and whether that says the opposite."""


def masks() -> Iterator[Rule]:
    """Rules for `arith.select` and comparisons of vectors, and for masked loads and stores."""
    for form in VECTORS + INTEGER_VECTORS:
        op = "arith.cmpi" if form.of_integers else "arith.cmpf"
        yield Rule(op, form.key, _truths(form))
        yield Rule("arith.select", form.key, _chosen_here(form))
        yield Rule("arith.select", form.key, _chosen(form))
        yield Rule("arith.select", form.key, _chosen_whole(form))
        yield Rule("vector.maskedload", form.key, _masked_load(form))
        yield Rule("vector.maskedstore", "*", _masked_store(form))


def _compared(builder: Builder, found: Compared, form: Form) -> tuple[Value, bool]:
    """Lanes of ones and zeros, and whether they say the opposite of the comparison."""
    assert found.other is not None
    a, b = builder.value(found.value), builder.value(found.other)
    if found.predicate in ("true", "false"):
        return builder.emit("ones_q")[0], found.predicate == "false"
    if found.predicate in EITHER:
        row, opposite = EITHER[found.predicate]
        first = builder.emit(f"{row}_{form.suffix}", a, b)[0]
        second = builder.emit(f"fcmgt_{form.suffix}", b, a)[0]
        return builder.emit("orr_16b", first, second)[0], opposite
    predicate = found.predicate
    if form.of_integers and predicate.startswith("u"):
        predicate += "_integers"
    row, swapped, opposite = COMPARISONS[predicate]
    sides = (b, a) if swapped else (a, b)
    return builder.emit(f"{row}_{form.suffix}", *sides)[0], opposite


def _truths(form: Form) -> Matching:
    """A comparison whose truths are kept."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        found = compared(op.results[0])

        def emit(builder: Builder) -> None:
            made, opposite = _compared(builder, found, form)
            if opposite:
                (made,) = builder.emit("mvn_16b", made)
            builder.bind(op.results[0], made)

        return Match(list(op.operands), emit)

    return match


def _chosen_here(form: Form) -> Matching:
    """A choice by a comparison that nothing else uses, of lanes as wide."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        found = compared(op.cond)
        if found.other is None or len(list(op.cond.uses)) > 1:
            return None
        of = next((each for each in VECTORS + INTEGER_VECTORS if each.key == found.key), None)
        if of is None or of.lanes != form.lanes:
            return None
        other = found.other

        def emit(builder: Builder) -> None:
            mask, opposite = _compared(builder, found, of)
            sides = [builder.value(op.lhs), builder.value(op.rhs)]
            (made,) = builder.emit("bsl_16b", mask, *(sides[::-1] if opposite else sides))
            builder.bind(op.result, made)

        return Match([found.value, other, op.lhs, op.rhs], emit)

    return match


def _chosen(form: Form) -> Matching:
    """A choice by truths that are there."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        needs = [op.cond, op.lhs, op.rhs]
        if key_of(op.cond.type, op) != f"{form.lanes}xi1":
            return None

        def emit(builder: Builder) -> None:
            (made,) = builder.emit("bsl_16b", *(builder.value(value) for value in needs))
            builder.bind(op.result, made)

        return Match(needs, emit)

    return match


def _chosen_whole(form: Form) -> Matching:
    """One of two vectors, by a truth: its negative is ones or zeros for every lane."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SelectOp)
        if key_of(op.cond.type, op) != "i1":
            return None

        def emit(builder: Builder) -> None:
            (ones,) = builder.emit("neg", builder.value(op.cond))
            (mask,) = builder.emit("dup_general_2d", ones)
            sides = builder.value(op.lhs), builder.value(op.rhs)
            builder.bind(op.result, builder.emit("bsl_16b", mask, *sides)[0])

        return Match([op.cond, op.lhs, op.rhs], emit)

    return match


# --- memory by masks ---

Access = Callable[[Builder, int, str, int], None]
"""Does one access: at so many bytes, of a scalar of this view, in the lane with this number."""


def _accesses(mask: list[bool], form: Form, builder: Builder, access: Access) -> None:
    """The lanes of a mask: two neighbours of 4 bytes at once where they fill a lane of 8."""
    at = 0
    while at < form.lanes:
        pair = form.lane_bytes == 4 and at % 2 == 0 and all(mask[at : at + 2])
        if pair:
            access(builder, 4 * at, "d", at // 2)
        elif mask[at]:
            access(builder, form.lane_bytes * at, form.letter, at)
        at += 2 if pair else 1


def _reaching(mask: list[bool], form: Form, base: SSAValue) -> Pointer:
    """The address that the lanes of a mask are counted from; in a register where one of them lies
    outside of its part of the frame."""
    pointer = pointer_of(base)
    touched = [lane for lane, taken in enumerate(mask) if taken]
    if pointer.alloca is None or registers_of(pointer) or not touched:
        return pointer
    first = _moved(pointer, form.lane_bytes * touched[0])
    width = form.lane_bytes * (touched[-1] - touched[0] + 1)
    return pointer if is_inside(first, width) else Pointer(base)


def _moved(pointer: Pointer, offset: int) -> Pointer:
    return replace(pointer, offset=pointer.offset + offset)


def _known_mask(op: vector.MaskedLoadOp | vector.MaskedStoreOp) -> list[bool] | None:
    """The mask, if it is constant and the access begins where its memory does."""
    return mask_of(op.mask) if constant_of(op.indices[0]) == 0 else None


def _masked_load(form: Form) -> Matching:
    """Lanes where a constant mask is true; the others are those of `pass_thru`.

    The first one is loaded with zeros above if those are wanted there.
    """

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.MaskedLoadOp)
        mask = _known_mask(op)
        if mask is None:
            return None
        pointer = _reaching(mask, form, op.base)
        needs: list[SSAValue] = registers_of(pointer)
        zeros = is_zero(op.pass_thru)
        if not zeros:
            needs = [*needs, op.pass_thru]

        def emit(builder: Builder) -> None:
            made = None if zeros else builder.value(op.pass_thru)

            def load(builder: Builder, offset: int, view: str, lane: int) -> None:
                nonlocal made
                place = operand_of(_moved(pointer, offset), builder)
                if made is None and lane == 0:
                    (scalar,) = builder.emit(f"load_{view}", place)
                    (made,) = builder.emit(f"widen_{view}", scalar)
                    return
                if made is None:
                    (made,) = builder.emit("zero_q")
                (made,) = builder.emit(f"load_lane_{view}", made, place, extras=(lane,))

            _accesses(mask, form, builder, load)
            builder.bind(op.result, builder.emit("zero_q")[0] if made is None else made)

        return Match(needs, emit)

    return match


def _masked_store(form: Form) -> Matching:
    """Lanes where a constant mask is true; the others aren't touched."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, vector.MaskedStoreOp)
        mask = _known_mask(op)
        if mask is None or key_of(op.value_to_store.type, op) != form.key:
            return None
        pointer = _reaching(mask, form, op.base)

        def emit(builder: Builder) -> None:
            value = builder.value(op.value_to_store)

            def store(builder: Builder, offset: int, view: str, lane: int) -> None:
                place = operand_of(_moved(pointer, offset), builder)
                builder.emit(f"store_lane_{view}", place, value, extras=(lane,))

            _accesses(mask, form, builder, store)

        return Match([*registers_of(pointer), op.value_to_store], emit)

    return match
