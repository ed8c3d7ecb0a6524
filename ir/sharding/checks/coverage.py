"""Has every coordinate one owner? Every state and all samples one place?

Refuses: shard-coverage-missing, shard-coverage-duplicate, shard-owner-range, select-universe,
    select-budget.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.ir.attributes.shard import OwnedType, TotalType, located
from alpha.ir.dialects.shard import PlaceOp
from alpha.ir.dialects.shard_work import ContributeOp, ReadOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.shapes import words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned


def check_coverage(distribution: Distribution) -> Iterator[Refusal]:
    """Every place and every map of a value gives each coordinate exactly one owner."""
    yield from _one_place_each(distribution)
    seen: set[tuple[ShardMap, int]] = set()
    for what, map, size, op in _maps(distribution):
        if (map, size) not in seen:
            seen.add((map, size))
            flaw = flaw_of(map, distribution.owners, size, what, op)
            if flaw is not None:
                yield flaw


def flaw_of(map: ShardMap, owners: int, size: int, what: str, op: Operation) -> Refusal | None:
    """What is wrong with a map of this domain, said of the value that it places."""
    try:
        map.check(owners, size)
    except Refusal as flaw:
        return Refusal(flaw.code, f"{flaw.expected} of {what}", flaw.found, op, flaw.notes)
    return None


def _one_place_each(distribution: Distribution) -> Iterator[Refusal]:
    places: dict[str, PlaceOp] = {}
    for op in distribution.op.body.block.ops:
        if isinstance(op, PlaceOp):
            name = op.symbol.string_value()
            if name in places:
                note = Note(f"@{name} is first placed here", place_of(places[name]))
                wanted = f"one place of @{name}"
                yield Refusal("shard-coverage-duplicate", wanted, "two", op, (note,))
            places[name] = op
    used = {name for read in distribution.ops(ReadOp) for name in read.names()}
    used |= {op.samples.string_value() for op in distribution.ops(ContributeOp)}
    for name in (*distribution.learner.states, *distribution.learner.samples):
        needed = name in distribution.learner.states or name in used
        if needed and name not in places:
            wanted = f"a place of @{name}: shard.place @{name} replicated, or by a map"
            yield Refusal("shard-coverage-missing", wanted, "none", distribution.op)


def _maps(distribution: Distribution) -> Iterator[tuple[str, ShardMap, int, Operation]]:
    """Every map with what it places, the size of the domain, and the operation that has it."""
    for name, op in distribution.place_ops.items():
        where = op.where.data
        if isinstance(where, Owned):
            yield f"@{name}", where.map, distribution.domain(name), op
    for op in distribution.round.body.block.ops:
        for value in op.results:
            of = located(value)
            name = f"%{value.name_hint}" if value.name_hint else "a value"
            if isinstance(of, OwnedType):
                yield name, of.map.data, words_of(of.value), op
            elif isinstance(of, TotalType) and isinstance(of.where.data, Owned):
                yield name, of.where.data.map, words_of(of.value), op
