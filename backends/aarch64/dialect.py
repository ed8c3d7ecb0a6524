"""The dialect `a64`: an operation for each row, functions and data of AArch64.

Entry: `DIALECT`, `A64`.
"""

from __future__ import annotations

from alpha.backends.aarch64.registers import VIEWS
from alpha.backends.aarch64.rows.table import FEATURES, ROWS
from alpha.backends.aarch64.target import target
from alpha.backends.core.dialect.machine_dialect import MachineDialect, machine_dialect

DIALECT: MachineDialect = machine_dialect("a64", VIEWS, ROWS, FEATURES, target)
A64 = DIALECT.registered()
