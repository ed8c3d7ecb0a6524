"""Local work by number, so that two pieces of it are compared in one step.

Invariant: two pieces have one number if and only if they are the same operations on the same
    arguments, by position; the names of their values don't matter.
Entry: `Works`.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Attribute, Region, SSAValue

from alpha.ir.dialects.protocol_work import LocalOp

Form: TypeAlias = "tuple[object, ...]"


class Works:
    """The numbers of the local work of a protocol, each found once."""

    def __init__(self) -> None:
        self._numbers: dict[Form, int] = {}
        self._known: dict[LocalOp, int] = {}

    def number(self, op: LocalOp) -> int:
        """The number of the work of an operation."""
        if op not in self._known:
            form = _region(op.body, {})
            self._known[op] = self._numbers.setdefault(form, len(self._numbers))
        return self._known[op]


def _region(region: Region, numbers: dict[SSAValue, int]) -> Form:
    """A region without the names of its values; nothing in it is defined outside of the work."""
    blocks: list[Form] = []
    for block in region.blocks:
        for argument in block.args:
            numbers[argument] = len(numbers)
        ops: list[Form] = []
        for op in block.ops:
            operands = tuple(numbers[operand] for operand in op.operands)
            inside = tuple(_region(each, numbers) for each in op.regions)
            for result in op.results:
                numbers[result] = len(numbers)
            types = tuple(result.type for result in op.results)
            said = (_sorted(op.properties), _sorted(op.attributes))
            ops.append((op.name, operands, said, types, inside))
        blocks.append((tuple(argument.type for argument in block.args), tuple(ops)))
    return tuple(blocks)


def _sorted(attributes: dict[str, Attribute]) -> Form:
    return tuple((name, attributes[name]) for name in sorted(attributes))
