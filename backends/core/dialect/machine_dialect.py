"""A machine dialect, made from the rows of an instruction set.

Entry: `MachineDialect`, `machine_dialect`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.ir import Dialect

from alpha.backends.core.dialect.attributes import MachineAttributes, attributes_of
from alpha.backends.core.dialect.family import Family
from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase, function_operations
from alpha.backends.core.dialect.operations import MachineOp, operation_of
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Target


@dataclass(frozen=True)
class MachineDialect:
    """The classes of a dialect: of attributes, of functions and data, of each row by its name."""

    name: str
    views: Mapping[str, View]
    attributes: MachineAttributes
    func: type[FuncOpBase]
    data: type[DataOpBase]
    operations: Mapping[str, type[MachineOp]]

    def registered(self) -> Dialect:
        """The dialect as xDSL's contexts take it."""
        operations = [self.func, self.data, *self.operations.values()]
        return Dialect(self.name, operations, self.attributes.all())


def machine_dialect(
    name: str,
    views: Mapping[str, View],
    rows: Mapping[str, Row],
    features: frozenset[str],
    target: Callable[[frozenset[str]], Target],
) -> MachineDialect:
    """The dialect of these rows; `target` is that of functions which ask for some `features`."""
    attributes = attributes_of(name)
    func, data = function_operations(attributes, Family(name, features, target))
    operations = {key: operation_of(name, attributes, row) for key, row in rows.items()}
    return MachineDialect(name, views, attributes, func, data, operations)
