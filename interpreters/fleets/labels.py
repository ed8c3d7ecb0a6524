"""What of a protocol depends on a role's number, said by compact sequences and sets.

Invariant: two subtrees of one size whose keys are equal are alike: their roles have, place by
    place, programs that are equal but for the numbers of their peers, and the same marks.
Why: a key is cut out of a few runs and selections, so equal subtrees are found to be equal without
    a look at their roles.
Entry: `Labels`, `tree_of`, `depth_of`, `busy_numbers`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from xdsl.ir import Operation

from alpha.interpreters.fleets.programs import contributions_of
from alpha.ir.attributes.protocol_values import at_type, holders
from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, ExchangeOp, TransferOp, topology_of
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.protocol.parts import PartsUp
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.routes import Along
from alpha.ir.protocol.slices import sliced
from alpha.ir.protocol.sums import Sum
from alpha.ir.protocol.view import COMMUNICATING, Protocol
from alpha.ir.runs import Runs
from alpha.ir.selections import Join, Selection, Stride
from alpha.ir.sharding.families import moved
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import PreorderTree, Topology

FAN_OUT_WITHOUT_FRAMES = 64
"""Of the tree of a protocol in which nobody sends anything."""


def tree_of(protocol: Protocol) -> PreorderTree | None:
    """The tree of all roles along which every operation goes, or None if they go other ways."""
    group, found = protocol.group, None
    if group.size != group.universe:
        return None
    for op in protocol.op.walk():
        if not isinstance(op, COMMUNICATING) or _is_untold(op):
            continue
        way = _way(op)
        if way is None or way[1].size != group.universe:
            return None
        tree = way[0].tree(group.universe)
        if found is not None and not found.is_same(tree):
            return None
        # Parts that follow neither from the tree nor from samples are those of every single role.
        if isinstance(op, ReduceOp) and op.map is None and _is_loose(op, protocol, tree):
            return None
        found = found or tree
    return found or PreorderTree(group.universe, FAN_OUT_WITHOUT_FRAMES)


def _is_loose(op: ReduceOp, protocol: Protocol, tree: PreorderTree) -> bool:
    """Whether a sum isn't combined as it travels."""
    map = None if op.map is None else op.map.data
    sum = Sum(map, op.contract.data, holders(op.value), protocol.owners)
    return not sum.goes_as_combined(tree)


def depth_of(protocol: Protocol) -> int:
    """The most edges between the root of an operation and one of its members."""
    depth = 0
    for op in protocol.op.walk():
        if isinstance(op, COMMUNICATING) and not _is_untold(op):
            way = _way(op)
            depth = max(depth, 1 if way is None else way[0].tree(way[1].size).depth())
    return depth


def _is_untold(op: Operation) -> bool:
    return isinstance(op, ChoiceOp | UntilOp) and op.routes is None


def _way(op: Operation) -> tuple[Topology, Selection] | None:
    """The topology of an operation and its members; None if it goes directly, or isn't compact."""
    if isinstance(op, ChoiceOp | UntilOp):
        routes = None if op.routes is None else op.routes.data
        return (routes.topology, routes.members) if isinstance(routes, Along) else None
    if isinstance(op, TransferOp | ExchangeOp):
        return None
    assert isinstance(op, ReduceOp | GatherOp | ReplicateOp | ScatterOp | AgreeOp | CheckpointOp)
    topology = topology_of(op.way)
    said = isinstance(op, ReplicateOp | ScatterOp | CheckpointOp)
    members = op.members.data if said else holders(op.operands[0])
    return None if topology is None else (topology, members)


class _Numbers:
    """A number for each role."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self._pairs = runs.pairs
        self._ends = list(accumulate(count for count, _ in runs.pairs))

    def key(self, low: int, high: int) -> Hashable:
        """The runs of the roles from `low` to `high` - 1."""
        at = bisect_right(self._ends, low)
        if self._ends[at] >= high:
            return self._pairs[at][1]
        pairs: list[tuple[int, int]] = []
        while low < high:
            end = min(self._ends[at], high)
            pairs.append((end - low, self._pairs[at][1]))
            low, at = end, at + 1
        return tuple(pairs)

    def sums(self, bounds: Sequence[int]) -> Hashable:
        """The sums over the roles between each two successive bounds, as runs."""
        before = [self.runs.before(bound) for bound in bounds]
        sums = (high - low for low, high in pairwise(before))
        return Runs.of(sums).pairs


class _Members:
    """A set of roles."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def key(self, low: int, high: int) -> Hashable:
        """The members from `low` to `high` - 1, as places from 0 on."""
        selection = self._selection
        if high == low + 1:
            return low in selection
        if isinstance(selection, Join):
            # Of many parts only a few matter, so nobody goes through all of them.
            near = selection.parts_between(low, high - 1)
            parts = [selection.parts[number] for number in near]
            if not parts:
                return False
            selection = Join(tuple(parts)) if len(parts) > 1 else parts[0]
        first, last = selection.rank(low), selection.rank(high)
        if last == first or last - first == high - low:
            return last != first
        cut = moved(sliced(selection, first, last), -low)
        if isinstance(cut, Stride) and cut.count == 1:
            return Stride(cut.start, 1, 1)
        return cut


@dataclass(frozen=True)
class Labels:
    """All of a protocol, and of given sets of roles, that depends on the number of a role."""

    numbers: tuple[_Numbers, ...]
    works: tuple[_Members, ...]
    """Who does local work that not all do."""
    marks: tuple[_Members, ...]
    """The given sets, on which no program depends."""
    loose: tuple[PartsUp, ...]
    """Sums whose parts don't follow from the tree."""

    @classmethod
    def of(cls, protocol: Protocol, tree: PreorderTree, marks: Sequence[Selection]) -> Labels:
        """The labels of a protocol all of whose operations go along a tree of all roles."""
        works: dict[Selection, None] = {}
        loose: dict[PartsUp, None] = {}
        for op in protocol.op.walk():
            if isinstance(op, LocalOp | PublishOp | ScopeOp):
                if op.roles.data.size != protocol.group.universe:
                    works[op.roles.data] = None
            elif isinstance(op, ReduceOp) and op.map is not None and _is_loose(op, protocol, tree):
                loose[PartsUp(tree, op.map.data, op.contract.data, protocol.owners)] = None
        return cls(
            tuple(map(_Numbers, numbers_of(protocol))),
            tuple(map(_Members, works)),
            tuple(map(_Members, marks)),
            tuple(loose),
        )

    def key(self, low: int, high: int) -> Hashable:
        """What the subtree of the roles from `low` to `high` - 1 is like."""
        parts = (*self.numbers, *self.works, *self.marks)
        return (high - low, self._place(low, high), *(part.key(low, high) for part in parts))

    def program_key(self, role: int, bounds: Sequence[int]) -> Hashable:
        """What a role's own program is like; `bounds` are its children, and the subtree's end."""
        own = tuple(part.key(role, role + 1) for part in (*self.numbers, *self.works))
        below = tuple(part.sums(bounds) for part in self.numbers)
        sizes = Runs.of(high - low for low, high in pairwise(bounds))
        return (self._place(role, bounds[-1]), sizes.pairs, own, below)

    def mark(self, role: int) -> tuple[bool, ...]:
        """Of which of the given sets a role is a member."""
        return tuple(bool(part.key(role, role + 1)) for part in self.marks)

    def _place(self, low: int, high: int) -> int:
        """The number of a subtree's root where that matters: some of its roles have parts."""
        return low if any(parts.deal(range(low, high)) for parts in self.loose) else -1


def numbers_of(protocol: Protocol) -> list[Runs]:
    """How many words or samples each role has, by every map of a protocol; each once."""
    found: dict[Runs, None] = {}
    for map, size in _maps(protocol):
        runs = map.piece_sizes(protocol.owners, size)
        if len(runs.pairs) > 1:
            found[runs] = None
    return list(found)


def busy_numbers(protocol: Protocol) -> list[Runs]:
    """How many samples each role sums over, and how many words of state it alone has."""
    found: dict[Runs, None] = {}
    for op in contributions_of(protocol):
        size = protocol.domain(op.samples.string_value())
        found[op.map.data.piece_sizes(protocol.owners, size)] = None
    distribution = protocol.distribution
    for name in () if distribution is None else distribution.learner.states:
        assert distribution is not None
        map = distribution.map_of(name)
        if map is not None:
            found[map.piece_sizes(protocol.owners, distribution.domain(name))] = None
    return list(found)


def _maps(protocol: Protocol) -> Iterator[tuple[ShardMap, int]]:
    distribution = protocol.distribution
    for name in () if distribution is None else distribution.place_ops:
        assert distribution is not None
        map = distribution.map_of(name)
        if map is not None:
            yield map, distribution.domain(name)
    for op in contributions_of(protocol):
        yield op.map.data, protocol.domain(op.samples.string_value())
    for op in protocol.op.walk():
        if isinstance(op, ScatterOp):
            yield op.map.data, words_in(at_type(op.value).payload)
        for result in op.results:
            payload = result.type
            if isinstance(payload, OwnedType):
                yield payload.map.data, words_in(payload)
