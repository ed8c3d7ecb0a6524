"""Whom the operations and values of a protocol concern, as numbers of selections.

Invariant: what a role does in an operation depends on nothing but its memberships in `inside` of
    that operation and of the choices in `earlier`.
Entry: `Concerns`, `parts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, OpResult, SSAValue

from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.protocol.checks.memberships import Selections
from alpha.ir.protocol.checks.works import Works
from alpha.ir.protocol.view import takes_part
from alpha.ir.selections import Stride


def parts(op: Operation) -> Iterator[Operation]:
    """An operation of a protocol and all inside it, in the order of the text; not local work."""
    stack = [iter((op,))]
    while stack:
        part = next(stack[-1], None)
        if part is None:
            stack.pop()
            continue
        yield part
        if not isinstance(part, LocalOp):
            blocks = [block for region in part.regions for block in region.blocks]
            stack.append(iter([each for block in blocks for each in block.ops]))


class Concerns:
    """Who acts in each operation of a protocol and who has each value; each is found once."""

    def __init__(self, protocol: GlobalOp) -> None:
        self.selections = Selections()
        self.works = Works()
        self._acting: dict[Operation, tuple[int, ...]] = {}
        self._holding: dict[SSAValue, int] = {}
        self._earlier: dict[Operation, list[ChoiceOp]] = {}
        self._order = {op: number for number, op in enumerate(parts(protocol))}

    def acting(self, op: Operation) -> tuple[int, ...]:
        """The selections whose members act in an operation itself, apart from what is inside."""
        if op not in self._acting:
            self._acting[op] = tuple(self._acting_in(op))
        return self._acting[op]

    def _acting_in(self, op: Operation) -> Iterator[int]:
        match op:
            case ChoiceOp() | UntilOp():
                if op.authority is not None and op.routes is not None:
                    yield self.selections.number(Stride(op.authority.data, 1, 1))
                    yield self.selections.number(op.routes.data.receivers)
            case RepeatOp() | ScopeOp() | YieldOp():
                pass
            case _:
                yield self.selections.number(takes_part(op))

    def holding(self, value: SSAValue) -> int:
        """The roles that have a value."""
        if value not in self._holding:
            self._holding[value] = self.selections.number(holders(value))
        return self._holding[value]

    def inside(self, op: Operation) -> Iterator[int]:
        """The selections of an operation and of all inside it."""
        for part in parts(op):
            yield from self.acting(part)
            for value in (*part.operands, *part.results):
                yield self.holding(value)

    def earlier(self, op: Operation) -> list[ChoiceOp]:
        """The choices before an operation of which it uses results, and which these use in turn.

        Such a result is what the first arm yields, if the arms don't differ for a role. They come
        in the order of the text.
        """
        if op not in self._earlier:
            self._earlier[op] = sorted(self._earlier_of(op), key=self._order.__getitem__)
        return self._earlier[op]

    def _earlier_of(self, op: Operation) -> set[ChoiceOp]:
        found: set[ChoiceOp] = set()
        seen: set[SSAValue] = set()
        pending: list[Operation] = [op]
        while pending:
            around = pending.pop()
            values = [value for part in parts(around) for value in part.operands]
            while values:
                value = values.pop()
                owner = value.owner
                if value in seen or not isinstance(value, OpResult):
                    continue
                seen.add(value)
                if isinstance(owner, ScopeOp):
                    values.append(arm_values(owner.body)[value.index])
                elif isinstance(owner, ChoiceOp) and not around.is_ancestor(owner):
                    found.add(owner)
                    pending.append(owner)
        return found
