"""Loads and stores: in global memory, and in what the threads of a block share.

An array of a kernel is one that the threads of a block share; every other pointer is one of global
memory.

Entry: `memory`, `is_shared`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref, ptr, vector
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.selection.addresses import defining
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import frame_or_name, same
from alpha.backends.core.selection.lanes import lane_at
from alpha.backends.core.selection.matching import (
    Match,
    Matcher,
    Matching,
    Rule,
    operand_of,
    registers_of,
    rule,
)
from alpha.backends.ptx.rows.memory import WIDE

_KEYS = (("i32", "w"), ("i64", "x"), ("f32", "s"), ("f64", "d"))


def memory() -> Iterator[Rule]:
    """Rules for pointers and what is at them."""
    for key, view in _KEYS:
        yield Rule("ptr_xdsl.load", key, _in_space("load", view, key, "m:address"))
        yield Rule("ptr_xdsl.store", key, _in_space("store", view, key, "m:address s"))
    for view, element in (("s", "f32"), ("d", "f64")):
        for count in WIDE[view]:
            key = f"{count}x{element}"
            yield Rule("ptr_xdsl.load", key, _load_several(view, count))
            yield Rule("ptr_xdsl.store", key, _store_several(view, count))
            yield Rule("vector.extract", f"{key}->{element}", _word_of_several)
    yield rule("ptr_xdsl.ptradd", "*", "add_imm_x", "a i:imm")
    yield rule("ptr_xdsl.ptradd", "*", "add_x", "a b")
    yield from same("ptr_xdsl.to_ptr", "*")
    yield from same("ptr_xdsl.from_ptr", "*")
    yield Rule("memref.alloca", "*", frame_or_name("address"))


def _in_space(use: str, view: str, key: str, pattern: str) -> Matching:
    known = rule(f"ptr_xdsl.{use}", key, f"{use}_global_{view}", pattern).match
    shared = rule(f"ptr_xdsl.{use}", key, f"{use}_shared_{view}", pattern).match

    def match(matcher: Matcher, op: Operation) -> Match | None:
        return (shared if is_shared(op.operands[0]) else known)(matcher, op)

    return match


def _load_several(view: str, count: int) -> Matching:
    """Words in a row, each in a register of its own: nothing but `vector.extract` takes them."""
    row = f"load_global_{view}{count}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        uses = op.results[0].uses
        if is_shared(op.operands[0]) or not all(
            isinstance(use.operation, vector.ExtractOp) for use in uses
        ):
            return None
        pointer = matcher.pointer_for(matcher.target.rows[row], op.operands[0])

        def emit(builder: Builder) -> None:
            words = builder.emit(row, operand_of(pointer, builder))
            for use in uses:
                extract = use.operation
                assert isinstance(extract, vector.ExtractOp)
                lane = lane_at(extract)
                assert lane is not None
                builder.bind(extract.results[0], words[lane])

        return Match(registers_of(pointer), emit)

    return match


def _word_of_several(matcher: Matcher, op: Operation) -> Match | None:
    """A word that its load has given a register already."""

    def emit(builder: Builder) -> None:
        builder.value(op.results[0])

    return Match([op.operands[0]], emit)


def _store_several(view: str, count: int) -> Matching:
    """Words in a row, which a chain of `vector.insert` has put together."""
    row = f"store_global_{view}{count}"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        words = _inserted(op.operands[1], count)
        if words is None or is_shared(op.operands[0]):
            return None
        pointer = matcher.pointer_for(matcher.target.rows[row], op.operands[0])

        def emit(builder: Builder) -> None:
            held = [builder.value(word) for word in words]
            builder.emit(row, operand_of(pointer, builder), *held)

        return Match([*registers_of(pointer), *words], emit)

    return match


def _inserted(value: SSAValue, count: int) -> list[SSAValue] | None:
    """The words of a vector by lane, if every lane is inserted."""
    words: dict[int, SSAValue] = {}
    op = defining(value)
    while isinstance(op, vector.InsertOp) and len(words) < count:
        lane = lane_at(op)
        if lane is None:
            return None
        words.setdefault(lane, op.source)
        op = defining(op.dest)
    return [words[lane] for lane in range(count)] if len(words) == count else None


def is_shared(pointer: SSAValue) -> bool:
    """Whether a pointer is into an array that the threads of a block share."""
    op = defining(pointer)
    while isinstance(op, ptr.PtrAddOp | ptr.ToPtrOp | ptr.FromPtrOp):
        op = defining(op.operands[0])
    return isinstance(op, memref.AllocaOp)
