"""Sums of contributions: what is contributed is summed, by its map and in one declared order.

Invariant: after it, all sums that what is contributed may come to, through arms, scopes and round
    repeats, have the contract of one sum that the learner declares, and the map by which the
    samples are contributed; each contribution comes to some sum.
Why: what a role sums by itself are the groups of the contract, so there has to be one.
Refuses: shard-contribution-missing, shard-combine-order, region-contract-groups, and what maps
    refuse.
Entry: `check_contributions`.

Contributions that may come to the same sum are of one class. Classes are found in one walk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_work import ContributeOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.flows import handed_on
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.sharding.checks.contributions import declared_contracts, samples_once
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.groups import check_whole_groups
from alpha.ir.sharding.maps import ShardMap


def check_contributions(protocol: Protocol) -> None:
    """Refuse the first contribution, or sum of one, that doesn't fit the others or the learner.

    Raises:
        Refusal: those of the module.
    """
    works: list[ContributeOp] = []
    sums: list[ReduceOp] = []
    for op in parts(protocol.op):
        if isinstance(op, LocalOp):
            works += [part for part in op.body.block.ops if isinstance(part, ContributeOp)]
        elif isinstance(op, ReduceOp) and op.map is not None:
            sums.append(op)
            _check_groups(protocol, op, op.map.data)
    if protocol.distribution is None:
        return
    classes = _Classes(works, sums)
    seen: set[tuple[str, ShardMap]] = set()
    for op in works:
        _check_summed(op, classes)
        kind = (op.samples.string_value(), op.map.data)
        if kind not in seen:
            seen.add(kind)
            for flaw in samples_once(protocol.distribution, op):
                raise flaw
    for each in classes.all():
        _check_class(each, protocol.distribution)


def _check_groups(protocol: Protocol, op: ReduceOp, map: ShardMap) -> None:
    try:
        check_whole_groups(map, op.contract.data, protocol.owners)
    except Refusal as flaw:
        raise Refusal(flaw.code, flaw.expected, flaw.found, op, flaw.notes) from None


def _check_summed(op: ContributeOp, classes: _Classes) -> None:
    if not any(part in classes.summed for part in op.parts):
        wanted = f"a sum of what is contributed over @{op.samples.string_value()}"
        raise Refusal("shard-contribution-missing", wanted, "none", op)


@dataclass
class _Class:
    """Contributions and sums that may meet, in the order of the text."""

    works: list[ContributeOp] = field(default_factory=list[ContributeOp])
    sums: list[ReduceOp] = field(default_factory=list[ReduceOp])


class _Classes:
    """Contributions and sums, joined where a part of one may come to the other."""

    def __init__(self, works: list[ContributeOp], sums: list[ReduceOp]) -> None:
        self._above: dict[object, object] = {}
        self._works = works
        self._sums = sums
        self.summed: set[SSAValue] = set()
        """The values that come to some sum."""
        made_of: dict[SSAValue, list[SSAValue]] = {}
        for value in _values(works):
            for becomes in handed_on(value):
                made_of.setdefault(becomes, []).append(value)
        for op in sums:
            self._join(op, op.value)
            pending = [op.value]
            while pending:
                value = pending.pop()
                if value in self.summed:
                    continue
                self.summed.add(value)
                for source in made_of.get(value, ()):
                    self._join(value, source)
                    pending.append(source)
        for op in works:
            for part in op.parts:
                self._join(op, part)

    def _root(self, node: object) -> object:
        """What stands for the class of a node; the way to it is halved."""
        while (over := self._above.get(node)) is not None:
            higher = self._above.get(over)
            if higher is None:
                return over
            self._above[node] = node = higher
        return node

    def _join(self, one: object, other: object) -> None:
        one, other = self._root(one), self._root(other)
        if one is not other:
            self._above[one] = other

    def all(self) -> list[_Class]:
        """The classes, in the order of their first sums."""
        found: dict[object, _Class] = {}
        for op in self._sums:
            found.setdefault(self._root(op), _Class()).sums.append(op)
        for op in self._works:
            found.setdefault(self._root(op), _Class()).works.append(op)
        return list(found.values())


def _values(works: list[ContributeOp]) -> Iterator[SSAValue]:
    """Every value that is handed on from what is contributed, once."""
    pending: list[SSAValue] = [part for op in works for part in op.parts]
    seen = set(pending)
    while pending:
        value = pending.pop()
        yield value
        for becomes in handed_on(value):
            if becomes not in seen:
                seen.add(becomes)
                pending.append(becomes)


def _check_class(of: _Class, distribution: Distribution) -> None:
    """One map and one contract, which is that of a sum that the learner makes."""
    if not of.works or not of.sums:
        return
    work, first = of.works[0], of.sums[0]
    note = Note("they are contributed here", place_of(work))
    for op in of.sums:
        assert op.map is not None
        if op.map.data != work.map.data:
            wanted = f"the samples by {work.map.data}, as they are contributed"
            found = f"by {op.map.data}"
            raise Refusal("shard-contribution-missing", wanted, found, op, (note,))
    for other in of.works:
        if other.map.data != work.map.data:
            wanted = f"the samples by {work.map.data}, as what is summed with them"
            found = f"by {other.map.data}"
            raise Refusal("shard-contribution-missing", wanted, found, other, (note,))
    contract = first.contract.data
    for other in of.works:
        declared = declared_contracts(distribution, other)
        if contract not in declared:
            wanted = " or ".join(f"{each}" for each in declared) or "a sum that the learner makes"
            raise Refusal("shard-combine-order", wanted, str(contract), first)
    for op in of.sums:
        if op.contract.data != contract:
            wanted = f"{contract} for all sums of what is contributed here"
            where = Note("another sum is made here", place_of(first))
            found = str(op.contract.data)
            raise Refusal("shard-combine-order", wanted, found, op, (where, note))
