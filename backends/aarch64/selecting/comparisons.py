"""Comparisons with the branches, choices and truths that use them.

Source: what `fcmp` sets of the flags (Arm ARM, FPCompare), as `meanings.FLOAT_PREDICATES` says.
"""

from __future__ import annotations

from collections.abc import Iterator

from alpha.backends.aarch64.meanings import FLOAT_PREDICATES
from alpha.backends.aarch64.selecting.floats import FLOATS, SCALARS
from alpha.backends.core.selection.comparing import Test, Tests, choose, extreme, truth
from alpha.backends.core.selection.extremes import extremes
from alpha.backends.core.selection.matching import Rule

CONDITIONS = {
    "eq": "eq", "ne": "ne", "slt": "lt", "sle": "le", "sgt": "gt", "sge": "ge",
    "ult": "lo", "ule": "ls", "ugt": "hi", "uge": "hs",
}  # fmt: skip
"""The condition of each predicate of integers behind `cmp`."""

FLOAT_CONDITIONS = {predicate: condition for condition, predicate in FLOAT_PREDICATES.items()}
"""A condition for each predicate of floats, but for the two that take two."""

TWO_CONDITIONS = ("one", "ueq")

ROW_USES = {
    "branch": "branch", "set": "cset", "select_i": "csel",
    "select_f64": "fcsel_d", "select_f32": "fcsel_s",
}  # fmt: skip

INTEGERS = {"i64": "", "i32": "_32", "i16": "_16", "i8": "_8", "i1": "_32"}
"""The suffix of the rows that compare integers of a type."""

VIEWS = {form.key: form.view for form in SCALARS}


def _float_test(key: str, predicate: str, use: str) -> Test | None:
    if key not in VIEWS or use not in ROW_USES:
        return None
    if use.startswith("select_f") and use != f"select_{key}":
        return None
    row = f"{'fcsel' if use.startswith('select_f') else ROW_USES[use]}_fcmp_"
    if predicate not in TWO_CONDITIONS:
        return Test(f"{row}{VIEWS[key]}", FLOAT_CONDITIONS[predicate])
    if use == "set":
        return Test(f"{row}{predicate}_{VIEWS[key]}", "")
    # What isn't less or greater is equal or can't be compared: the other side of the same test.
    return Test(f"{row}one_{VIEWS[key]}", "", opposite=predicate == "ueq")


def _branch_zero(key: str, predicate: str) -> Test | None:
    """`cbz` and `cbnz`; narrow integers have zeros above."""
    condition = {"eq": "z", "ne": "nz"}.get(predicate)
    if condition is None:
        return None
    return Test("cb" if key == "i64" else "cb_32", condition)


def _against_zero(row: str) -> str:
    use, _, rest = row.partition("_fcmp_")
    return f"{use}_fcmp_zero_{rest}" if rest in VIEWS.values() else ""


TESTS = Tests(
    integers={
        key: (f"{{use}}_cmp{suffix}", f"{{use}}_cmp_imm{suffix}")
        for key, suffix in INTEGERS.items()
    },
    conditions=CONDITIONS,
    floats=_float_test,
    uses=ROW_USES,
    extended={},
    branch_zero=_branch_zero,
    against_zero=_against_zero,
)


def comparisons() -> Iterator[Rule]:
    """Rules for `arith.cmpi`, `arith.cmpf` and `arith.select`, of scalars and of extremes."""
    for key in INTEGERS:
        yield Rule("arith.select", key, choose(TESTS, "select_i"))
        yield Rule("arith.cmpi", key, truth(TESTS))
    for form in FLOATS:
        yield Rule("arith.select", form.key, extreme(f"min_{form.suffix}", f"max_{form.suffix}"))
    for form in SCALARS:
        yield Rule("arith.select", form.key, choose(TESTS, f"select_{form.key}"))
        yield Rule("arith.cmpf", form.key, truth(TESTS))
    yield from extremes(TESTS)
