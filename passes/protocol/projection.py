"""One role's program: the operations of the protocol in which the role acts, in their order.

Invariant: nothing is merged and nothing reordered. What the role takes no part in is left out; a
    repeat is projected once; of a choice the role takes its arms as they are, or, where both are
    the same for it, one of them.
Why: every role's program is a part of one total order, so the programs fit together.
Refuses: protocol-group-scope, protocol-choice-uninformed.
Entry: `project`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from alpha.ir.attributes.protocol import GroupAttr
from alpha.ir.attributes.protocol_values import AtType, holders
from alpha.ir.attributes.region import ContractAttr, SelectAttr
from alpha.ir.attributes.shard import MapAttr
from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import (
    AddOp,
    FrameOp,
    PerformOp,
    ReceiveOp,
    RoleOp,
    SendOp,
)
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.protocol.digests import protocol_digest
from alpha.ir.protocol.patterns import step_of
from alpha.ir.protocol.steps import Addition, Frame, Step
from alpha.ir.protocol.view import COMMUNICATING, Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Stride

Values = dict[SSAValue, SSAValue]


def project(protocol: Protocol, role: int) -> RoleOp:
    """The program of one role of a protocol that `--check-protocol` accepts.

    Raises:
        Refusal: `protocol-role-range` or `protocol-group-scope` for a role that isn't of its group.
    """
    protocol.group.rank(role)
    block = Block()
    _Projection(protocol, role).block(protocol.op.body.block, block, {})
    frames = [op for op in block.walk() if isinstance(op, FrameOp)]
    edges = sorted({frame.peer.data for frame in frames})
    learner = None if protocol.op.learner is None else protocol.op.learner.string_value()
    group = GroupAttr(protocol.group)
    digest = protocol_digest(protocol)
    given = (edges, block, learner, protocol.op.resumed)
    op = RoleOp(protocol.op.title.data, role, group, digest, *given)
    op.location = protocol.op.location
    return op


class _Projection:
    """Projects block by block; `values` says what stands for which value of the protocol."""

    def __init__(self, protocol: Protocol, role: int) -> None:
        self._protocol = protocol
        self._role = role
        self._roles = Stride(role, 1, 1)

    def block(self, of: Block, to: Block, values: Values) -> None:
        """Put the role's part of a block behind what another has; its end isn't projected."""
        for op in of.ops:
            match op:
                case LocalOp():
                    self._local(op, to, values)
                case PublishOp():
                    if self._role in op.roles.data:
                        self._add(to, op, PublishOp(self._roles))
                case ScopeOp():
                    if self._role in op.roles.data:
                        self.block(op.body.block, to, values)
                        self._hand_on(op.outcomes, arm_values(op.body), values)
                case RepeatOp():
                    self._repeat(op, to, values)
                case ChoiceOp():
                    self._choice(op, to, values)
                case _ if isinstance(op, COMMUNICATING) and not isinstance(op, UntilOp):
                    self._perform(op, to, values)
                case _:
                    assert isinstance(op, YieldOp | UntilOp), op.name

    def _add(self, to: Block, of: Operation, op: Operation) -> None:
        op.location = of.location
        to.add_op(op)

    def _holds(self, value: SSAValue) -> bool:
        return self._role in holders(value)

    def _own(self, type: Attribute) -> AtType:
        """The type of a value that this role has, as it stands in the role's program."""
        assert isinstance(type, AtType)
        return AtType.of(type.payload, self._roles)

    def _hand_on(
        self, results: Sequence[SSAValue], given: Sequence[SSAValue], values: Values
    ) -> None:
        for result, value in zip(results, given, strict=True):
            if self._holds(result):
                values[result] = values[value]

    def _name(self, made: Sequence[SSAValue], of: Sequence[SSAValue], values: Values) -> None:
        for value, original in zip(made, of, strict=True):
            value.name_hint = original.name_hint
            values[original] = value

    def _local(self, op: LocalOp, to: Block, values: Values) -> None:
        if self._role not in op.roles.data:
            return
        arguments = [values[value] for value in op.arguments]
        work = LocalOp(self._roles, arguments, op.body.clone())
        self._add(to, op, work)
        self._name(work.outcomes, op.outcomes, values)

    def _perform(self, op: Operation, to: Block, values: Values) -> SSAValue | None:
        """Add the role's part of a communicating operation; gives what it has afterwards."""
        step = step_of(self._protocol, op, self._role)
        if step is None:
            return None
        given = [op.operands[0]] if isinstance(op, ChoiceOp | UntilOp) else list(op.operands)
        arguments = [values[value] for value in given] if step.gives else []
        types: list[Attribute] = []
        if step.outcome is not None:
            more = () if isinstance(op, ChoiceOp | UntilOp) else op.results[1:]
            types = [AtType.of(step.outcome, self._roles)]
            types += [self._own(result.type) for result in more]
        made = PerformOp(step.kind, step.site, arguments, actions_of(step), types, _given(step))
        self._add(to, op, made)
        if not made.outcomes:
            return None
        if not isinstance(op, ChoiceOp | UntilOp):
            self._name(made.outcomes, op.results, values)
        else:
            made.outcomes[0].name_hint = op.selector.name_hint
        return made.outcomes[0]

    def _repeat(self, op: RepeatOp, to: Block, values: Values) -> None:
        carried = [index for index, value in enumerate(op.initial) if self._holds(value)]
        block = Block(arg_types=[self._own(op.initial[index].type) for index in carried])
        inside = dict(values)
        arguments = [op.body.block.args[index] for index in carried]
        self._name(block.args, arguments, inside)
        self.block(op.body.block, block, inside)
        end = op.end
        if isinstance(end, UntilOp):
            selector = self._selector(end, block, inside)
            if selector is not None and (block.ops or carried):
                kept = [inside[end.values[index]] for index in carried]
                self._add(block, end, UntilOp(selector, values=kept))
        elif carried:
            assert end is not None
            self._add(block, end, YieldOp([inside[end.values[index]] for index in carried]))
        if not block.ops:
            return
        initial = [values[op.initial[index]] for index in carried]
        repeat = RepeatOp(op.bound.data, initial, block, self._protocol.sites[op])
        self._add(to, op, repeat)
        self._name(repeat.outcomes, [op.outcomes[index] for index in carried], values)

    def _selector(self, op: ChoiceOp | UntilOp, to: Block, values: Values) -> SSAValue | None:
        """The word of a decision, where the role hears of it or has it."""
        told = None if op.routes is None else self._perform(op, to, values)
        return told if told is not None else values.get(op.selector)

    def _choice(self, op: ChoiceOp, to: Block, values: Values) -> None:
        arms: list[Block] = []
        held = [result for result in op.outcomes if self._holds(result)]
        for arm in op.arms:
            block, inside = Block(), dict(values)
            self.block(arm.block, block, inside)
            yielded = zip(op.outcomes, arm_values(arm), strict=True)
            kept = [inside[value] for result, value in yielded if self._holds(result)]
            if kept:
                block.add_op(YieldOp(kept))
            arms.append(block)
        selector = self._selector(op, to, values)
        if all(arm.is_structurally_equivalent(arms[0]) for arm in arms[1:]):
            self._inline(arms[0], to, held, values)
            return
        if selector is None:
            wanted = f"role {self._role} to know which arm is taken"
            raise Refusal(
                "protocol-choice-uninformed", wanted, "no selector and no route to it", op
            )
        regions = [Region(arm) for arm in arms]
        choice = ChoiceOp(selector, regions, site=self._protocol.sites[op])
        self._add(to, op, choice)
        self._name(choice.outcomes, held, values)

    def _inline(self, arm: Block, to: Block, held: Sequence[SSAValue], values: Values) -> None:
        """Put an arm in the place of its choice."""
        for op in list(arm.ops):
            if isinstance(op, YieldOp):
                values.update(zip(held, op.values, strict=True))
                op.detach()
                op.erase()
            else:
                op.detach()
                to.add_op(op)


def actions_of(step: Step) -> Block:
    """A role's frames and additions as operations; successive additions into one group are one."""
    block = Block()
    sums: list[Addition] = []
    for action in (*step.actions, None):
        if sums and not (isinstance(action, Addition) and action.into == sums[0].into):
            block.add_op(AddOp([each.of for each in sums], sums[0].into))
            sums = []
        match action:
            case Addition():
                sums.append(action)
            case Frame():
                kind = SendOp if action.outgoing else ReceiveOp
                given = (action.peer, action.part, action.count, action.words)
                block.add_op(kind(*given, action.element, action.riding))
            case None:
                return block
    raise AssertionError("the last action is None")


def _given(step: Step) -> dict[str, Attribute | None]:
    return {
        "map": None if step.map is None else MapAttr(step.map),
        "contract": None if step.contract is None else ContractAttr(step.contract),
        "part": IntAttr(step.part) if step.part else None,
        "arms": IntAttr(step.arms) if step.arms else None,
        "deliver": None if step.deliver is None else MapAttr(step.deliver),
        "members": None if step.members is None else SelectAttr(step.members),
    }
