"""A round as a message-sequence chart: the programs of several roles, merged into one order.

Invariant: every role's items stand in the chart in the role's order, and a message where both of
    its roles have come to it; so the chart's order is one in which everything can happen. Frames
    come before work and lower sites before higher ones, so that roles that do the same at the same
    time stand in one row. A frame that its peer doesn't have next, in programs that don't fit
    together, is drawn as half an arrow.
Why: programs may have been projected before, so no global order is at hand; it is found again.
Entry: `Chart.of`, `ROLES_MAX`; `WorkRow`, `ArrowRow`, `Section`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.programs import (
    Choice,
    Item,
    Loop,
    Message,
    Program,
    Work,
    relabelled,
    sites_of,
)

ROLES_MAX = 8
"""Most roles with a lifeline of their own; a page isn't wider."""


@dataclass(frozen=True)
class WorkRow:
    """Local work that these lanes do beside each other."""

    lanes: tuple[int, ...]
    work: Work


@dataclass(frozen=True)
class ArrowRow:
    """A message; `lost` where its peer has another one next, so that programs don't fit."""

    sender: int
    receiver: int
    message: Message
    lost: bool = False


@dataclass(frozen=True)
class Section:
    """A loop, or a choice with its arms, and the lanes from or to which something goes in it."""

    of: Loop | Choice
    lanes: tuple[int, ...]
    arms: tuple[tuple[Row, ...], ...]


Row: TypeAlias = "WorkRow | ArrowRow | Section"


@dataclass(frozen=True)
class Chart:
    """Rows from above to below, and the lanes from left to right."""

    roles: tuple[int, ...]
    """The role of each lane; behind them may be one more lane for all others."""

    others: int
    """How many roles the last lane stands for; 0 if there is none."""

    without: tuple[int, ...]
    """Roles with a lane whose programs aren't known."""

    rows: tuple[Row, ...]

    @property
    def has_loops(self) -> bool:
        """Whether there is a loop that isn't in an arm, of which a chart has one round."""
        return any(isinstance(row, Section) and isinstance(row.of, Loop) for row in self.rows)

    @classmethod
    def of(cls, drawing: Drawing) -> Chart:
        """The chart of a protocol; of more than `ROLES_MAX` roles, the first ones.

        Raises:
            Refusal: what programs refuse.
        """
        members = drawing.group.members
        candidates = members if members.size <= ROLES_MAX else drawing.roles()
        roles = tuple(role for role, _ in zip(candidates, range(ROLES_MAX), strict=False))
        lane = {role: number for number, role in enumerate(roles)}
        programs = {
            lane[role]: relabelled(drawing.program(role), lambda peer: lane.get(peer, len(roles)))
            for role in roles
            if drawing.has(role)
        }
        without = tuple(role for role in roles if not drawing.has(role))
        rows = _Merge(programs).rows()
        return cls(roles, members.size - len(roles), without, rows)


class _Merge:
    """Merges programs; a lane that has none is at hand for every frame."""

    def __init__(self, programs: dict[int, Program]) -> None:
        self._rest = {lane: list(reversed(program)) for lane, program in sorted(programs.items())}

    def rows(self) -> tuple[Row, ...]:
        """The rows in their order; frames alike that follow on one another are one arrow."""
        rows: list[Row] = []
        while any(self._rest.values()):
            row = self._message() or self._work() or self._section() or self._misfit()
            last = rows[-1] if rows else None
            if isinstance(row, ArrowRow) and isinstance(last, ArrowRow) and _alike(last, row):
                frames = last.message.frames + row.message.frames
                rows[-1] = replace(last, message=replace(last.message, frames=frames))
            else:
                rows.append(row)
        return tuple(rows)

    def _heads(self) -> Iterator[tuple[int, Item]]:
        """What each lane does next."""
        return ((lane, rest[-1]) for lane, rest in self._rest.items() if rest)

    def _message(self) -> ArrowRow | None:
        """The message of the lowest site that both of its lanes have come to."""
        found: list[tuple[int, int, int, Message]] = []
        for lane, head in self._heads():
            if isinstance(head, Message) and self._is_next(head, lane):
                ends = (lane, head.peer) if head.outgoing else (head.peer, lane)
                found.append((head.site, *ends, head))
        if not found:
            return None
        _, sender, receiver, message = min(found, key=lambda each: each[:3])
        for lane in {sender, receiver} & self._rest.keys():
            self._rest[lane].pop()
        return ArrowRow(sender, receiver, message)

    def _is_next(self, message: Message, lane: int) -> bool:
        """Whether the peer of a lane has the other end of its message next, or no program."""
        rest = self._rest.get(message.peer)
        return rest is None or (bool(rest) and rest[-1] == _other_end(message, lane))

    def _work(self) -> WorkRow | None:
        """The work of the first lane that has come to some, and of those that do the same."""
        heads = [(lane, head) for lane, head in self._heads() if isinstance(head, Work)]
        if not heads:
            return None
        work = heads[0][1]
        lanes = tuple(lane for lane, head in heads if head == work)
        for lane in lanes:
            self._rest[lane].pop()
        return WorkRow(lanes, work)

    def _section(self) -> Section | None:
        """The first loop or choice that all who take part have come to."""
        for _, head in self._heads():
            if isinstance(head, Loop | Choice):
                parts = self._parts_of(head)
                if all(self._rest[lane][-1] is part for lane, part in parts.items()):
                    return self._take(parts)
        return None

    def _parts_of(self, of: Loop | Choice) -> dict[int, Loop | Choice]:
        """Of each lane the loop or choice that shares a site with this one, or with one that does.

        Where nothing is exchanged in it, one that is alike.
        """
        sites = sites_of(of)
        parts: dict[int, Loop | Choice] = {}
        while True:
            before = len(parts)
            for lane, rest in self._rest.items():
                for item in () if lane in parts else reversed(rest):
                    shared = isinstance(item, type(of)) and (sites & sites_of(item))
                    if isinstance(item, Loop | Choice) and (shared or (not sites and item == of)):
                        parts[lane] = item
                        sites |= sites_of(item)
                        break
            if len(parts) == before:
                return parts

    def _take(self, parts: dict[int, Loop | Choice]) -> Section:
        for lane in parts:
            self._rest[lane].pop()
        bodies = {
            lane: (part.body,) if isinstance(part, Loop) else part.arms
            for lane, part in parts.items()
        }
        count = max(map(len, bodies.values()))
        arms = tuple(
            _Merge({lane: arms[arm] for lane, arms in bodies.items() if arm < len(arms)}).rows()
            for arm in range(count)
        )
        lanes = {*parts, *(lane for arm in arms for row in arm for lane in _lanes_of(row))}
        return Section(parts[min(parts)], tuple(sorted(lanes)), arms)

    def _misfit(self) -> Row:
        """What a lane does next although others don't: one end of a message, or its own section.

        It is a message that its peer doesn't have at all, if there is one, so that the others fit.
        """
        heads = list(self._heads())
        alone = (
            (lane, head)
            for lane, head in heads
            if isinstance(head, Message) and _other_end(head, lane) not in self._rest[head.peer]
        )
        lane, head = next(alone, heads[0])
        if isinstance(head, Loop | Choice):
            return self._take({lane: head})
        assert isinstance(head, Message), "work is always taken"
        self._rest[lane].pop()
        ends = (lane, head.peer) if head.outgoing else (head.peer, lane)
        return ArrowRow(*ends, head, lost=True)


def _other_end(message: Message, lane: int) -> Message:
    """What the peer of a lane has to have for a message."""
    return replace(message, outgoing=not message.outgoing, peer=lane)


def _lanes_of(row: Row) -> tuple[int, ...]:
    """The lanes of a row, those without a program too."""
    return (row.sender, row.receiver) if isinstance(row, ArrowRow) else row.lanes


def _alike(one: ArrowRow, other: ArrowRow) -> bool:
    """Whether two rows differ in nothing but the part and how many frames they are."""
    message = replace(other.message, part=one.message.part, frames=one.message.frames)
    return one == replace(other, message=replace(message, count=one.message.count))
