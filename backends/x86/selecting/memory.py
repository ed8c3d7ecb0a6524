"""Loads, stores, addresses, and what moves words between vectors, scalars and memory."""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.core.selection.common_rules import address_of, frame_or_name, same
from alpha.backends.core.selection.matching import Rule, rule
from alpha.backends.x86.selecting.floats import INTEGER_VECTORS, VECTORS

INTEGERS = (("i64", 64), ("i32", 32), ("i16", 16), ("i8", 8), ("i1", 8))
FLOATS = (("f64", "vmovsd"), ("f32", "vmovss"))


def memory() -> Iterator[Rule]:
    """Rules for pointers and what is at them."""
    for key, bits in INTEGERS:
        yield rule("ptr_xdsl.load", key, f"load_{bits}", "m:address")
        yield rule("ptr_xdsl.store", key, f"store_{bits}_imm", "m:address i:imm")
        yield rule("ptr_xdsl.store", key, f"store_{bits}", "m:address s")
    for key, mnemonic in FLOATS:
        yield rule("ptr_xdsl.load", key, f"{mnemonic}_load", "m:address")
        yield rule("ptr_xdsl.store", key, f"{mnemonic}_store", "m:address s")
    for form in VECTORS + INTEGER_VECTORS:
        yield rule("ptr_xdsl.load", form.key, f"vmovups_{form.view}_load", "m:address")
        yield rule("ptr_xdsl.store", form.key, f"vmovups_{form.view}_store", "m:address s")
    yield rule("hint.prefetch", "*", "prefetcht0", "m:address")
    yield Rule("ptr_xdsl.ptradd", "*", address_of("lea", "lea_area"))
    yield rule("ptr_xdsl.ptradd", "*", "add", "a b")
    yield from same("ptr_xdsl.to_ptr", "*")
    yield from same("ptr_xdsl.from_ptr", "*")
    yield Rule("memref.alloca", "*", frame_or_name("lea_area"))
    yield Rule("memref.get_global", "*", frame_or_name("lea_area"))
