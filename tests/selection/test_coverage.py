"""Every operation of the code level on every type: a rule on every target, or a refusal by name.

What is refused though the target has registers for the types is stated here, so that a rule that is
lost is seen, and one that is new.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from selection.code_operations import EXTENDED, functions
from selection.compiled import ARM, AVX512, X86, Target
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.core.selection.engine import select_function
from alpha.backends.core.selection.keys import lanes_of
from alpha.backends.core.targets import features_of, instruction_set
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.passes.convert_scf_to_cf import ConvertScfToCfPass
from alpha.passes.lower_memref import LowerMemrefPass

NOT_BUILT = (
    *EXTENDED, "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui",
    "math.ctpop", "math.ctlz", "math.cttz",
)  # fmt: skip
"""Operations without rules for any type."""

OF_NUMBERS = (
    "arith.divui", "arith.divsi", "arith.remui", "arith.remsi", "arith.minui", "arith.maxui",
    "arith.minsi", "arith.maxsi", "arith.shli", "arith.shrui", "arith.shrsi",
)  # fmt: skip
"""Operations with rules for integers of 8 to 64 bits alone, but for shifts by constants."""

CONVERTED: Mapping[str, Callable[[str, str], bool]] = {
    "arith.extf": lambda a, b: (a, b) == ("f32", "f64"),
    "arith.truncf": lambda a, b: (a, b) == ("f64", "f32"),
    "arith.bitcast": lambda a, b: a[0] != b[0] and a[1:] == b[1:],
    "arith.fptosi": lambda a, b: b != "i1",
    "arith.fptoui": lambda a, b: b != "i1",
}
"""Whether there is a rule for a conversion between two elements; others have one where they are."""


def _has_rule(op: str, subject: str, features: str) -> bool:
    """Whether an operation is to have a rule, on types that the target has registers for."""
    if op.startswith("sha256."):
        return features.startswith("sha")
    source, _, result = subject.partition("->")
    (lanes, element), (_, to) = lanes_of(source), lanes_of(result or source)
    if op in NOT_BUILT:
        return False
    if "2xf32" in subject and not (op in CONVERTED and to != element):
        return False  # a half of a vector, which is only converted and put together
    if op in OF_NUMBERS:
        return lanes == 1 and element != "i1"
    if op in CONVERTED:
        return CONVERTED[op](element, to)
    if op == "arith.muli":
        return lanes == 1 or element != "i64"
    # Truths of vectors are registers at most, not words.
    return lanes == 1 or element != "i1"


class Tried:
    """What a target selects of all functions, and what it refuses, by operation and type."""

    def __init__(self, target: Target) -> None:
        self.selected = 0
        self.refused: dict[str, set[str]] = defaultdict(set)
        made = instruction_set(target.dialect, features_of(target.features))
        for op, type, module in _lowered():
            try:
                for part in module.body.block.ops:
                    assert isinstance(part, func.FuncOp)
                    select_function(part, made.target, made.rules)
                self.selected += 1
            except Refusal as refusal:
                assert refusal.code == "target-unsupported", (op, type)
                self.refused[refusal.found].add(f"{op} {type}")
        self.has_view = _has_view(made.target.view_of)


def _has_view(view_of: Callable[[str], str]) -> Callable[[str], bool]:
    def has(key: str) -> bool:
        try:
            return bool(view_of(key))
        except KeyError:
            return False

    return has


@cache
def _lowered() -> list[tuple[str, str, ModuleOp]]:
    """Every function that is IR, down to blocks and pointers; the lowering may refuse a type."""
    found: list[tuple[str, str, ModuleOp]] = []
    for op, type, text in functions():
        try:
            module = parse_text(make_context(), text, "function.mlir")
            verify_module(module)
        except Refusal:
            continue  # the operation doesn't take this type
        try:
            for each in (LowerMemrefPass(), ConvertScfToCfPass()):
                each.apply(Context(), module)
                verify_module(module)
        except Refusal as refusal:
            assert refusal.code == "target-unsupported" and refusal.found in type, (op, type)
            continue
        found.append((op, type, module))
    return found


SHA = (Target("x86-64", "x64", "sha"), Target("aarch64", "a64", "sha2"))


@pytest.mark.parametrize("target", [X86, AVX512, ARM, *SHA], ids=lambda target: target.name)
def test_a_rule_or_a_refusal_by_name(target: Target) -> None:
    tried = Tried(target)
    wrong: list[str] = []
    for found, where in tried.refused.items():
        named = re.fullmatch(r"(\S+) on (\S+)", found)
        if named is None:
            # A type: one that no target has, said as it stands in the source.
            wrong += [f"{each}: {found}" for each in where if found.split("<")[0] not in each]
            continue
        op, subject = named[1], named[2]
        if all(map(tried.has_view, subject.split("->"))) and _has_rule(
            op, subject, target.features
        ):
            wrong.append(f"no rule: {found}, in {sorted(where)[:3]}")
    assert not wrong
    # Nothing that is to be refused is selected: what is refused is all of that.
    built = {found.split(" on ")[0] for found in tried.refused}
    assert set(NOT_BUILT) <= built
    assert ("sha256.schedule" in built) == (target not in SHA)
    assert tried.selected > 250


def test_the_list_has_every_operation_with_a_rule() -> None:
    listed = {op.split(" ")[0] for op, _, _ in functions()}
    # What is reached by way of others: stores, values behind pointers, ends of functions.
    listed |= {"ptr_xdsl.store", "ptr_xdsl.to_ptr", "ptr_xdsl.from_ptr", "func.return"}
    listed |= {"memref.alloca", "memref.get_global", "arith.select", "vector.maskedstore"}
    for target in (X86, ARM):
        rules = instruction_set(target.dialect).rules
        assert set(rules.by_operation) <= listed
        assert set(rules.by_operation) == set(instruction_set("x64").rules.by_operation)
