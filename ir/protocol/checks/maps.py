"""Maps of what is exchanged: every word, and every sample that is summed, has one owner.

Invariant: after it, the map of every value gives each of its words to exactly one role of the
    universe, and so does that of every sum of contributions with its samples. States and samples
    have one place each.
Why: frames are sized by maps, and coordinates are listed by them. One that doesn't fit is refused
    here, at its operation, and not where the program of some role is made, or its work looked at.
Refuses: shard-coverage-missing, shard-coverage-duplicate, shard-owner-range, select-universe,
    select-budget.
Entry: `check_maps` for a protocol, `check_role_maps` for programs of roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.protocol_values import AtType, at_type
from alpha.ir.attributes.shard import ContributionType, OwnedType, TotalType
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import name_of_value
from alpha.ir.sharding.checks.coverage import check_coverage, flaw_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned


def check_maps(protocol: Protocol) -> None:
    """Refuse the first operation whose map doesn't fit what it exchanges.

    Raises:
        Refusal: those of the module, at the operation.
    """
    _check_places(protocol.distribution)
    looked_at = _Maps(protocol.owners)
    for op in _operations(protocol):
        for placed in _maps(protocol, op):
            looked_at.check(placed, op)


def check_role_maps(programs: Iterable[RoleOp], distribution: Distribution | None) -> None:
    """The same of programs of roles; `distribution` is that of their learner, if they have one.

    Nothing is listed, however many coordinates a map says.

    Raises:
        Refusal: those of the module, at the operation.
    """
    _check_places(distribution)
    by_owners: dict[int, _Maps] = {}
    for program in programs:
        owners = program.group.data.universe
        looked_at = by_owners.setdefault(owners, _Maps(owners))
        for op in program.body.walk():
            for placed in (*_made(op), *_said(op)):
                looked_at.check(placed, op)


def _check_places(distribution: Distribution | None) -> None:
    if distribution is not None:
        for flaw in check_coverage(distribution):
            raise flaw


class _Placed(NamedTuple):
    """What a map places, and how many words or samples that are."""

    what: str
    map: ShardMap
    size: int


class _Maps:
    """Maps of so many owners, each looked at once with each size."""

    def __init__(self, owners: int) -> None:
        self._owners = owners
        self._seen: set[tuple[ShardMap, int]] = set()

    def check(self, placed: _Placed, op: Operation) -> None:
        """Refuse a map that doesn't fit, at an operation."""
        key = placed.map, placed.size
        if key not in self._seen:
            self._seen.add(key)
            flaw = flaw_of(placed.map, self._owners, placed.size, placed.what, op)
            if flaw is not None:
                raise flaw


def _operations(protocol: Protocol) -> Iterator[Operation]:
    """All operations, and those of local work behind it."""
    for op in parts(protocol.op):
        yield op
        if isinstance(op, LocalOp):
            yield from op.body.block.ops


def _maps(protocol: Protocol, op: Operation) -> Iterator[_Placed]:
    """The maps of what an operation makes or sums."""
    yield from _made(op)
    if isinstance(op, ReduceOp) and op.map is not None:
        payload = at_type(op.value).payload
        assert isinstance(payload, ContributionType)
        samples = payload.samples.string_value()
        yield _Placed(f"the samples @{samples}", op.map.data, protocol.domain(samples))


def _made(op: Operation) -> Iterator[_Placed]:
    """The maps of what an operation makes, and of what its regions begin with."""
    arguments = (value for region in op.regions for block in region.blocks for value in block.args)
    for value in (*op.results, *arguments):
        payload = value.type.payload if isinstance(value.type, AtType) else value.type
        map = _map_of(payload)
        if map is not None:
            yield _Placed(name_of_value(value), map, words_in(payload))


def _said(op: Operation) -> Iterator[_Placed]:
    """The maps that an operation of a role's program says beside the types of its values."""
    if isinstance(op, PerformOp):
        values = (*op.arguments, *op.outcomes)
        for said in (op.map, op.deliver):
            if said is not None and values:
                size = words_in(at_type(values[0]).payload)
                yield _Placed("what is exchanged", said.data, size)


def _map_of(payload: Attribute) -> ShardMap | None:
    if isinstance(payload, OwnedType):
        return payload.map.data
    if isinstance(payload, TotalType) and isinstance(payload.where.data, Owned):
        return payload.where.data.map
    return None
