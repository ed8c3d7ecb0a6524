"""The frames of each operation at each role: the restriction of one total order to that role.

Upwards a role receives from its children, ascending, and then sends to its parent. Downwards it
receives from its parent and then sends to its children, ascending. Directly, the members meet in
the rounds of a tournament, pair by pair, and in each pair the lower role sends first.

Invariant: for every frame that one role sends, its peer has the same frame to receive, and all
    frames of an operation stand in one order of which every role's is a part. So with no buffering
    at all the earliest unfinished frame can always be exchanged.
Why: a role's frames follow from its own place by one descent of the tree; nobody lists the members.
Refuses: nothing; what an operation may not be is refused where it is built.
Entry: `step_of`.

The tournament is the circle method: with m members, m even, member a below m - 1 meets in round t
the member b below m - 1 with a + b = t modulo m - 1, and the last member where that is a itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.protocol_values import at_type, holders
from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, ExchangeOp, TransferOp, topology_of
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.protocol.crossings import crossing
from alpha.ir.protocol.payloads import element_in, samples_of, words_in
from alpha.ir.protocol.steps import (
    AGREEMENT_WORDS,
    CHECKPOINT_WORDS,
    VERDICT_PART,
    VERDICT_WORDS,
    Addition,
    Frame,
    Step,
)
from alpha.ir.protocol.sums import Add, Give, Sum, Take, sum_directly, sum_upwards
from alpha.ir.protocol.view import Protocol
from alpha.ir.selections import Selection
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.topologies import PreorderTree

UNTIL_ARMS = 2
"""Going on with a repeat, and leaving it."""


def step_of(protocol: Protocol, op: Operation, role: int) -> Step | None:
    """What a role does in an operation that has a site, or None if it sends and gets nothing.

    A role that is alone in a checkpoint sends nothing, and writes all the same.
    """
    step = _step(protocol, op, role)
    if step is None or step.kind == "checkpoint":
        return step
    return step if step.actions or step.gives or step.outcome else None


def _step(protocol: Protocol, op: Operation, role: int) -> Step | None:
    site = protocol.sites[op]
    match op:
        case TransferOp():
            return _transfer(protocol, op, role, site)
        case ReduceOp():
            return _reduce(protocol, op, role, site)
        case ReplicateOp():
            return _replicate(protocol, op, role, site)
        case ScatterOp():
            return _scatter(protocol, op, role, site)
        case GatherOp():
            return _gather(protocol, op, role, site)
        case ExchangeOp():
            return _exchange(protocol, op, role, site)
        case AgreeOp():
            return _agree(op, role, site)
        case CheckpointOp():
            return _checkpoint(op, role, site)
        case ChoiceOp() | UntilOp() if op.routes is not None:
            return _decide(op, role, site)
        case _:
            return None


def _count(protocol: Protocol, payload: Attribute) -> int:
    """The samples behind a payload: those of a total, else 0."""
    samples = samples_of(payload)
    return 0 if samples is None else protocol.domain(samples)


def _whole(
    protocol: Protocol, payload: Attribute, outgoing: bool, peer: int, riding: int = 0
) -> Frame:
    """A frame with all words of a payload."""
    count, words = _count(protocol, payload), words_in(payload)
    return Frame(outgoing, peer, words, element_in(payload), count=count, riding=riding)


class _Place:
    """A role's place in the tree of a group's members."""

    def __init__(self, members: Selection, tree: PreorderTree, role: int) -> None:
        self._members = members
        self.tree = tree
        self.rank = members.index(role)
        above = tree.parent(self.rank)
        self.parent = None if above is None else members.nth(above)
        self.children = [(rank, members.nth(rank)) for rank in tree.children(self.rank)]

    def below(self, rank: int) -> tuple[int, int] | None:
        """The roles of a subtree as a range, if they are one; else None."""
        subtree = self.tree.subtree(rank)
        low, high = self._members.nth(subtree.start), self._members.nth(subtree.stop - 1) + 1
        return (low, high) if high - low == len(subtree) else None

    def words_below(self, rank: int, map: ShardMap, owners: int, size: int) -> int:
        """The words that the members of a subtree own together."""
        roles = self.below(rank)
        if roles is not None:
            return map.range_size(*roles, owners, size)
        subtree = self.tree.subtree(rank)
        return sum(map.piece_size(self._members.nth(each), owners, size) for each in subtree)


def _place(
    op: ReduceOp | ReplicateOp | ScatterOp | GatherOp | AgreeOp | CheckpointOp, role: int
) -> _Place | None:
    said = isinstance(op, ReplicateOp | ScatterOp | CheckpointOp)
    members = op.members.data if said else holders(op.operands[0])
    topology = topology_of(op.way)
    if topology is None or role not in members:
        return None
    return _Place(members, topology.tree(members.size), role)


def _transfer(protocol: Protocol, op: TransferOp, role: int, site: int) -> Step | None:
    sender, receiver = op.sender.data, op.receiver.data
    payload = at_type(op.value).payload
    if role == sender:
        frame = _whole(protocol, payload, True, receiver)
        return Step("transfer", site, (frame,), gives=True)
    if role == receiver:
        frame = _whole(protocol, payload, False, sender)
        return Step("transfer", site, (frame,), outcome=at_type(op.outcome).payload)
    return None


def _reduce(protocol: Protocol, op: ReduceOp, role: int, site: int) -> Step | None:
    members = holders(op.value)
    if role not in members:
        return None
    map = None if op.map is None else op.map.data
    sum = Sum(map, op.contract.data, members, protocol.owners)
    outcome = at_type(op.outcome).payload
    part = 0 if map is not None else members.index(role)
    contract = op.contract.data
    if op.deliver is not None:
        actions = tuple(_sum_directly(protocol, op, role, sum, op.deliver.data))
        deliver = op.deliver.data
        return Step("reduce", site, actions, True, outcome, None, contract, deliver, part=part)
    place = _place(op, role)
    assert place is not None
    actions = tuple(_sum_upwards(op, sum, place))
    if op.agreed:
        actions = tuple(_riding_upwards(actions, place, element_in(at_type(op.value).payload)))
    result = None if place.parent is not None else outcome
    return Step("reduce", site, actions, True, result, contract=contract, part=part)


def _sum_upwards(op: ReduceOp, sum: Sum, place: _Place) -> Iterator[Frame | Addition]:
    payload = at_type(op.value).payload
    words, element = words_in(payload), element_in(payload)
    for each in sum_upwards(sum, place.tree, place.rank):
        match each:
            case Take(rank=rank, group=group, count=count):
                peer = sum.members.nth(rank)
                yield Frame(False, peer, words, element, group, count)
            case Add(into=into, of=of):
                yield Addition(into, of)
            case Give(group=group, count=count):
                assert place.parent is not None
                yield Frame(True, place.parent, words, element, group, count)


def _riding_upwards(
    actions: Sequence[Frame | Addition], place: _Place, element: Attribute
) -> Iterator[Frame | Addition]:
    """The same with a digest behind the last frame from each child and to the parent.

    Who has no part of the sum sends a frame without words, which brings the digest alone.
    """
    last = {action.peer: action for action in actions if isinstance(action, Frame)}
    for _, child in place.children:
        if child not in last:
            yield Frame(False, child, 0, element, riding=AGREEMENT_WORDS)
    for action in actions:
        ends = isinstance(action, Frame) and action is last[action.peer]
        yield replace(action, riding=AGREEMENT_WORDS) if ends else action
    if place.parent is not None and place.parent not in last:
        yield Frame(True, place.parent, 0, element, riding=AGREEMENT_WORDS)


def _sum_directly(
    protocol: Protocol, op: ReduceOp, role: int, sum: Sum, deliver: ShardMap
) -> Iterator[Frame | Addition]:
    """Own additions; then with each opponent what either has for the other, and more additions."""
    payload, members = at_type(op.value).payload, sum.members
    words, element = words_in(payload), element_in(payload)
    own = deliver.piece_size(role, protocol.owners, words)
    opponents = list(_opponents(members, role))
    gives: list[Give] = []
    taken: dict[int, list[Frame | Addition]] = {peer: [] for peer in opponents}
    peer = role
    for each in sum_directly(sum, members.index(role), map(members.index, opponents)):
        match each:
            case Give():
                gives.append(each)
            case Take(rank=rank, group=group, count=count):
                peer = members.nth(rank)
                taken[peer].append(Frame(False, peer, own, element, group, count))
            case Add(into=into, of=of) if peer == role:
                yield Addition(into, of)
            case Add(into=into, of=of):
                taken[peer].append(Addition(into, of))
    for peer in opponents:
        size = deliver.piece_size(peer, protocol.owners, words)
        sends = [Frame(True, peer, size, element, each.group, each.count) for each in gives]
        takes = taken[peer] if own else []
        sends = sends if size else []
        yield from (*sends, *takes) if role < peer else (*takes, *sends)


def _replicate(protocol: Protocol, op: ReplicateOp, role: int, site: int) -> Step | None:
    place = _place(op, role)
    if place is None:
        return None
    payload = at_type(op.value).payload
    riding = 0 if op.verdict is None else VERDICT_WORDS
    frames = [_whole(protocol, payload, True, child, riding) for _, child in place.children]
    if place.parent is not None:
        frames.insert(0, _whole(protocol, payload, False, place.parent, riding))
    outcome = at_type(op.outcome).payload
    return Step("replicate", site, tuple(frames), place.parent is None, outcome)


def _scatter(protocol: Protocol, op: ScatterOp, role: int, site: int) -> Step | None:
    place = _place(op, role)
    if place is None:
        return None
    payload = at_type(op.value).payload
    size, element, count = words_in(payload), element_in(payload), _count(protocol, payload)

    def words(rank: int) -> int:
        return place.words_below(rank, op.map.data, protocol.owners, size)

    riding = 0 if op.verdict is None else VERDICT_WORDS
    given = {"count": count, "riding": riding}
    frames = [Frame(True, child, words(rank), element, **given) for rank, child in place.children]
    if place.parent is not None:
        frames.insert(0, Frame(False, place.parent, words(place.rank), element, **given))
    outcome = at_type(op.outcome).payload
    root = place.parent is None
    return Step("scatter", site, tuple(frames), root, outcome, op.map.data, members=op.members.data)


def _gather(protocol: Protocol, op: GatherOp, role: int, site: int) -> Step | None:
    members = holders(op.value)
    if role not in members:
        return None
    payload, outcome = at_type(op.value).payload, at_type(op.outcome).payload
    size, element, count = words_in(payload), element_in(payload), _count(protocol, payload)
    map, owners = op.map, protocol.owners
    if topology_of(op.way) is None:
        own = map.piece_size(role, owners, size)
        frames: list[Frame] = []
        for peer in _opponents(members, role):
            theirs = map.piece_size(peer, owners, size)
            sends = [Frame(True, peer, own, element, count=count)] if own else []
            takes = [Frame(False, peer, theirs, element, count=count)] if theirs else []
            frames += [*sends, *takes] if role < peer else [*takes, *sends]
        return Step("gather", site, tuple(frames), True, outcome, map, members=members)
    place = _place(op, role)
    assert place is not None
    frames = [
        Frame(False, child, place.words_below(rank, map, owners, size), element, count=count)
        for rank, child in place.children
    ]
    if place.parent is not None:
        words = place.words_below(place.rank, map, owners, size)
        frames.append(Frame(True, place.parent, words, element, count=count))
    result = None if place.parent is not None else outcome
    return Step("gather", site, tuple(frames), True, result, map, members=members)


def _exchange(protocol: Protocol, op: ExchangeOp, role: int, site: int) -> Step | None:
    members = holders(op.value)
    if role not in members:
        return None
    payload = at_type(op.value).payload
    size, element, owners = words_in(payload), element_in(payload), protocol.owners
    old, new = _owned_map(op), op.map.data
    frames: list[Frame] = []
    for peer in _opponents(members, role):
        out = len(crossing(old, role, new, peer, owners, size))
        back = len(crossing(old, peer, new, role, owners, size))
        sends = [Frame(True, peer, out, element)] if out else []
        takes = [Frame(False, peer, back, element)] if back else []
        frames += [*sends, *takes] if role < peer else [*takes, *sends]
    outcome = at_type(op.outcome).payload
    return Step("exchange", site, tuple(frames), True, outcome, old, deliver=new, members=members)


def _owned_map(op: ExchangeOp) -> ShardMap:
    payload = at_type(op.value).payload
    assert isinstance(payload, OwnedType)
    return payload.map.data


def _agree(op: AgreeOp, role: int, site: int) -> Step | None:
    place = _place(op, role)
    if place is None:
        return None
    return Step("agree", site, _up_and_down(place, AGREEMENT_WORDS), True)


def _checkpoint(op: CheckpointOp, role: int, site: int) -> Step | None:
    place = _place(op, role)
    if place is None:
        return None
    frames = _up_and_down(place, CHECKPOINT_WORDS)
    return Step("checkpoint", site, frames, members=op.members.data)


def _up_and_down(place: _Place, words: int) -> tuple[Frame, ...]:
    """So many words from each child and to the parent; a verdict from it, and on to each child."""
    up = [Frame(False, child, words, i64) for _, child in place.children]
    down = [Frame(True, child, VERDICT_WORDS, i64, VERDICT_PART) for _, child in place.children]
    if place.parent is not None:
        up.append(Frame(True, place.parent, words, i64))
        down.insert(0, Frame(False, place.parent, VERDICT_WORDS, i64, VERDICT_PART))
    return (*up, *down)


def _decide(op: ChoiceOp | UntilOp, role: int, site: int) -> Step | None:
    assert op.routes is not None and op.authority is not None
    routes = op.routes.data
    teller = routes.teller(role)
    frames = [Frame(True, told, 1, i64) for told in routes.told_by(role)]
    if teller is not None:
        frames.insert(0, Frame(False, teller, 1, i64))
    decides = role == op.authority.data
    if not decides and not frames:
        return None
    arms = len(op.arms) if isinstance(op, ChoiceOp) else UNTIL_ARMS
    return Step("decide", site, tuple(frames), decides, at_type(op.selector).payload, arms=arms)


def _opponents(members: Selection, role: int) -> Iterator[int]:
    """The other members, in the order in which a member meets them."""
    count = members.size + members.size % 2
    own = members.index(role)
    for turn in range(count - 1):
        if own == count - 1:
            # Twice the opponent is the turn, modulo an odd number.
            other = turn * (count // 2) % (count - 1)
        else:
            other = (turn - own) % (count - 1)
            other = count - 1 if other == own else other
        if other < members.size:
            yield members.nth(other)
