"""The dialect `x64`: an operation for each row of x86-64.

Entry: `X64`, `DIALECT`.
"""

from __future__ import annotations

from alpha.backends.core.dialect.machine_dialect import machine_dialect
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.table import FEATURES, ROWS
from alpha.backends.x86.target import target

DIALECT = machine_dialect("x64", VIEWS, ROWS, FEATURES, target)
X64 = DIALECT.registered()
