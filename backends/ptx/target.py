"""PTX as the core sees it: as much of a target as selecting rows needs.

Entry: `target`, `TARGET`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from alpha.backends.core.placed import Placed
from alpha.backends.core.target import Target
from alpha.backends.ptx.registers import CONVENTION, VIEWS
from alpha.backends.ptx.rows.table import FEATURES, MOVES, ROWS
from alpha.backends.ptx.syntax import SYNTAX, holds_address

_VIEWS_OF_TYPES: Mapping[str, str] = MappingProxyType(
    {"i1": "p", "i32": "w", "i64": "x", "f32": "s", "f64": "d"}
)


def _no_frame(bytes: int) -> Sequence[Placed]:
    raise ValueError("a kernel has no stack pointer")


TARGET = Target(
    name="ptx",
    dialect="ptx",
    classes=tuple(view.of for view in VIEWS.values()),
    views=VIEWS,
    rows=ROWS,
    convention=CONVENTION,
    moves=MOVES,
    syntax=SYNTAX,
    frame=_no_frame,
    view_of=_VIEWS_OF_TYPES.__getitem__,
    holds=holds_address,
)
"""The target for SM86. A vector has no view: kernels work on words."""


def target(features: frozenset[str] = frozenset()) -> Target:
    """The target; it has no features. Raises ValueError for one."""
    if not features <= FEATURES:
        raise ValueError(f"no feature {', '.join(sorted(features))}")
    return TARGET
