"""The protocol of a distributed learner: its round, operation by operation, as one exchange.

Invariant: every operation of the round stands in the protocol in the same order. What sends nothing
    goes into local work as it is; what owners exchange becomes operations of the whole group. How a
    sum or a piece travels is free, since the words are the same along every way.
Refuses: target-unsupported.
Entry: `Lowering`, `Ways`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.attributes.protocol import GroupAttr, StartAttr
from alpha.ir.attributes.shard import LocatedType, located
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp as CopyOp
from alpha.ir.dialects.protocol_downwards import ScatterOp
from alpha.ir.dialects.protocol_exchange import (
    DIRECT,
    DIRECT_ROLES_MAX,
    ExchangeOp,
    TransferOp,
)
from alpha.ir.dialects.protocol_exchange import AgreeOp as CompareOp
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard_exchange import CombineOp, ReplicateOp
from alpha.ir.dialects.shard_exchange import TransferOp as MoveOp
from alpha.ir.dialects.shard_work import AgreeOp, ContributeOp, ObserveOp, ReadOp
from alpha.ir.protocol.groups import Group
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, Stride
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import Block as BlockMap
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Owned
from alpha.passes.protocol.generations import Schedule
from alpha.passes.protocol.riding import Riding

WAYS = ("gather", "sharded", "auto")
IDENTITY_BYTES_MAX = 64


@dataclass(frozen=True)
class Ways:
    """How words are exchanged: `gather` along the topology, `sharded` directly, or by size.

    With `auto` a value goes directly where it has more than `threshold` bytes and the topology is
    a pair or star of at most 64 roles.
    """

    exchange: str
    threshold: int

    def direct(self, distribution: Distribution, type: LocatedType) -> bool:
        """Whether a value of this type is exchanged directly.

        Raises:
            Refusal: `target-unsupported` where it has to be and can't be.
        """
        few = distribution.owners <= DIRECT_ROLES_MAX
        fits = few and distribution.topology.form != "tree"
        if self.exchange == "sharded" and not fits:
            wanted = f"a pair or star of at most {DIRECT_ROLES_MAX} roles to exchange directly"
            found = f"{distribution.topology} of {distribution.owners}"
            raise Refusal("target-unsupported", wanted, found, distribution.op)
        large = words_of(type.value) * word_bytes(type.value) > self.threshold
        return (
            fits
            and distribution.owners > 1
            and (self.exchange == "sharded" or (self.exchange == "auto" and large))
        )


class Lowering:
    """Builds the protocol of one distribution."""

    def __init__(self, distribution: Distribution, ways: Ways, group: Group | None = None) -> None:
        self._distribution = distribution
        self._ways = ways
        self._way = str(distribution.topology)
        self._group = group or whole_group(distribution)
        self._everyone = self._group.members
        self._values: dict[SSAValue, SSAValue] = {}
        self._pending: list[Operation] = []
        self._block = Block()
        self._riding = Riding.of(distribution, self._rides)

    def protocol(self, schedule: Schedule) -> GlobalOp:
        """The whole protocol: the rounds, then the publication of what they made."""
        body = Block(schedule.operations(self._round, self._store))
        if not schedule.ends_stored:
            body.add_ops(self._last_agreement())
        body.add_op(PublishOp(self._everyone))
        name = self._distribution.op.learner.string_value()
        start = None if schedule.start is None else StartAttr(schedule.start)
        return GlobalOp(name, GroupAttr(self._group), body, name, start)

    def _round(self) -> Block:
        """One round."""
        self._values, self._block = {}, Block()
        self._pending = [] if self._riding is None else list(self._riding.more_reads)
        for op in self._distribution.round.body.block.ops:
            self._lower(op)
        self._flush()
        return self._block

    def _store(self) -> list[Operation]:
        """What the last round made is compared, and stored as a generation."""
        return [*self._last_agreement(), CheckpointOp(self._everyone, self._way)]

    def _lower(self, op: Operation) -> None:
        match op:
            case CombineOp() if op.kind.data == "sum":
                self._combine(op)
            case CombineOp():
                self._assemble(op.part, op.result)
            case ReplicateOp():
                self._assemble(op.owned, op.result)
            case MoveOp():
                self._move(op)
            case AgreeOp() if self._riding is not None and op in self._riding.agreements:
                return
            case AgreeOp():
                self._flush()
                values = [self._values[value] for value in op.values]
                self._add(op, CompareOp(values, self._way))
            case ObserveOp():
                self._flush()
                self._pending.append(op)
                self._flush(Stride(0, 1, 1))
            case _:
                self._pending.append(op)

    def _add(self, of: Operation, op: Operation, result: SSAValue | None = None) -> None:
        """Put an operation behind the others; its result stands for one of the round's."""
        op.location = of.location
        self._block.add_op(op)
        if result is not None:
            op.results[0].name_hint = result.name_hint
            self._values[result] = op.results[0]

    def _combine(self, op: CombineOp) -> None:
        """A sum: to the root and down again, or each owner's coordinates directly to it."""
        self._flush()
        assert op.contract is not None
        part, deliver = op.part, op.deliver.data
        map = contribution_map(part)
        value = self._values[part]
        if self._ways.direct(self._distribution, located(part)) and not isinstance(deliver, At):
            owners = deliver.map if isinstance(deliver, Owned) else BlockMap()
            sums = ReduceOp(value, op.contract, DIRECT, map, owners)
            self._add(op, sums, op.result)
            if not isinstance(deliver, Owned):
                self._add(op, GatherOp(sums.outcome, DIRECT), op.result)
            return
        copies: list[SSAValue] = []
        if self._riding is not None and op is self._riding.sum:
            copies = [self._values[value] for value in self._riding.copies]
        total = ReduceOp(value, op.contract, self._way, map, agreed=copies)
        self._add(op, total, op.result)
        match deliver:
            case At(role=0):
                return
            case At(role=role):
                self._add(op, TransferOp(total.outcome, 0, role), op.result)
            case Owned(map=map):
                given = (self._way, self._everyone, total.verdict)
                self._add(op, ScatterOp(total.outcome, map, *given), op.result)
            case _:
                given = (self._way, self._everyone, total.verdict)
                self._add(op, CopyOp(total.outcome, *given), op.result)

    def _rides(self, op: CombineOp) -> bool:
        """Whether the digests of copies can go along with a sum, and a verdict with its total."""
        summed = op.kind.data == "sum" and not isinstance(op.deliver.data, At)
        return summed and not self._ways.direct(self._distribution, located(op.part))

    def _last_agreement(self) -> list[Operation]:
        """What the last round made is compared by itself, before it is published or stored.

        A round that compares it by itself has done so.
        """
        riding = self._riding
        if riding is None:
            return []
        read = ReadOp(riding.states, [value.type for value in riding.copies])
        work = LocalOp(self._everyone, [], Block([read, YieldOp(read.values)]))
        for outcome, value in zip(work.outcomes, riding.copies, strict=True):
            outcome.name_hint = value.name_hint
        return [work, CompareOp(work.outcomes, self._way)]

    def _assemble(self, owned: SSAValue, result: SSAValue) -> None:
        """Pieces: to the root and down again, or from every owner directly to every other."""
        self._flush()
        of = result.owner
        assert isinstance(of, Operation)
        direct = self._ways.direct(self._distribution, located(owned))
        whole = GatherOp(self._values[owned], DIRECT if direct else self._way)
        self._add(of, whole, result)
        if not direct:
            self._add(of, CopyOp(whole.outcome, self._way, self._everyone), result)

    def _move(self, op: MoveOp) -> None:
        """Words go to the owners of another map: directly, or by way of the root."""
        self._flush()
        value, map = self._values[op.owned], op.map.data
        if self._distribution.owners <= DIRECT_ROLES_MAX:
            self._add(op, ExchangeOp(value, map), op.result)
            return
        whole = GatherOp(value, self._way)
        self._add(op, whole, op.result)
        self._add(op, ScatterOp(whole.outcome, map, self._way, self._everyone), op.result)

    def _flush(self, roles: Selection | None = None) -> None:
        """Put what has been collected into one piece of local work."""
        ops, self._pending = self._pending, []
        if not ops:
            return
        inside: set[Operation] = set(ops)
        compared: tuple[SSAValue, ...] = ()
        if self._riding is not None:
            # These comparisons aren't made where they stand, and the copies are needed before.
            inside.update(self._riding.agreements)
            compared = self._riding.copies
        made = {result for op in ops for result in op.results}
        taken = _distinct(value for op in ops for value in op.operands if value not in made)
        given = [
            result
            for op in ops
            for result in op.results
            if result in compared or any(use.operation not in inside for use in result.uses)
        ]
        block = Block(arg_types=[value.type for value in taken])
        mapping: dict[SSAValue, SSAValue] = {}
        for value, argument in zip(taken, block.args, strict=True):
            argument.name_hint = value.name_hint
            mapping[value] = argument
        for op in ops:
            copy = op.clone(mapping)
            copy.location = op.location
            block.add_op(copy)
        if ops[-1] is not self._distribution.advance():
            block.add_op(YieldOp([mapping[value] for value in given]))
        arguments = [self._values[value] for value in taken]
        work = LocalOp(roles or self._everyone, arguments, block)
        work.location = ops[0].location
        self._block.add_op(work)
        for value, outcome in zip(given, work.outcomes, strict=True):
            outcome.name_hint = value.name_hint
            self._values[value] = outcome


def whole_group(distribution: Distribution) -> Group:
    """All owners of a distribution, in their first epoch, named as the learner."""
    name = distribution.op.learner.string_value().encode()
    return Group.whole(distribution.owners, 0, name[:IDENTITY_BYTES_MAX])


def contribution_map(part: SSAValue) -> ShardMap:
    """The map that says whose work which sample of a contribution is."""
    op = part.owner
    assert isinstance(op, ContributeOp)
    return op.map.data


def _distinct(values: Iterable[SSAValue]) -> list[SSAValue]:
    return list(dict.fromkeys(values))
