"""All rows of x86-64, and those that a set of features leaves.

Invariant: rows of one name have one signature and one meaning; the last one whose feature is there
    counts. So a rule names a row without asking which registers there are.
Entry: `ROWS`, `ALL`, `FEATURES`, `rows_with`, `MOVES`, `moves_with`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.core.rows import Row
from alpha.backends.core.target import Moves
from alpha.backends.x86.rows import control, integers, memory, scalars, vectors

ALL: tuple[Row, ...] = (
    *integers.ROWS,
    *memory.ROWS,
    *scalars.ROWS,
    *vectors.ROWS,
    *control.ROWS,
)
"""Every row, those of one name behind one another."""

FEATURES = frozenset(row.feature for row in ALL if row.feature)
"""`avx512`: the parts F, DQ, BW and VL. `sha`: the SHA extensions."""


def rows_with(features: frozenset[str]) -> Mapping[str, Row]:
    """The rows by name that the baseline and these features have."""
    return MappingProxyType(
        {row.name: row for row in ALL if not row.feature or row.feature in features}
    )


ROWS = rows_with(FEATURES)
"""Every row by name, with all features."""


def moves_with(features: frozenset[str]) -> Moves:
    """How values move if there are these features."""
    rows = rows_with(features)
    stems = {"s": "vmovss", "d": "vmovsd", "x": "vmovups_x", "y": "vmovups_y", "z": "vmovups_z"}
    wide = "avx512" in features
    views = [view for view in stems if wide or view != "z"]
    # A swap as wide as all views needs would make the upper halves of registers dirty, and the
    # instructions without VEX, those of SHA-256, slow.
    swaps = {"r64": "xchg"}
    swaps |= {view: f"vxorps_swap_{view if view in 'yz' else 'x'}" for view in views}
    move = {"r64": "mov"} | {view: f"vmovaps_{view}" for view in views}
    store = {"r64": "store_64"} | {view: f"{stems[view]}_store" for view in views}
    load = {"r64": "load_64"} | {view: f"{stems[view]}_load" for view in views}
    if wide:
        move["k"], store["k"], load["k"] = "kmovq", "kmovq_store", "kmovq_load"
        swaps["k"] = "kxorq_swap"
    named = (
        MappingProxyType({key: rows[name] for key, name in table.items()})
        for table in (move, store, load, swaps)
    )
    return Moves(*named)


MOVES = moves_with(FEATURES)
"""How values move with all features."""
