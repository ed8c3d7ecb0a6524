"""All rows of PTX.

Entry: `ROWS`, `ALL`, `FEATURES`, `MOVES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.core.rows import Row
from alpha.backends.core.target import Moves
from alpha.backends.ptx.registers import VIEWS
from alpha.backends.ptx.rows import control, integers, memory, scalars

ALL: tuple[Row, ...] = (*integers.ROWS, *memory.ROWS, *scalars.ROWS, *control.ROWS)
"""Every row."""

FEATURES: frozenset[str] = frozenset()
"""There are none beyond SM86."""

ROWS: Mapping[str, Row] = MappingProxyType({row.name: row for row in ALL})
"""Every row by name."""

MOVES = Moves(
    move={view: ROWS[f"mov_{view}"] for view in VIEWS},
    store={view: ROWS[f"store_global_{view}"] for view in memory.TYPES},
    load={view: ROWS[f"load_param_{view}"] for view in memory.TYPES},
    swap={},
)
"""How values move. What is loaded by it are parameters, the only ones on no register."""
