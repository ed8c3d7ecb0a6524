"""Loads, stores and addresses. Every row takes every address; most cost nothing."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import memref
from xdsl.ir import Operation

from alpha.backends.aarch64.selecting.floats import FORMS
from alpha.backends.core.selection.addresses import constant_of
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import address_of, frame_or_name, same
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

INTEGERS = (("i64", 64), ("i32", 32), ("i16", 16), ("i8", 8), ("i1", 8))


def memory() -> Iterator[Rule]:
    """Rules for pointers and what is at them."""
    for key, bits in INTEGERS:
        yield rule("ptr_xdsl.load", key, f"load_{bits}", "m:address")
        yield Rule("ptr_xdsl.store", key, _zero(f"store_zero_{bits}"))
        yield rule("ptr_xdsl.store", key, f"store_{bits}", "m:address s")
    for form in FORMS:
        yield rule("ptr_xdsl.load", form.key, f"load_{form.view}", "m:address")
        yield rule("ptr_xdsl.store", form.key, f"store_{form.view}", "m:address s")
    yield rule("hint.prefetch", "*", "prefetch", "m:address")
    yield Rule("ptr_xdsl.ptradd", "*", address_of("address", "address"))
    yield rule("ptr_xdsl.ptradd", "*", "add", "a b")
    yield from same("ptr_xdsl.to_ptr", "*")
    yield from same("ptr_xdsl.from_ptr", "*")
    yield Rule("memref.alloca", "*", frame_or_name("address"))
    yield Rule("memref.get_global", "*", _name)


def _zero(row: str) -> Matching:
    """A store of 0, which has a register of its own."""
    plain = rule("ptr_xdsl.store", "", row, "m:address _").match

    def match(matcher: Matcher, op: Operation) -> Match | None:
        return plain(matcher, op) if constant_of(op.operands[1]) == 0 else None

    return match


def _name(matcher: Matcher, op: Operation) -> Match | None:
    """The address of a name of the module."""
    assert isinstance(op, memref.GetGlobalOp)
    name = op.name_.root_reference.data

    def emit(builder: Builder) -> None:
        builder.bind(op.memref, builder.emit("address_of_symbol", extras=(name,))[0])

    return Match([], emit)
