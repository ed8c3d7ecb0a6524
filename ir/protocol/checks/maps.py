"""Maps of what is exchanged: every word, and every sample that is summed, has one owner.

Invariant: after it, the map of every value gives each of its words to exactly one role of the
    universe, and so does that of every sum of contributions with its samples. States and samples
    have one place each.
Why: frames are sized by maps. One that doesn't fit is refused here, at its operation, and not where
    the program of some role is made.
Refuses: shard-coverage-missing, shard-coverage-duplicate, shard-owner-range, select-universe,
    select-budget.
Entry: `check_maps`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.protocol_values import AtType, at_type
from alpha.ir.attributes.shard import ContributionType, OwnedType, TotalType
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import name_of_value
from alpha.ir.sharding.checks.coverage import check_coverage, flaw_of
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned


def check_maps(protocol: Protocol) -> None:
    """Refuse the first operation whose map doesn't fit what it exchanges.

    Raises:
        Refusal: those of the module, at the operation.
    """
    if protocol.distribution is not None:
        for flaw in check_coverage(protocol.distribution):
            raise flaw
    seen: set[tuple[ShardMap, int]] = set()
    for op in _operations(protocol):
        for what, map, size in _maps(protocol, op):
            if (map, size) not in seen:
                seen.add((map, size))
                flaw = flaw_of(map, protocol.owners, size, what, op)
                if flaw is not None:
                    raise flaw


def _operations(protocol: Protocol) -> Iterator[Operation]:
    """All operations, and those of local work behind it."""
    for op in parts(protocol.op):
        yield op
        if isinstance(op, LocalOp):
            yield from op.body.block.ops


def _maps(protocol: Protocol, op: Operation) -> Iterator[tuple[str, ShardMap, int]]:
    """The maps of what an operation makes or sums: of what, and of how many words or samples."""
    for value in op.results:
        payload = value.type.payload if isinstance(value.type, AtType) else value.type
        map = _map_of(payload)
        if map is not None:
            yield name_of_value(value), map, words_in(payload)
    if isinstance(op, ReduceOp) and op.map is not None:
        payload = at_type(op.value).payload
        assert isinstance(payload, ContributionType)
        samples = payload.samples.string_value()
        yield f"the samples @{samples}", op.map.data, protocol.domain(samples)


def _map_of(payload: Attribute) -> ShardMap | None:
    if isinstance(payload, OwnedType):
        return payload.map.data
    if isinstance(payload, TotalType) and isinstance(payload.where.data, Owned):
        return payload.where.data.map
    return None
