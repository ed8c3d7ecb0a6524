"""Sums in a role's program: each addition is the contract's next, and each part is used once.

A part is a group with what was added to it: successive samples, from the group's first. How many
they are says it all, since the groups that a group takes up stand right behind it: another may be
added to it if it begins where the part ends, is one that the contract adds to this group, and has
all of its own. What a role uses and didn't receive is its own.

Invariant: a sum that is handed on has the samples that its frame says. A role that hands on, or
    gives to the owners of words, hands on all that it has; one that keeps the sum ends with group
    0, over all samples. So if every group is the own one of exactly one role, which `alike` asks of
    all programs together, the sum is the contract's, bit for bit: no order of frames changes it.
Refuses: shard-combine-order, shard-contribution-missing, protocol-step-frames,
    protocol-payload-type, source-structure, region-contract-groups, and what maps refuse.
Entry: `check_reduce`, which gives the role's own groups.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.shard import ContributionType, OwnedType, TotalType
from alpha.ir.contracts import Contract
from alpha.ir.dialects.protocol_role import AddOp, FrameOp, SendOp
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.schedules.performed import (
    DIGEST_WORDS,
    Content,
    Performed,
    content_of,
    element_in,
    size_of,
)
from alpha.ir.schedules.pieces import check_map
from alpha.ir.shapes import is_value_type
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Owned


def check_reduce(it: Performed) -> frozenset[int]:
    """See that a role's part of a sum is one, and give the groups that are the role's own.

    Raises:
        Refusal: those of the module.
    """
    contract = _contract(it)
    _check_types(it, contract)
    parts = _Parts(it, contract)
    if it.op.deliver is None:
        _upwards(it, parts)
    else:
        _directly(it, parts, it.op.deliver.data)
    if not isinstance(it.given[0], ContributionType):
        mine = {0 if it.op.part is None else it.op.part.data}
        if parts.own != mine:
            wanted = f"the part of group {min(mine)} alone as the role's own"
            raise it.wrong("shard-contribution-missing", wanted, _groups(parts.own))
    return frozenset(parts.own)


def _groups(groups: set[int]) -> str:
    shown = ", ".join(map(str, sorted(groups)[:8]))
    return f"that of {shown}" if groups else "none"


def _contract(it: Performed) -> Contract:
    if it.op.contract is None:
        raise it.wrong("source-structure", "a contract", "none")
    contract = it.op.contract.data
    if it.given and isinstance(it.given[0], ContributionType) and it.distribution is not None:
        name = it.given[0].samples.string_value()
        try:
            contract.check(it.distribution.domain(name))
        except Refusal as refusal:
            refusal.place = place_of(it.op)
            raise
    return contract


def _check_types(it: Performed, contract: Contract) -> None:
    """What is summed, what is compared on the way, and what they come to."""
    if not it.given:
        raise it.wrong("source-structure", "a value to sum", "none")
    payload, copies = it.given[0], it.given[1:]
    contributed = isinstance(payload, ContributionType)
    if not contributed and not is_value_type(payload):
        raise it.wrong("protocol-payload-type", "contributions or words to sum", str(payload))
    for copy in copies:
        it.require_common(copy)
    if copies and it.op.deliver is not None:
        raise it.wrong("source-structure", "no copies to compare on a direct way", "some")
    wanted: list[Attribute] = []
    if it.op.deliver is not None:
        wanted = [_delivered(payload, it.op.deliver.data)]
    elif not any(isinstance(frame, SendOp) for frame in it.frames) and it.made:
        at = At(it.role)
        wanted = [_total(payload, at) if isinstance(payload, ContributionType) else payload]
        wanted += [i64] if copies else []
    if it.made != wanted:
        texts = [", ".join(map(str, types)) or "nothing" for types in (wanted, it.made)]
        raise it.wrong("protocol-payload-type", texts[0], texts[1])
    if contributed and it.op.part is not None:
        raise it.wrong("source-structure", "no number of a part of contributions", "one")


def _total(of: ContributionType, where: At | Owned) -> TotalType:
    return TotalType.of(of.value, of.samples, where, of.version.data)


def _delivered(payload: Attribute, map: ShardMap) -> Attribute:
    if isinstance(payload, ContributionType):
        return _total(payload, Owned(map))
    return OwnedType.of(payload, map, 0)


class _Parts:
    """The parts that a role has, with the samples of each."""

    def __init__(self, it: Performed, contract: Contract) -> None:
        self._it = it
        self._contract = contract
        self._tree = contract.combine.tree(contract.groups.length)
        self.held: dict[int, int] = {}
        self.own: set[int] = set()
        self._gone: set[int] = set()

    @property
    def total(self) -> int:
        """The samples of all groups."""
        return self._contract.groups.total

    def need(self, group: int, at: Operation) -> int:
        """The samples of a part that the role uses; if it didn't receive it, it is its own."""
        if group in self.held:
            return self.held[group]
        self._require_group(group, at)
        if group in self._gone:
            wanted = f"group {group} once: it was added to another, or sent"
            raise self._it.wrong("shard-combine-order", wanted, "again", at)
        self.own.add(group)
        self.held[group] = self._contract.groups[group]
        return self.held[group]

    def take(self, group: int, count: int, at: Operation) -> None:
        """Receive a part."""
        self._require_group(group, at)
        if group in self.held or group in self._gone:
            wanted = f"group {group} from one role"
            raise self._it.wrong("shard-combine-order", wanted, "from several", at)
        self.held[group] = count

    def add(self, into: int, of: int, at: Operation) -> None:
        """Add a part to another, the operand on the left."""
        groups = self._contract.groups
        found, added = self.need(into, at), self.need(of, at)
        end = groups.before(into) + found
        whole = self._whole(of)
        if self._tree.parent(of) != into or groups.before(of) != end or added != whole:
            wanted = f"the sum of a group that follows sample {end} of group {into}, complete"
            found_text = f"group {of} with {added} of {whole} samples, from {groups.before(of)} on"
            raise self._it.wrong("shard-combine-order", wanted, found_text, at)
        self.held[into] = found + added
        self.give(of)

    def give(self, group: int) -> None:
        """Part with a part."""
        del self.held[group]
        self._gone.add(group)

    def require_total(self) -> None:
        """See that the sum is what is left."""
        if not self.held and not self._gone:
            self.need(0, self._it.op)
        if self.held != {0: self.total}:
            wanted = f"one sum left, that of group 0 over {self.total} samples"
            raise self._it.wrong("shard-contribution-missing", wanted, self.text())

    def text(self) -> str:
        """What the role has."""
        shown = [
            f"group {group} over {count} samples" for group, count in sorted(self.held.items())
        ]
        return ", ".join(shown[:8]) or "none"

    def _whole(self, group: int) -> int:
        """The samples of a group and of all that are added to it."""
        below = self._tree.subtree(group)
        return self._contract.groups.before(below.stop) - self._contract.groups.before(below.start)

    def _require_group(self, group: int, at: Operation) -> None:
        if group >= self._contract.groups.length:
            wanted = f"a group from 0 to {self._contract.groups.length - 1}"
            raise self._it.wrong("shard-combine-order", wanted, str(group), at)


def _upwards(it: Performed, parts: _Parts) -> None:
    """Parts from those below, then all that is left to the one above; or the total, at the end."""
    payload = it.given[0]
    last = {(isinstance(each, SendOp), each.peer.data): each for each in it.frames}
    parents = [frame.peer.data for frame in it.sends]
    for frame in it.sends:
        if frame.peer.data != parents[0]:
            found = f"role {frame.peer.data}"
            raise it.other_frame(frame, f"role {parents[0]} as the only one above", found)
    handing_on = False
    for action in it.op.frames.block.ops:
        if isinstance(action, AddOp):
            for group in action.groups.data:
                parts.add(action.into.data, group.data, action)
            continue
        assert isinstance(action, FrameOp)
        sends = isinstance(action, SendOp)
        if handing_on and not sends:
            raise it.other_frame(action, "no frame from below behind one to the above", "one")
        handing_on = handing_on or sends
        ends = last[sends, action.peer.data] is action
        riding = DIGEST_WORDS if len(it.given) > 1 and ends else 0
        content = content_of(action)
        if riding and not content.words:
            # A digest alone, of somebody who has no part of the sum.
            it.require_content(action, Content(0, element_in(payload), riding=riding))
            continue
        wanted = Content(size_of(payload), element_in(payload), content.count, content.part, riding)
        if sends:
            count = parts.need(content.part, action)
            it.require_content(action, replace(wanted, count=count))
            parts.give(content.part)
        else:
            it.require_content(action, wanted)
            parts.take(content.part, content.count, action)
    if it.made:
        parts.require_total()
    elif parts.held:
        wanted_text = "all parts of the sum handed on"
        raise it.wrong("shard-contribution-missing", wanted_text, f"{parts.text()} left")
    children = [role for (sends, role) in last if not sends]
    if set(children) & set(parents):
        raise it.wrong("protocol-step-frames", "others below than above", f"role {parents[0]}")


def _directly(it: Performed, parts: _Parts, map: ShardMap) -> None:
    """Own additions; then every owner of words is given all own parts, and adds what it gets."""
    payload = it.given[0]
    check_map(it, map, size_of(payload))
    mine = map.piece_size(it.role, it.owners, size_of(payload))
    actions = list(it.op.frames.block.ops)
    first = next((at for at, each in enumerate(actions) if isinstance(each, FrameOp)), len(actions))
    before, behind = actions[:first], actions[first:]
    for action in before:
        assert isinstance(action, AddOp)
        for group in action.groups.data:
            parts.add(action.into.data, group.data, action)
    for frame in it.sends:
        parts.need(frame.part.data, frame)
    received: set[int] = set()
    for action in behind:
        if isinstance(action, AddOp):
            for group in (action.into.data, *(each.data for each in action.groups.data)):
                if group not in received:
                    parts.need(group, action)
        elif not isinstance(action, SendOp):
            assert isinstance(action, FrameOp)
            received.add(action.part.data)
    if not actions and mine:
        parts.need(0, it.op)
    own = dict(parts.held)
    given: dict[int, set[int]] = {}
    for action in behind:
        if isinstance(action, AddOp):
            for group in action.groups.data:
                parts.add(action.into.data, group.data, action)
            continue
        assert isinstance(action, FrameOp)
        content, peer = content_of(action), action.peer.data
        if isinstance(action, SendOp):
            words = map.piece_size(peer, it.owners, size_of(payload))
            count = own.get(content.part, content.count)
            wanted = Content(words, element_in(payload), count, content.part)
            it.require_content(action, wanted)
            if content.part in given.setdefault(peer, set()):
                raise it.other_frame(action, f"group {content.part} once a peer", "again")
            given[peer].add(content.part)
        else:
            wanted = Content(mine, element_in(payload), content.count, content.part)
            it.require_content(action, wanted)
            parts.take(content.part, content.count, action)
    for peer, groups in given.items():
        if groups != own.keys():
            wanted_text = f"groups {sorted(own)[:8]} to role {peer}"
            raise it.wrong("shard-contribution-missing", wanted_text, f"{sorted(groups)[:8]}")
    if mine:
        parts.require_total()
    elif it.receives:
        frame = it.receives[0]
        raise it.other_frame(frame, "no frame to a role that owns no word", "one")
