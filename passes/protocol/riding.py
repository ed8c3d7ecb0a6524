"""Agreements that needn't be sent by themselves: they ride on the next round's sum and total.

A round that publishes nothing may compare its new words one round later, since nobody else has seen
them: the digests go up with the next contributions and the verdict comes down with the total. What
the last round made is compared by itself.

Invariant: every state that the round compares is compared as it is read, by every role, before the
    next version is made of it.
Entry: `Riding`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from alpha.ir.attributes.shard import ReplicaType, located
from alpha.ir.dialects.shard_exchange import CombineOp
from alpha.ir.dialects.shard_work import AgreeOp, ReadOp
from alpha.ir.sharding.distribution import Distribution


@dataclass(frozen=True)
class Riding:
    """What is compared on the way of a sum, instead of by itself."""

    agreements: tuple[AgreeOp, ...]
    """The comparisons of the round that aren't sent."""

    states: tuple[str, ...]
    """What they compare."""

    copies: tuple[SSAValue, ...]
    """The same states as the round reads them, in the same order."""

    more_reads: tuple[ReadOp, ...]
    """Reads of those that the round doesn't read otherwise."""

    sum: CombineOp
    """On which the digests ride."""

    @classmethod
    def of(cls, distribution: Distribution, rides: Callable[[CombineOp], bool]) -> Riding | None:
        """What rides in a round; None where it compares nothing, or there is no sum to ride on.

        `rides` says whether a sum goes up and its total comes down along the topology.
        """
        sum = next((op for op in distribution.ops(CombineOp) if rides(op)), None)
        advance = distribution.advance()
        made = dict(zip(advance.values, advance.names(), strict=True))
        agreements = [
            op for op in distribution.ops(AgreeOp) if all(value in made for value in op.values)
        ]
        if sum is None or not agreements:
            return None
        states = tuple(dict.fromkeys(made[value] for op in agreements for value in op.values))
        read = _copies_read(distribution, sum)
        more: list[ReadOp] = []
        copies: list[SSAValue] = []
        for name in states:
            value = read.get(name)
            if value is None:
                state = distribution.learner.states[name]
                more.append(ReadOp([name], [ReplicaType.of(state.type, 0)]))
                value = more[-1].values[0]
                value.name_hint = name
            copies.append(value)
        return cls(tuple(agreements), states, tuple(copies), tuple(more), sum)


def _copies_read(distribution: Distribution, before: CombineOp) -> dict[str, SSAValue]:
    """The copies of states that the round reads before a sum, of the version it starts from."""
    found: dict[str, SSAValue] = {}
    for op in distribution.ops(ReadOp):
        if not op.is_before_in_block(before):
            break
        names = op.names()
        if any(name not in distribution.learner.states for name in names):
            continue
        for name, value in zip(names, op.values, strict=True):
            if isinstance(value.type, ReplicaType) and located(value).version.data == 0:
                found.setdefault(name, value)
    return found
