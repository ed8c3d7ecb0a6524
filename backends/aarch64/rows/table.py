"""All rows of AArch64 by name, and those that move values.

Entry: `ROWS`, `FEATURES`, `MOVES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.aarch64.rows import control, integers, memory, scalars, vectors
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Moves

_PARTS = (integers.ROWS, memory.ROWS, scalars.ROWS, vectors.ROWS, control.ROWS)


def _by_name() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for part in _PARTS:
        for each in part:
            if each.name in found:
                raise ValueError(f"two rows are named {each.name}")
            found[each.name] = each
    return found


ROWS: Mapping[str, Row] = MappingProxyType(_by_name())

FEATURES = frozenset(row.feature for row in ROWS.values() if row.feature)
"""What a processor may have beside the baseline, Armv8-A with Advanced SIMD."""

_MOVES = {"x": "mov", "s": "fmov_s", "d": "fmov_d", "q": "mov_q"}
_WIDTHS = {"x": "64", "s": "s", "d": "d", "q": "q"}

MOVES = Moves(
    move={view: ROWS[name] for view, name in _MOVES.items()},
    store={view: ROWS[f"store_{width}"] for view, width in _WIDTHS.items()},
    load={view: ROWS[f"load_{width}"] for view, width in _WIDTHS.items()},
    swap={view: ROWS["swap" if view == "x" else "swap_q"] for view in _MOVES},
)
"""By the views that values have."""
