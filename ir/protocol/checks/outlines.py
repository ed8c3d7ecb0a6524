"""What a role, or every role of a kind, does in a part of a protocol, to be compared.

Invariant: two outlines are the same if and only if the parts are the same program once projected to
    such a role: the same local work on the same values, in the same order. What communicates or
    repeats, and a choice whose arms differ, is the same as nothing but itself, since it has a site
    of its own in the protocol.
Why: a role has to hear of a choice if its arms differ for the role. To know that, neither the
    frames of an operation are needed nor which member of a group a role is.
Entry: `Outlines`, `Outline`.

A value that was made outside of what is compared stands for itself. One made inside is a number, by
the order in which the role makes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import Block, Operation, OpResult, SSAValue

from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.memberships import Member

Term: TypeAlias = "SSAValue | int"


@dataclass
class Outline:
    """What is done in a block: forms to compare, the operations behind them, what is yielded."""

    forms: list[tuple[object, ...]] = field(default_factory=list["tuple[object, ...]"])
    ops: list[Operation] = field(default_factory=list[Operation])
    kept: tuple[Term, ...] = ()

    def add(self, op: Operation, *form: object) -> None:
        """Put one operation behind the others."""
        self.forms.append(form)
        self.ops.append(op)

    def append(self, other: Outline) -> None:
        """Put the operations of another outline behind these."""
        self.forms += other.forms
        self.ops += other.ops

    def first_difference(self, other: Outline) -> Operation | None:
        """An operation of this outline or else of the other at which they part, or None.

        None as well where they differ in what they yield alone.
        """
        for number, form in enumerate(self.forms):
            if number == len(other.forms) or form != other.forms[number]:
                return self.ops[number]
        return other.ops[len(self.forms)] if len(other.forms) > len(self.forms) else None

    def same(self, other: Outline) -> bool:
        """Whether a role does the same in both."""
        return self.forms == other.forms and self.kept == other.kept


class Outlines:
    """The outlines for the roles of one kind, whose memberships are given."""

    def __init__(self, concerns: Concerns, member: Member, of: Outlines | None = None) -> None:
        self._concerns = concerns
        self._member = member
        self._terms: dict[SSAValue, Term] = {}
        self._alike: dict[ChoiceOp, bool] = {} if of is None else of._alike
        self._outside: dict[SSAValue, SSAValue] = {} if of is None else of._outside
        self._made = 0

    def arms(self, op: ChoiceOp) -> list[Outline]:
        """What is done in each arm; equal values have equal terms in all of them."""
        start, most = self._made, self._made
        outlines: list[Outline] = []
        held = [number for number, result in enumerate(op.outcomes) if self._has(result)]
        for arm in op.arms:
            self._made = start
            outline = self._block(arm.block)
            yielded = arm_values(arm)
            outline.kept = tuple(self._term(yielded[number]) for number in held)
            outlines.append(outline)
            most = max(most, self._made)
        self._made = most
        return outlines

    def alike(self, op: ChoiceOp) -> bool:
        """Whether all arms of a choice are the same."""
        if op not in self._alike:
            # What is made inside has numbers of its own, which mean nothing anywhere else.
            apart = Outlines(self._concerns, self._member, self)
            first, *others = apart.arms(op)
            self._alike[op] = all(outline.same(first) for outline in others)
        return self._alike[op]

    def _block(self, block: Block) -> Outline:
        outline = Outline()
        for op in block.ops:
            match op:
                case LocalOp():
                    if self._acts(op):
                        work = self._concerns.works.number(op)
                        outline.add(op, "local", work, *map(self._term, op.arguments))
                        self._make(op.outcomes)
                case PublishOp():
                    if self._acts(op):
                        outline.add(op, "publish")
                case ScopeOp():
                    outline.append(self._block(op.body.block))
                    self._hand_on(op.outcomes, arm_values(op.body))
                case RepeatOp():
                    if self.repeats(op):
                        outline.add(op, op)
                        self._make(op.outcomes)
                case ChoiceOp():
                    self._choice(op, outline)
                case YieldOp() | UntilOp():
                    pass
                case _:
                    if self._acts(op):
                        outline.add(op, op)
                        self._make(op.results)
        return outline

    def repeats(self, op: RepeatOp) -> Operation | None:
        """The first operation that a role does in a repeat, or None if it takes no part.

        It is the repeat itself where the role does nothing but carry a value round, and its end
        where the role does nothing but tell or hear whether it goes on.
        """
        body = self._block(op.body.block)
        if body.ops:
            return body.ops[0]
        if any(map(self._has, op.initial)):
            return op
        return op.end if op.end is not None and self._acts(op.end) else None

    def _choice(self, op: ChoiceOp, to: Outline) -> None:
        arms = self.arms(op)
        if self._acts(op):
            to.add(op, op)
        self._alike[op] = all(outline.same(arms[0]) for outline in arms[1:])
        if self._alike[op]:
            to.append(arms[0])
            held = (result for result in op.outcomes if self._has(result))
            self._terms.update(zip(held, arms[0].kept, strict=True))
        else:
            to.add(op, op)
            self._make(op.outcomes)

    def _acts(self, op: Operation) -> bool:
        return any(map(self._member, self._concerns.acting(op)))

    def _has(self, value: SSAValue) -> bool:
        return self._member(self._concerns.holding(value))

    def _make(self, values: Iterable[SSAValue]) -> None:
        """Number values that are made here."""
        for value in values:
            self._terms[value] = self._made
            self._made += 1

    def _hand_on(self, results: Sequence[SSAValue], given: Sequence[SSAValue]) -> None:
        for result, value in zip(results, given, strict=True):
            if self._has(result):
                self._terms[result] = self._term(value)

    def _term(self, value: SSAValue) -> Term:
        """What stands for a value: if it was made outside, the value that it is there."""
        passed: list[SSAValue] = []
        while value not in self._terms and value not in self._outside:
            owner = value.owner
            passed.append(value)
            if isinstance(value, OpResult) and isinstance(owner, ScopeOp):
                value = arm_values(owner.body)[value.index]
            elif isinstance(value, OpResult) and isinstance(owner, ChoiceOp) and self.alike(owner):
                value = arm_values(owner.arms[0])[value.index]
            else:
                self._outside[value] = value
        if value in self._terms:
            return self._terms[value]
        found = self._outside[value]
        self._outside.update(dict.fromkeys(passed, found))
        return found
