"""Frames with pieces: which words of a map go to which peer, and come from which.

Along a topology a frame to or from a role holds the pieces of its subtree, one behind the other in
the order of the members. A subtree is a range of the members that begins with its root, so a frame
with role c holds the pieces from c's to the one before the next peer's, and the order of the peers
is the order of the pieces. What ends the last range of a role that isn't the first member follows
from what it exchanges with the one above, which says as many words. Directly, a frame holds the
piece of one role, and the same is true of it: whoever stands between two peers has no words.

Invariant: the words of a frame are those of its peer, whatever stands before and behind it; no two
    pieces of one size can be taken for each other.
Refuses: protocol-step-frames, protocol-payload-type, protocol-payload-extent,
    protocol-group-scope, select-universe, select-budget, source-structure, target-unsupported, and
    what maps refuse.
Entry: `check_replicate`, `check_scatter`, `check_gather`, `check_exchange`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from xdsl.ir import Attribute

from alpha.ir.attributes.shard import OwnedType, ReplicaType, TotalType
from alpha.ir.dialects.protocol_exchange import DIRECT_ROLES_MAX
from alpha.ir.dialects.protocol_role import FrameOp, SendOp
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.schedules.performed import (
    VERDICT_WORDS,
    Content,
    Performed,
    content_of,
    element_in,
    size_of,
)
from alpha.ir.selections import Selection, as_group
from alpha.ir.sharding.checks.coverage import flaw_of
from alpha.ir.sharding.fragments import members as coordinates
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned

MEMBERS_MAX = 1 << 20
"""Most members that aren't a range of roles, whose pieces are counted one by one."""


@dataclass(frozen=True)
class Pieces:
    """The pieces of a map among members, by the rank of each."""

    map: ShardMap
    members: Selection
    owners: int
    size: int

    @classmethod
    def of(cls, it: Performed, map: ShardMap, size: int) -> Pieces:
        """The pieces of an operation, whose members are all there.

        Raises:
            Refusal: what maps and selections refuse; `protocol-group-scope` for a role or peer
                that is no member.
        """
        check_map(it, map, size)
        assert it.op.members is not None
        members = it.op.members.data
        try:
            as_group(members, it.owners)
        except Refusal as refusal:
            refusal.place = refusal.place or place_of(it.op)
            raise
        for role in (it.role, *(frame.peer.data for frame in it.frames)):
            if role not in members:
                found = f"role {role}"
                raise it.wrong("protocol-group-scope", f"roles of the members, {members}", found)
        if not members.is_interval and members.size > MEMBERS_MAX:
            wanted = f"members that are a range of roles, or at most {MEMBERS_MAX}"
            raise it.wrong("select-budget", wanted, str(members.size))
        return cls(map, members, it.owners, size)

    def rank(self, role: int) -> int:
        """The place of a member among them."""
        return self.members.rank(role)

    def own(self, role: int) -> int:
        """The words of one role."""
        return self.map.piece_size(role, self.owners, self.size)

    def between(self, low: int, high: int) -> int:
        """The words of the members of these ranks together."""
        if low >= high:
            return 0
        if self.members.is_interval:
            first = self.members.min
            return self.map.range_size(first + low, first + high, self.owners, self.size)
        before = _words_before(self)
        return before[high] - before[low]


@lru_cache(maxsize=16)
def _words_before(pieces: Pieces) -> list[int]:
    """For each rank the words of the members below it."""
    return list(accumulate(map(pieces.own, pieces.members), initial=0))


def check_map(it: Performed, map: ShardMap, size: int) -> None:
    """See that a map gives each of the words to one role."""
    flaw = flaw_of(map, it.owners, size, "what is exchanged", it.op)
    if flaw is not None:
        raise flaw


def _owned_map(payload: Attribute) -> ShardMap | None:
    if isinstance(payload, OwnedType):
        return payload.map.data
    if isinstance(payload, TotalType) and isinstance(payload.where.data, Owned):
        return payload.where.data.map
    return None


def _require_owned(it: Performed, payload: Attribute, map: ShardMap) -> None:
    if _owned_map(payload) != map:
        wanted = f"words that are owned by {map}"
        raise it.wrong("protocol-payload-type", wanted, str(payload))


def _total(of: TotalType, where: At | Everywhere | Owned) -> TotalType:
    return TotalType.of(of.value, of.samples, where, of.version.data)


def _check_downwards(it: Performed, payload: Attribute) -> int:
    """What goes down is given, or received first and once; the words of a verdict behind it."""
    it.require_numbers((0, 1, 2), 1)
    if len(it.given) == 2:
        it.require_selector(it.given[1])
    at = [number for number, frame in enumerate(it.frames) if not isinstance(frame, SendOp)]
    if at != ([] if it.given else [0]):
        wanted = "nothing received" if it.given else "one frame received, before any is sent"
        frame = it.frames[at[-1]] if at else it.op
        found = f"frame {at[-1] + 1} is received" if at else "none"
        raise it.wrong("protocol-step-frames", wanted, found, frame)
    it.require_ascending(it.sends)
    ridden = {content_of(frame).riding for frame in it.frames}
    riding = VERDICT_WORDS if len(it.given) == 2 else 0
    if it.given:
        return riding
    return VERDICT_WORDS if ridden == {VERDICT_WORDS} else 0


def check_replicate(it: Performed) -> None:
    """Every frame holds all words, and each role has them afterwards."""
    it.require_numbers((0, 1, 2), 1)
    payload = it.made[0]
    it.require_common(payload)
    if it.given:
        given = it.given[0]
        it.require_common(given)
        if isinstance(given, TotalType) and isinstance(given.where.data, At):
            given = _total(given, Everywhere())
        it.require_types(given, payload)
    riding = _check_downwards(it, payload)
    for frame in it.frames:
        it.require_content(frame, it.whole(payload, riding))


def check_scatter(it: Performed) -> None:
    """The pieces of a child's subtree go to that child, and the role keeps its own."""
    it.require_numbers((0, 1, 2), 1)
    assert it.op.map is not None
    payload, map = it.made[0], it.op.map.data
    _require_owned(it, payload, map)
    if it.given:
        given = it.given[0]
        it.require_common(given)
        if isinstance(given, TotalType):
            it.require_types(_total(given, Owned(map)), payload)
        elif isinstance(given, ReplicaType):
            it.require_types(OwnedType.of(given.value, map, given.version.data), payload)
        else:
            raise it.wrong("protocol-payload-type", "a copy or a total of all words", str(given))
    riding = _check_downwards(it, payload)
    pieces = Pieces.of(it, map, size_of(payload))
    first = pieces.rank(it.role) == 0
    if first != bool(it.given):
        wanted = "the first member, and it alone, to give the words"
        found = f"role {it.role}, of rank {pieces.rank(it.role)}"
        raise it.wrong("protocol-step-frames", wanted, found)
    whole = None if first else it.frames[0].words.data
    content = it.whole(payload, riding)
    words = _ranges(it, pieces, it.sends, whole)
    if not first:
        _require_words(it, it.frames[0], content, sum(words.values()))
    for frame in it.sends:
        _require_words(it, frame, content, words[frame.peer.data])


def _require_words(it: Performed, frame: FrameOp, content: Content, words: int) -> None:
    it.require_content(
        frame, Content(words, content.element, content.count, content.part, content.riding)
    )


def _ranges(
    it: Performed, pieces: Pieces, frames: Sequence[FrameOp], whole: int | None
) -> dict[int, int]:
    """The words that the role and each peer of some frames stand for, by role.

    Each stands for the members from itself to the one before the next. With `whole` they are as
    many words together, beginning with the role's own; without, they are those of all members.
    """
    roles = sorted({it.role, *(frame.peer.data for frame in frames)})
    ranks = [pieces.rank(role) for role in roles]
    if whole is not None and roles[0] != it.role:
        frame = next(frame for frame in frames if frame.peer.data == roles[0])
        wanted = f"peers above role {it.role}, whose pieces stand behind its own"
        raise it.other_frame(frame, wanted, f"role {roles[0]}")
    found: dict[int, int] = {}
    ends = [*ranks[1:], pieces.members.size]
    for role, low, high in zip(roles, ranks, ends, strict=True):
        found[role] = pieces.between(low, high)
    if whole is not None and len(roles) > 1:
        before = sum(found[role] for role in roles[:-1])
        found[roles[-1]] = min(max(whole - before, 0), found[roles[-1]])
    elif whole is not None:
        found[it.role] = pieces.own(it.role)
    if whole is None and pieces.between(0, ranks[0]):
        wanted = f"the pieces of all {pieces.members.size} members"
        raise it.wrong("protocol-step-frames", wanted, f"none of those below role {roles[0]}")
    if found[it.role] != pieces.own(it.role):
        missing = found[it.role] - pieces.own(it.role)
        wanted = f"frames for all pieces behind that of role {it.role}"
        found_text = f"none for {missing} words behind it"
        raise it.wrong("protocol-step-frames", wanted, found_text)
    return found


def check_gather(it: Performed) -> None:
    """A frame from a role holds the pieces of its subtree; directly, its own alone."""
    assert it.op.map is not None
    map = it.op.map.data
    it.require_numbers((1,), min(len(it.made), 1))
    payload = it.given[0]
    _require_owned(it, payload, map)
    for made in it.made:
        if isinstance(payload, OwnedType):
            wanted: Attribute = ReplicaType.of(payload.value, payload.version.data)
        else:
            assert isinstance(payload, TotalType)
            all_have = bool(it.sends) or _is_everywhere(made)
            wanted = _total(payload, Everywhere() if all_have else At(it.role))
        it.require_types(wanted, made)
    pieces = Pieces.of(it, map, size_of(payload))
    owned = pieces.between(0, pieces.members.size)
    if owned != pieces.size:
        wanted_text = f"members who own all {pieces.size} words together"
        raise it.wrong("protocol-payload-extent", wanted_text, str(owned))
    it.require_once(it.sends)
    it.require_once(it.receives)
    content = it.whole(payload)
    if it.made:
        words = _ranges(it, pieces, it.receives, None)
        sent = pieces.own(it.role)
    else:
        if len(it.sends) != 1 or it.frames[-1] is not it.sends[0]:
            wanted_text = "one frame sent, behind all that are received"
            found = f"{len(it.sends)} sent"
            at = it.sends[0] if it.sends else it.op
            raise it.wrong("protocol-step-frames", wanted_text, found, at)
        words = _ranges(it, pieces, it.receives, it.sends[0].words.data)
        sent = sum(words.values())
    for frame in it.receives:
        _require_words(it, frame, content, words[frame.peer.data])
    for frame in it.sends:
        _require_words(it, frame, content, sent)


def _is_everywhere(payload: Attribute) -> bool:
    return isinstance(payload, TotalType) and isinstance(payload.where.data, Everywhere)


def check_exchange(it: Performed) -> None:
    """One frame a peer and direction, with what the old map gives to one, the new to the other."""
    assert it.op.map is not None and it.op.deliver is not None
    old, new = it.op.map.data, it.op.deliver.data
    it.require_numbers((1,), 1)
    payload = it.given[0]
    if not isinstance(payload, OwnedType):
        raise it.wrong("protocol-payload-type", "words that each have one owner", str(payload))
    _require_owned(it, payload, old)
    it.require_types(OwnedType.of(payload.value, new, payload.version.data), it.made[0])
    size = size_of(payload)
    check_map(it, new, size)
    assert it.op.members is not None
    if it.op.members.data.size > DIRECT_ROLES_MAX:
        wanted = f"at most {DIRECT_ROLES_MAX} roles that exchange directly"
        raise it.wrong("target-unsupported", wanted, str(it.op.members.data.size))
    pieces = Pieces.of(it, old, size)
    it.require_once(it.sends)
    it.require_once(it.receives)
    sent = {frame.peer.data: frame for frame in it.sends}
    received = {frame.peer.data: frame for frame in it.receives}
    kept = _crossing(old, it.role, new, it.role, it.owners, size)
    found = kept
    for peer in pieces.members:
        if peer == it.role:
            continue
        out = _crossing(old, it.role, new, peer, it.owners, size)
        back = _crossing(old, peer, new, it.role, it.owners, size)
        found += back
        for words, frames, what in ((out, sent, "to"), (back, received, "from")):
            frame = frames.get(peer)
            if frame is not None:
                _require_words(it, frame, Content(words, element_in(payload)), words)
            elif words:
                wanted = f"a frame {what} role {peer}, of {words} words"
                raise it.wrong("protocol-step-frames", wanted, "none")
    own = new.piece_size(it.role, it.owners, size)
    if found != own:
        wanted = f"members with all {own} words that role {it.role} is to own"
        raise it.wrong("protocol-payload-extent", wanted, str(found))


@lru_cache(maxsize=1 << 12)
def _crossing(
    old: ShardMap, sender: int, new: ShardMap, receiver: int, owners: int, size: int
) -> int:
    """How many coordinates the one map gives to the one role, and the other to the other."""
    given = coordinates(old.piece(sender, owners, size))
    taken = coordinates(new.piece(receiver, owners, size))
    return len(np.intersect1d(given, taken, assume_unique=True))
