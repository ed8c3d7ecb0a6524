"""The dialect `ptx`: an operation for each row of PTX.

Entry: `PTX`, `DIALECT`.
"""

from __future__ import annotations

from alpha.backends.core.dialect.machine_dialect import machine_dialect
from alpha.backends.ptx.registers import VIEWS
from alpha.backends.ptx.rows.table import FEATURES, ROWS
from alpha.backends.ptx.target import target

DIALECT = machine_dialect("ptx", VIEWS, ROWS, FEATURES, target)
PTX = DIALECT.registered()
