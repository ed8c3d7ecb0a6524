"""Numbers that a frame carries: how often an edge is used, and how often a version advances.

Invariant: the frames of one edge and direction are numbered in a word of 64 bits, and so are the
    versions that a role reads, from the first to that after its last `shard.advance`; both fit
    however often the repeats around run. Of a choice, the arm that takes most counts.
Why: a number that began again would let a frame of an earlier round pass for one of this round.
Refuses: protocol-repeat-version-overflow, select-budget.
Entry: `check_versions`.

Edges are counted one by one only if the bounds are so large that an edge with all frames of some
role would overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.memberships import Member
from alpha.ir.protocol.patterns import step_of
from alpha.ir.protocol.view import COMMUNICATING, Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections.form import shown

FRAMES_MAX = 1 << 64
"""Most frames on an edge in one direction: they are numbered 0 to 2^64 - 1."""

VERSION_MAX = (1 << 64) - 1
"""The last version."""

SENDERS_MAX = 1 << 20
"""Most roles whose edges are counted one by one, which takes some seconds for each operation."""

NOTES_MAX = 8
"""Most operations that a message names."""

Count = Callable[[Operation], int]
"""What an operation itself counts for, apart from what is inside."""


def check_versions(protocol: Protocol, concerns: Concerns) -> None:
    """Refuse repeats whose bounds don't fit the numbers of frames and versions.

    Raises:
        Refusal: `protocol-repeat-version-overflow`; `select-budget` where too many edges would have
            to be counted to find one that overflows.
    """
    if _Total(protocol, _frames_most).value > FRAMES_MAX:
        _check_edges(protocol, concerns)
    if advances_of(protocol.op) > _advances_max(protocol):
        _check_advances(protocol, concerns)


class _Total:
    """What a whole protocol counts for, at most."""

    def __init__(self, protocol: Protocol, count: Count, most: int | None = None) -> None:
        self._count = count
        self._most = most
        self.place: Operation | None = None
        """The innermost repeat that counts for more than `most`, the first one of the text."""
        self.value = self._block(protocol.op.body.block)

    def _block(self, block: Block) -> int:
        total = 0
        for op in block.ops:
            total += self._count(op)
            match op:
                case RepeatOp():
                    inner = op.bound.data * self._block(op.body.block)
                    if self._most is not None and inner > self._most and self.place is None:
                        self.place = op
                    total += inner
                case ChoiceOp():
                    total += max(self._block(arm.block) for arm in op.arms)
                case ScopeOp():
                    total += self._block(op.body.block)
                case _:
                    pass
        return total


def _frames_most(op: Operation) -> int:
    """Most frames of an operation on one edge in one direction."""
    if not isinstance(op, COMMUNICATING):
        return 0
    return op.contract.data.groups.length if isinstance(op, ReduceOp) else 1


def _check_edges(protocol: Protocol, concerns: Concerns) -> None:
    """Refuse the first edge with too many frames; edges with the same ones are counted once."""
    sites = [op for op in protocol.sites if _frames_most(op)]

    def may_overflow(member: Member) -> bool:
        own = {op for op in sites if any(map(member, concerns.acting(op)))}
        return _Total(protocol, lambda op: _frames_most(op) if op in own else 0).value > FRAMES_MAX

    among = [number for op in sites for number in concerns.acting(op)]
    first = concerns.selections.first_role("how many frames roles send", among, may_overflow)
    if first is None:
        return
    known: set[tuple[tuple[Operation, int], ...]] = set()
    for number, sender in enumerate(protocol.group.members):
        if number == SENDERS_MAX:
            wanted = f"at most {SENDERS_MAX} roles whose edges are counted one by one"
            raise Refusal("select-budget", wanted, str(protocol.group.size), protocol.op)
        for receiver, frames in sorted(_sent(protocol, concerns, sender).items()):
            kind = tuple(frames.items())
            if kind in known:
                continue
            known.add(kind)
            total = _Total(protocol, lambda op, of=frames: of.get(op, 0), FRAMES_MAX)
            if total.value > FRAMES_MAX:
                what = f"at most 2^64 frames from role {sender} to role {receiver}"
                _refuse(protocol, total, what, frames)


def _sent(protocol: Protocol, concerns: Concerns, role: int) -> dict[int, dict[Operation, int]]:
    """The operations in which a role sends to each other one, in order, and how many frames."""
    member = concerns.selections.member(role)
    edges: dict[int, dict[Operation, int]] = {}
    for op in protocol.sites:
        step = step_of(protocol, op, role) if any(map(member, concerns.acting(op))) else None
        for frame in () if step is None else step.frames:
            if frame.outgoing:
                of = edges.setdefault(frame.peer, {})
                of[op] = of.get(op, 0) + 1
    return edges


def _advances_max(protocol: Protocol) -> int:
    """Most advances of a version: they lead from the first to 2^64 - 1."""
    return VERSION_MAX - begin_of(protocol.op)


def _advances(op: Operation) -> bool:
    return isinstance(op, LocalOp) and isinstance(op.body.block.last_op, AdvanceOp)


def _check_advances(protocol: Protocol, concerns: Concerns) -> None:
    """Refuse the first role whose version advances too often."""
    advances = [op for op in protocol.op.walk() if _advances(op)]
    most, begin = _advances_max(protocol), begin_of(protocol.op)

    def total(member: Member) -> _Total:
        counted = {op: int(any(map(member, concerns.acting(op)))) for op in advances}
        return _Total(protocol, lambda op: counted.get(op, 0), most)

    among = [number for op in advances for number in concerns.acting(op)]
    role = concerns.selections.first_role(
        "how often versions advance", among, lambda member: total(member).value > most
    )
    if role is not None:
        member = concerns.selections.member(role)
        own = [op for op in advances if any(map(member, concerns.acting(op)))]
        behind = f" behind version {begin}" if begin else ""
        what = f"at most {most if begin else '2^64 - 1'} versions at role {role}{behind}"
        _refuse(protocol, total(member), what, dict.fromkeys(own, 1))


def _refuse(protocol: Protocol, total: _Total, what: str, counted: Mapping[Operation, int]) -> None:
    notes = tuple(Note(f"{count} here, each time", place_of(op)) for op, count in counted.items())
    code, place = "protocol-repeat-version-overflow", total.place or protocol.op
    raise Refusal(code, what, shown(total.value), place, notes[:NOTES_MAX])
