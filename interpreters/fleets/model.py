"""A model of a fleet: follows the projected protocol by classes of roles, and sums up.

Invariant: what is followed are projected programs, one for each kind of role that there is; their
    number doesn't grow with the roles, nor with the rounds.
Why: a protocol among 200,000 roles is looked at before there are so many devices. It is a model:
    no word is computed, nothing is sent, and its times are those of stated rates.
Refuses: target-unsupported, select-budget, and what a mix refuses.
Entry: `model_fleet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from alpha.interpreters.fleets.every_role import ROLES_MAX, run_every_role
from alpha.interpreters.fleets.labels import Labels, busy_numbers, depth_of, tree_of
from alpha.interpreters.fleets.programs import (
    RoleProgram,
    Send,
    is_one_round,
    read_program,
    rounds_of,
)
from alpha.interpreters.fleets.rates import Clock, Rates
from alpha.interpreters.fleets.reports import COSTS, MEMORY, Fleet, FleetClass, Range, Seconds
from alpha.interpreters.fleets.subtrees import Kind, find_subtrees, kinds_of
from alpha.interpreters.fleets.times import Ends, Name, evaluate
from alpha.interpreters.fleets.watching import Watch, unwatched
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.protocol.advances import advances_of
from alpha.ir.protocol.fleets import Interval, Mix, busy_roles
from alpha.ir.protocol.routes import selection_of
from alpha.ir.protocol.size_classes import size_classes
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.sharding.families import moved
from alpha.ir.topologies import PreorderTree

Project = Callable[[int], RoleOp]
"""Gives the program of a role."""

MEMBERS_NODES_MAX = 256
"""Most index nodes with which the roles of a class are said."""


class _On(NamedTuple):
    """What a role is on: its capability, and whether it only relays."""

    capability: str | None
    control: bool


@dataclass(frozen=True)
class _Alike:
    """Roles that do the same: one of their programs, how many they are, and the first."""

    program: RoleProgram
    on: _On
    size: int | None
    roles: int
    first: int

    @property
    def name(self) -> Name:
        """What is equal in the programs of a class; numbers may differ."""
        program = self.program
        return (self.size, program.shape, program.samples > 0, program.words > 0, self.on)


class _Marks:
    """The sets of roles that a mix has: the capabilities, and then those that only relay."""

    def __init__(self, mix: Mix, speeds: Mapping[str, Fraction]) -> None:
        self._names = [part.name for part in mix.capabilities]
        self.sets = (*(part.roles for part in mix.capabilities), mix.control)
        self.speeds = [speeds.get(name, Fraction(1)) for name in self._names] or [Fraction(1)]

    def of(self, role: int) -> tuple[bool, ...]:
        """Of which sets a role is a member."""
        return tuple(role in each for each in self.sets)

    def speed(self, mark: Sequence[bool]) -> int:
        """The number of the speed of a role with this mark."""
        return mark.index(True) if any(mark[:-1]) else 0

    def on(self, mark: Sequence[bool]) -> _On:
        """What a role with this mark is on."""
        name = self._names[self.speed(mark)] if self._names else None
        return _On(name, mark[-1])


def model_fleet(
    protocol: Protocol,
    project: Project,
    mix: Mix,
    rates: Rates,
    speeds: Mapping[str, Fraction],
    watch: Watch = unwatched,
) -> Fleet:
    """The model of a protocol that `--check-protocol` accepts; `speeds` are by capability.

    Raises:
        Refusal: what `mix` refuses for the protocol's group; `target-unsupported` for a protocol
            with choices, of more than 2^10 roles that don't exchange along one tree, or of a role
            with too many children; `select-budget` where there are too many kinds of roles.
    """
    mix.check(protocol.group)
    contributors = mix.contributors(_busy(protocol))
    marks = _Marks(mix, speeds)
    clock = Clock(rates, marks.speeds)
    tree = tree_of(protocol)
    if tree is None:
        found = _role_by_role(protocol, project, marks, clock, watch)
    else:
        found = _kind_by_kind(protocol, project, tree, marks, clock, watch)
    alike = found.alike
    rounds = _rounds(protocol)
    per_round = [_exchanged(each.program.round) for each in alike]
    beside = [_exchanged((*each.program.before, *each.program.after)) for each in alike]
    frames, size = _total(alike, per_round)
    more_frames, more_size = _total(alike, beside)
    return Fleet(
        title=protocol.op.title.data,
        roles=protocol.group.size,
        rounds=rounds,
        versions=advances_of(protocol.op),
        depth=depth_of(protocol),
        fan_out=_fan_out(tree, alike),
        size_classes=() if tree is None else size_classes(tree),
        classes=_classes(found, clock),
        round_frames=frames,
        round_bytes=size,
        frames=frames * rounds + more_frames,
        bytes=size * rounds + more_size,
        seconds=_seconds(found.ends, clock),
        longest_wait=clock.seconds(max(found.longest.values())),
        busiest_role=_busiest_role(alike),
        busiest_edge=_busiest_edge(alike),
        contributors=contributors,
        programs=found.programs,
        kinds=len(alike),
        visits=found.visits,
    )


@dataclass(frozen=True)
class _Found:
    """What either way of following a protocol finds."""

    alike: Sequence[_Alike]
    members: Mapping[Name, Selection | None]
    ends: Ends
    longest: Mapping[Name, int]
    programs: int
    visits: int


def _rounds(protocol: Protocol) -> int:
    """The iterations of the rounds; a learner that is run for none has no repeat."""
    rounds = rounds_of(protocol)
    return int(is_one_round(protocol)) if rounds is None else rounds.bound.data


def _busy(protocol: Protocol) -> list[Interval]:
    """The roles that do necessary work: on samples, or on words of state that nobody else has.

    Where all of a learner's words are computed as copies, one role does what is necessary. Without
    a learner there is nothing to work on.
    """
    if protocol.distribution is None:
        return []
    return busy_roles(busy_numbers(protocol)) or [(0, 1)]


def _kind_by_kind(
    protocol: Protocol,
    project: Project,
    tree: PreorderTree,
    marks: _Marks,
    clock: Clock,
    watch: Watch,
) -> _Found:
    found = find_subtrees(tree, Labels.of(protocol, tree, marks.sets))
    programs = {
        key: read_program(project(role), protocol)
        for key, role in watch(list(found.programs.items()), "programs")
    }
    kinds = kinds_of(tree, found, programs)
    alike = [
        _Alike(kind.program, marks.on(kind.mark), kind.size, kind.roots, kind.first)
        for kind in kinds
    ]
    names = [each.name for each in alike]
    speeds = [marks.speed(kind.mark) for kind in kinds]
    ends, longest = evaluate(kinds, names, speeds, _rounds(protocol), clock, watch)
    members = _members(kinds, names)
    return _Found(alike, members, ends, longest, len(programs), found.visits + 1)


def _role_by_role(
    protocol: Protocol, project: Project, marks: _Marks, clock: Clock, watch: Watch
) -> _Found:
    size = protocol.group.size
    if size > ROLES_MAX:
        wanted = f"at most {ROLES_MAX} roles, or all of them along one tree"
        raise Refusal("target-unsupported", wanted, f"{size} that exchange in other ways")
    roles = list(protocol.group.members)
    programs = {role: read_program(project(role), protocol) for role in watch(roles, "programs")}
    alike = {
        role: _Alike(programs[role], marks.on(marks.of(role)), None, 1, role) for role in roles
    }
    speeds = {role: marks.speed(marks.of(role)) for role in roles}
    ends, waits = run_every_role(programs, speeds, _rounds(protocol), clock)
    longest: dict[Name, int] = {}
    members: dict[Name, list[int]] = {}
    for role, each in alike.items():
        longest[each.name] = max(longest.get(each.name, 0), waits[role])
        members.setdefault(each.name, []).append(role)
    said = {name: _short(selection_of(each)) for name, each in members.items()}
    return _Found(list(alike.values()), said, ends, longest, size, size)


def _members(kinds: Sequence[Kind], names: Sequence[Name]) -> Mapping[Name, Selection | None]:
    """The roles of every name, as places in the whole tree."""
    below: list[dict[Name, Selection | None]] = []
    for kind, own in zip(kinds, names, strict=True):
        parts: dict[Name, list[Selection | None]] = {own: [Stride(0, 1, 1)]}
        at = 1
        for count, number in kind.children:
            size = kinds[number].size
            for name, selection in below[number].items():
                copies = None if selection is None else _copies(selection, count, size, at)
                parts.setdefault(name, []).append(copies)
            at += count * size
        below.append({name: _joined(each) for name, each in parts.items()})
    return below[-1]


def _copies(selection: Selection, count: int, step: int, at: int) -> Selection:
    if count > 1 and isinstance(selection, Stride) and selection.count == 1:
        selection = Stride(selection.start, step, count)
    elif count > 1:
        selection = Repeat(count, step, selection)
    return moved(selection, at)


def _joined(parts: Sequence[Selection | None]) -> Selection | None:
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts):
        return None
    return _short(Join(tuple(whole)) if len(whole) > 1 else whole[0])


def _short(selection: Selection) -> Selection | None:
    return selection if selection.nodes <= MEMBERS_NODES_MAX else None


def _exchanged(actions: Iterable[object]) -> tuple[int, int]:
    """The frames and bytes that a role sends."""
    sizes = [action.bytes for action in actions if isinstance(action, Send)]
    return len(sizes), sum(sizes)


def _total(alike: Sequence[_Alike], each: Sequence[tuple[int, int]]) -> tuple[int, int]:
    pairs = list(zip(alike, each, strict=True))
    return (
        sum(of.roles * frames for of, (frames, _) in pairs),
        sum(of.roles * size for of, (_, size) in pairs),
    )


def _fan_out(tree: PreorderTree | None, alike: Sequence[_Alike]) -> int:
    if tree is not None:
        return min(tree.fan_out, tree.count - 1)
    return max(len({frame.peer for frame in each.program.frames()}) for each in alike)


def _seconds(ends: Ends, clock: Clock) -> Seconds:
    return Seconds(
        clock.seconds(ends.rounds[0]) if ends.rounds else None,
        None if ends.later is None else clock.seconds(ends.later),
        None if ends.all is None else clock.seconds(ends.all),
    )


def _classes(found: _Found, clock: Clock) -> list[FleetClass]:
    """The classes, those with the largest subtrees first."""
    groups: dict[Name, list[_Alike]] = {}
    for each in found.alike:
        groups.setdefault(each.name, []).append(each)
    rows = [
        FleetClass(
            group[0].size,
            *group[0].on,
            sum(each.roles for each in group),
            min(each.first for each in group),
            found.members[name],
            _ranges(COSTS, [_costs(each.program) for each in group]),
            _ranges(MEMORY, [_memory(each.program) for each in group]),
            clock.seconds(found.longest[name]),
        )
        for name, group in groups.items()
    ]
    return sorted(rows, key=lambda row: (-(row.size or 0), row.first))


def _ranges(names: Sequence[str], rows: Sequence[Sequence[int]]) -> dict[str, Range]:
    return {
        name: Range.over(column)
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def _costs(program: RoleProgram) -> tuple[int, ...]:
    """What `COSTS` names."""
    frames = list(program.frames())
    sent = [frame.bytes for frame in frames if isinstance(frame, Send)]
    received = [frame.bytes for frame in frames if not isinstance(frame, Send)]
    edges = len({frame.peer for frame in frames})
    counts = (len(sent), len(received), sum(sent), sum(received))
    return (edges, program.samples, program.words, *counts)


def _memory(program: RoleProgram) -> tuple[int, ...]:
    """What `MEMORY` names."""
    memory = program.memory
    return tuple(getattr(memory, name) for name in MEMORY)


def _busiest_role(alike: Sequence[_Alike]) -> tuple[int, int]:
    sizes = [(each.first, sum(frame.bytes for frame in each.program.frames())) for each in alike]
    return max(sizes, key=lambda pair: (pair[1], -pair[0]))


def _busiest_edge(alike: Sequence[_Alike]) -> tuple[int, int, int] | None:
    """Each edge is looked at from its lower end; in a tree, peers are as far away in all copies."""
    found: list[tuple[int, int, int]] = []
    for each in alike:
        sizes: dict[int, int] = {}
        for frame in each.program.frames():
            if frame.peer > each.program.role:
                sizes[frame.peer] = sizes.get(frame.peer, 0) + frame.bytes
        for peer, size in sizes.items():
            found.append((each.first, each.first + peer - each.program.role, size))
    return max(found, key=lambda edge: (edge[2], -edge[0], -edge[1]), default=None)
