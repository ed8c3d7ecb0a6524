"""Is each word written by its one authority, and compared where several owners compute it?

Refuses: shard-replica-write, shard-coverage-missing, shard-agree-missing.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import SSAValue

from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.shard_exchange import AdvanceOp, ReplicateOp
from alpha.ir.dialects.shard_work import AgreeOp, UpdateOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import words_of
from alpha.ir.sharding.distribution import Distribution


def check_authority(distribution: Distribution) -> Iterator[Refusal]:
    """An owned state takes its owners' words; a replicated one words that all owners have."""
    advance = distribution.advance()
    agreed = {value for op in distribution.ops(AgreeOp) for value in op.values}
    for name, value in zip(advance.names(), advance.values, strict=True):
        if isinstance(value.owner, ReplicateOp):
            wanted = f"new words of @{name} from an update or a combine"
            found = "a read-only replica, which is never an authority"
            yield Refusal("shard-replica-write", wanted, found, advance)
        elif name in distribution.place_ops:
            yield from written_where_kept(distribution, advance, name, value)
        computed = isinstance(value.owner, UpdateOp) and not isinstance(value.type, OwnedType)
        if computed and value not in agreed and distribution.owners > 1:
            wanted = f"shard.agree on the new words of @{name}, which every owner computes"
            yield Refusal("shard-agree-missing", wanted, "none", advance)


def written_where_kept(
    distribution: Distribution, advance: AdvanceOp, name: str, value: SSAValue
) -> Iterator[Refusal]:
    """Whoever keeps a word of a state between rounds has its new word."""
    map, of = distribution.map_of(name), value.type
    if map is None:
        if isinstance(of, OwnedType):
            wanted = f"all words of @{name} with every owner, since it is replicated"
            found = f"owned words by {of.map.data}, assembled by no combine"
            yield Refusal("shard-coverage-missing", wanted, found, advance)
    elif not isinstance(of, OwnedType):
        wanted = f"new words of @{name} from the owners of its coordinates, by {map}"
        found = "a copy that every owner has"
        yield Refusal("shard-replica-write", wanted, found, advance)
    else:
        size = words_of(of.value)
        try:
            other = map.first_difference(of.map.data, distribution.owners, size)
        except Refusal:
            return  # the map has another flaw, which its own check names
        if other is not None:
            wanted = f"coordinate {other.coordinate} of @{name} written by owner {other.owner}"
            yield Refusal("shard-replica-write", wanted, f"owner {other.other_owner}", advance)
