"""Publication: what a run ends in is given out whole, and at one version with every role.

Invariant: after it, on every path to the end of a learner's protocol, each word of each state is
    given out behind the last advance, by a role that gives it: of a copy that is role 0. Where
    roles give words out on the way, all words are given out before the version advances again.
Why: the state of a run is put together from what the roles give out. Words that are missing, or of
    several versions, aren't a state of the learner.
Refuses: protocol-publish-missing, protocol-publish-version, select-budget.
Entry: `check_publications`.

Several operations may give out the words together, each at some roles. They stand in one body, one
behind the other: not some in an arm of a choice, or in a repeat in which the version advances, and
the others outside. So it is decided in one walk which words are given out on every path.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.fleets import Interval, intervals, joined, without
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import ShardMap


def check_publications(protocol: Protocol) -> None:
    """Refuse a protocol that ends in other words than one version of every state.

    Raises:
        Refusal: `protocol-publish-missing` at the protocol, `protocol-publish-version` at a
            publication; `select-budget` for roles that are too irregular to look at.
    """
    if protocol.distribution is not None:
        _Walk(protocol, protocol.distribution).whole()


class _Walk:
    """One walk over the text of a protocol.

    `_published` says whether all words are given out at the present version on every path that
    leads here; `_some` are the publications since then that may be a part.
    """

    def __init__(self, protocol: Protocol, distribution: Distribution) -> None:
        self._op = protocol.op
        self._everyone = protocol.group.members
        self._distribution = distribution
        self._concerned = _around(protocol.op, (PublishOp, AdvanceOp))
        self._advancing = _around(protocol.op, (AdvanceOp,))
        self._published = False
        self._some: list[PublishOp] = []
        self._advance: AdvanceOp | None = None
        """The last advance on the way."""
        self._choice: ChoiceOp | None = None
        """A choice since then, in some arms of which all words are given out."""

    def whole(self) -> None:
        """Look at the whole protocol."""
        self._block(self._op.body.block)
        missing = None if self._published else first_missing(self._distribution, self._some)
        if missing is None:
            return
        name, role = missing
        notes: list[Note] = []
        wanted, found = f"role {role} to publish its words of @{name}", "none at the end"
        if self._advance is not None:
            wanted += " behind the last advance"
            notes.append(Note("the version advances here", place_of(self._advance)))
        if self._choice is not None:
            found = "none at the end of some path"
            notes.append(Note("they are published in some arms", place_of(self._choice)))
        notes += [Note("other words are published here", place_of(op)) for op in self._some[:1]]
        raise Refusal("protocol-publish-missing", wanted, found, self._op, tuple(notes))

    def _block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case PublishOp():
                    if op.roles.data == self._everyone:
                        self._all_published()
                    elif not self._published:
                        self._some.append(op)
                case LocalOp():
                    last = op.body.block.last_op
                    if isinstance(last, AdvanceOp):
                        self._settle(last, "before the version advances")
                        self._published, self._advance, self._choice = False, last, None
                case ScopeOp():
                    self._block(op.body.block)
                case ChoiceOp() if op in self._concerned:
                    self._choose(op)
                case RepeatOp() if op in self._concerned:
                    self._turns(op)
                case _:
                    pass

    def _all_published(self) -> None:
        self._published, self._some, self._choice = True, [], None

    def _choose(self, op: ChoiceOp) -> None:
        self._settle(op, "before the choice")
        before = self._published, self._choice
        ends: list[bool] = []
        for arm in op.arms:
            self._published, self._choice = before
            self._block(arm.block)
            self._settle(arm.block.last_op or op, "in this arm")
            ends.append(self._published)
        self._published = all(ends)
        if any(ends) and not self._published:
            self._choice = op

    def _turns(self, op: RepeatOp) -> None:
        """What holds behind the first iteration holds behind every other one as well.

        An iteration publishes whatever was published before, or never, or passes on what was: it
        does so with parts as well where the version doesn't advance inside.
        """
        settled = op.bound.data > 1 and op in self._advancing
        if settled:
            self._settle(op, "before the repeat")
        self._block(op.body.block)
        if settled:
            self._settle(op.body.block.last_op or op, "in this iteration")

    def _settle(self, place: Operation, when: str) -> None:
        """See that publications on the way are complete, or that there are none."""
        if not self._some:
            return
        missing = first_missing(self._distribution, self._some)
        if missing is not None:
            name, role = missing
            wanted = f"role {role} to publish its words of @{name} together with these"
            note = Note(f"all words are published {when}, or none", place_of(place))
            code = "protocol-publish-version"
            raise Refusal(code, wanted, f"none {when}", self._some[0], (note,))
        self._all_published()


def _around(op: GlobalOp, kinds: tuple[type[Operation], ...]) -> set[Operation]:
    """The operations that have one of these kinds inside."""
    found: set[Operation] = set()
    for part in op.walk():
        if isinstance(part, kinds):
            around = part.parent_op()
            while around is not None and around not in found:
                found.add(around)
                around = around.parent_op()
    return found


def first_missing(distribution: Distribution, given: Sequence[PublishOp]) -> tuple[str, int] | None:
    """A state, and the first role with words of it that no publication gives out; or None."""
    left: list[Interval] = [(0, distribution.owners)]
    if given:
        runs = sorted(run for op in given for run in intervals(op.roles.data, "roles that publish"))
        left = without(left, joined(runs))
    for name in distribution.learner.states:
        map, size = distribution.map_of(name), distribution.domain(name)
        for role in _with_words(map, left, distribution.owners, size):
            return name, role
    return None


def _with_words(
    map: ShardMap | None, roles: Sequence[Interval], owners: int, size: int
) -> Iterator[int]:
    """The first of some roles, in each run of them, that gives words out."""
    for low, high in roles:
        if map is None:
            if low == 0:
                yield 0
        elif map.range_size(low, high, owners, size):
            while high - low > 1:
                middle = (low + high) // 2
                if map.range_size(low, middle, owners, size):
                    high = middle
                else:
                    low = middle
            yield low
