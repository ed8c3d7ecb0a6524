"""The domains of an update: which of them can be computed coordinate by coordinate.

Invariant: in a separable domain every operation that works on its coordinates reads words of them
    at its own coordinate alone, so the code for one coordinate is that for any number of them, by
    whoever they are held. What is separable here is so by `alpha.ir.separability`, which sees the
    words and not the operations and therefore accepts more.
Entry: `Domains`.

A domain is the shape of a result. An argument lies with a domain if it has its shape, or if its
leading axes are those of the domain, as samples have that lie with the coordinates.
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.pointwise_programs import UpdateOp
from alpha.ir.index_forms import FormTooLarge, axis_form, box_of, form_of
from alpha.ir.shapes import shape_of


class Domains:
    """The domains of an update in the order of its inputs, and what lies with each.

    `shapes` has each domain's shape; `separable` the numbers of those that are; `of` the domain of
    each value and operation that lies with a separable one.
    """

    def __init__(self, update: UpdateOp) -> None:
        self._update = update
        block = update.body.block
        last = block.last_op
        assert last is not None
        self._returned = tuple(last.operands)
        wanted = [shape_of(value.type) for value in self._returned]
        order = [shape_of(value.type) for value in block.args] + wanted
        self.shapes = [s for s in dict.fromkeys(order) if s in wanted and s != () and 0 not in s]
        self.of: dict[SSAValue | Operation, int] = {}
        members = [self._members(number) for number in range(len(self.shapes))]
        self.separable = frozenset(
            number for number, each in enumerate(members) if self._holds(number, each)
        )
        for number in self.separable:
            self.of.update(dict.fromkeys(members[number], number))

    def axes(self, number: int) -> int:
        """How many axes a domain has in the source."""
        return len(self.shapes[number])

    def _home(self, extents: tuple[int, ...]) -> int | None:
        """The domain of the longest shape that these extents begin with."""
        fitting = [n for n, s in enumerate(self.shapes) if extents[: len(s)] == s]
        return max(fitting, key=self.axes, default=None)

    def _members(self, number: int) -> set[SSAValue | Operation]:
        """The values and operations that lie with a domain, as far as they agree on it.

        All that could lie there is taken, and put out again while an operation reads a word of
        another coordinate, or one outside reads words from inside.
        """
        block = self._update.body.block
        values: set[SSAValue | Operation] = set()
        values.update(a for a in block.args if self._home(shape_of(a.type)) == number)
        inside: set[DomainOp] = set()
        for op in block.ops:
            if isinstance(op, DomainOp) and self._home(op.extents()[: op.axes_over()]) == number:
                inside.add(op)
                values.update(op.results)
        changed = True
        while changed:
            changed = False
            for op in block.ops:
                if op is block.last_op or (op in inside and self._local(op, values, number)):
                    continue
                outside = {op, *op.results} if op in inside else set()
                outside |= {operand for operand in op.operands if operand in values}
                for operand in op.operands:
                    if isinstance(operand.owner, DomainOp) and operand in values:
                        outside |= {operand.owner, *operand.owner.results}
                changed = changed or bool(outside & (values | inside))
                values -= outside
                inside = {each for each in inside if each not in outside}
        return values | inside

    def _local(self, op: Operation, values: set[SSAValue | Operation], number: int) -> bool:
        """Whether a map or fold reads words of the domain at its own coordinate alone."""
        assert isinstance(op, DomainOp)
        axes = self.axes(number)
        box = box_of(op.extents())
        own = [axis_form(axis, box) for axis in range(axes)]
        moving = {axis for axis in range(axes) if op.extents()[axis] > 1}
        if 0 in op.extents():
            return True
        for operand, map in zip(op.inputs, op.maps(), strict=True):
            try:
                index = [form_of(part, box) for part in map]
            except FormTooLarge:
                return False
            if operand in values:
                if index[:axes] != own:
                    return False
                index = index[axes:]
            if any(form.axes() & moving for form in index):
                return False
        return True

    def _holds(self, number: int, members: set[SSAValue | Operation]) -> bool:
        """Whether every result of the domain's shape lies with it."""
        shape = self.shapes[number]
        return all(value in members for value in self._returned if shape_of(value.type) == shape)
