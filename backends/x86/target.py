"""x86-64 as the core sees it, with the features that a function may use.

Invariant: without features everything runs on any processor of x86-64-v3.
Entry: `target`, `TARGET`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Instruction
from alpha.backends.core.selection.keys import bytes_of, lanes_of
from alpha.backends.core.target import Target
from alpha.backends.x86.registers import GPR, MASK, VEC, VIEWS, convention
from alpha.backends.x86.rows.table import FEATURES, ROWS, moves_with, rows_with
from alpha.backends.x86.syntax import SYNTAX, takes_address

_VECTORS = {16: "x", 32: "y", 64: "z"}


def _moved(bytes: int) -> Sequence[Placed]:
    instruction = Instruction(ROWS["rsp_add"], [], [], (bytes,))
    return [Placed(instruction, (), "frame")]


def _view_of(key: str, wide: bool) -> str:
    lanes, element = lanes_of(key)
    if lanes == 1 and "x" not in key:
        return {"f32": "s", "f64": "d"}.get(element, "r64")
    if element == "i1":
        if not wide:
            raise KeyError(key)
        return "k"
    view = _VECTORS[bytes_of(key)]
    if view == "z" and not wide:
        raise KeyError(key)
    return view


@cache
def target(features: frozenset[str] = frozenset()) -> Target:
    """The rows, registers and moves that there are with some of `FEATURES`.

    Raises ValueError for another feature.
    """
    if not features <= FEATURES:
        unknown = ", ".join(sorted(features - FEATURES))
        raise ValueError(f"no feature {unknown}; there are {', '.join(sorted(FEATURES))}")
    wide = "avx512" in features
    return Target(
        name="x86-64",
        dialect="x64",
        classes=(GPR, VEC, MASK),
        views=VIEWS,
        rows=rows_with(features),
        convention=convention(features),
        moves=moves_with(features),
        syntax=SYNTAX,
        frame=_moved,
        view_of=lambda key: _view_of(key, wide),
        holds=takes_address,
    )


TARGET = target()
"""The baseline."""
