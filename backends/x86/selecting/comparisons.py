"""Comparisons with the branches, choices and truths that use them.

Source: what `vucomisd` sets of ZF, PF and CF (Intel SDM, vol. 2): less CF; equal ZF; greater
nothing; what can't be compared all three. The immediate of `vcmpsd` is one of 32 predicates.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.core.selection.comparing import Test, Tests, choose, extreme, truth
from alpha.backends.core.selection.extremes import extremes
from alpha.backends.core.selection.matching import Rule, rule
from alpha.backends.x86.selecting.floats import FORMS, SCALARS

CONDITIONS = {
    "eq": "e", "ne": "ne", "slt": "l", "sle": "le", "sgt": "g", "sge": "ge",
    "ult": "b", "ule": "be", "ugt": "a", "uge": "ae",
}  # fmt: skip
"""The condition of each predicate of integers behind `cmp`."""

FLAGS = {
    "ogt": ("a", False), "oge": ("ae", False), "olt": ("a", True), "ole": ("ae", True),
    "ult": ("b", False), "ule": ("be", False), "ugt": ("b", True), "uge": ("be", True),
    "one": ("ne", False), "ueq": ("e", False), "ord": ("np", False), "uno": ("p", False),
}  # fmt: skip
"""The condition of each predicate behind `vucomisd`, and whether its operands are exchanged."""

IMMEDIATES = {
    "oeq": 0, "olt": 17, "ole": 18, "uno": 3, "une": 4, "uge": 21, "ugt": 22, "ord": 7,
    "ueq": 8, "ult": 25, "ule": 26, "one": 12, "oge": 29, "ogt": 30,
}  # fmt: skip
"""The immediate of `vcmp` for each predicate; all of them quiet."""

MNEMONICS = {"f64": "vucomisd", "f32": "vucomiss"}
ROW_USES = {"branch": "branch", "select_i": "cmov", "set": "set"}
SELECTS = {form.key: form.named("vcmp") + "_select" for form in FORMS}


def _float_test(key: str, predicate: str, use: str) -> Test | None:
    if use == f"select_{key}":
        return Test(SELECTS[key], IMMEDIATES[predicate])
    if use not in ROW_USES or key not in MNEMONICS:
        return None
    row = f"{MNEMONICS[key]}_{ROW_USES[use]}"
    if predicate in FLAGS:
        condition, swapped = FLAGS[predicate]
        return Test(row, condition, swapped)
    if use == "branch":
        return Test(f"{row}_une", "", opposite=predicate == "oeq")
    return Test(f"{row}_{predicate}", "")


INTEGERS = {"i64": "", "i32": "_32", "i16": "_32", "i8": "_8", "i1": "_32"}
"""The suffix of the rows that compare integers of a type."""

TESTS = Tests(
    integers={
        key: (f"cmp_{{use}}{suffix}", f"cmp_{{use}}{suffix}_imm")
        for key, suffix in INTEGERS.items()
    },
    conditions=CONDITIONS,
    floats=_float_test,
    uses=ROW_USES,
    extended={"i16": "movsx_16_32"},
)


def comparisons() -> Iterator[Rule]:
    """Rules for `arith.cmpi`, `arith.cmpf` and `arith.select`, of scalars and by floats."""
    for key in INTEGERS:
        yield Rule("arith.select", key, choose(TESTS, "select_i"))
        yield Rule("arith.cmpi", key, truth(TESTS))
    for form in FORMS:
        yield Rule("arith.select", form.key, extreme(form.named("vmin"), form.named("vmax")))
        yield Rule("arith.select", form.key, choose(TESTS, f"select_{form.key}"))
    for form in SCALARS:
        yield rule("arith.select", form.key, f"select_{form.ending}", "t x y")
        yield Rule("arith.cmpf", form.key, truth(TESTS))
    yield from extremes(TESTS)
