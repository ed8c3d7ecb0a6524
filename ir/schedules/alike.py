"""Whether all programs mean the same by an operation: its kind, its members, maps and values.

A role's program says of an operation what concerns the role. What has to be common is compared
here, over all programs of a group: what the operation is, who takes part, who gives what the others
get, and that every group of a sum is some role's own, and no other's.

Invariant: if the parts of all roles are right by themselves, as `performing` asks, and are of one
    operation, then the words that it ends in are those of the operation, wherever they were sent.
Refuses: protocol-step-differs, shard-contribution-missing.
Entry: `check_alike`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Attribute

from alpha.ir.attributes.protocol_values import at_type
from alpha.ir.attributes.shard import TotalType
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.schedules.performed import value_of
from alpha.ir.sharding.places import Everywhere

SAID = ("kind", "map", "contract", "deliver", "members", "arms")

GIVES_ALL = ("reduce", "gather", "exchange", "agree")
"""Kinds in which everybody gives a value, of one type."""

MAKES_ALL = ("replicate", "scatter", "exchange", "decide")
"""Kinds in which everybody has a value afterwards, of one type."""

GIVEN_ONCE = ("replicate", "scatter", "decide")
"""Kinds in which one role gives what the others get."""

MADE_ONCE = ("reduce", "gather")
"""Kinds in which, along a topology, one role has what all give."""

SENT_UP = {"agree": "compares all digests", "checkpoint": "publishes the generation"}
"""Kinds in which digests go up a tree, and what the one role does that it ends at."""


@dataclass(frozen=True)
class _Part:
    role: int
    op: PerformOp

    @property
    def given(self) -> tuple[Attribute, ...]:
        return tuple(at_type(value).payload for value in self.op.arguments)

    @property
    def made(self) -> tuple[Attribute, ...]:
        return tuple(at_type(value).payload for value in self.op.outcomes)

    @property
    def sends_up(self) -> bool:
        """Whether a digest goes on to another role."""
        frames = (frame for frame in self.op.frames.block.ops if isinstance(frame, FrameOp))
        return any(isinstance(frame, SendOp) and not frame.part.data for frame in frames)


def check_alike(
    programs: Mapping[int, RoleOp],
    own: Mapping[PerformOp, Collection[int]],
    partial: bool = False,
) -> Iterator[Refusal]:
    """What programs of the roles of a group say differently of one operation, site by site.

    `own` are the role's own groups of each sum. With `partial` some programs aren't here, and what
    only all of them together can show isn't asked.
    """
    yield from _edges(programs)
    yield from _without_site(programs)
    sites: dict[int, list[_Part]] = {}
    for role, program in programs.items():
        for op in program.walk():
            if isinstance(op, PerformOp):
                sites.setdefault(op.site.data, []).append(_Part(role, op))
    for site in sorted(sites):
        parts = sites[site]
        flaw = (None if partial else _twice(parts)) or _first_other(parts)
        if flaw is None and not partial:
            flaw = _who(parts) or _groups(parts, own)
        if flaw is not None:
            yield flaw


def _edges(programs: Mapping[int, RoleOp]) -> Iterator[Refusal]:
    """An edge has two ends: each of the two roles names the other."""
    for role, program in programs.items():
        for edge in program.edges.data:
            other = programs.get(edge.data)
            if other is not None and role not in [each.data for each in other.edges.data]:
                note = Note(f"role {role} has it here", place_of(program))
                wanted = f"an edge of role {edge.data} to role {role}, as role {role} has one"
                found = f"edges {[each.data for each in other.edges.data]}"
                yield Refusal("protocol-step-differs", wanted, found, other, (note,))


def _without_site(programs: Mapping[int, RoleOp]) -> Iterator[Refusal]:
    """What several roles decide is one decision, which each of them knows by its site."""
    for role, program in programs.items():
        for op in program.walk():
            decides = isinstance(op, ChoiceOp)
            decides |= isinstance(op, RepeatOp) and isinstance(op.end, UntilOp)
            if not decides or op.properties.get("site") is not None:
                continue
            inside = next((part for part in op.walk() if isinstance(part, PerformOp)), None)
            if inside is not None:
                note = Note("it exchanges here", place_of(inside))
                wanted = f"the site of what role {role} decides with others"
                yield Refusal("protocol-step-differs", wanted, "none", op, (note,))


def _twice(parts: list[_Part]) -> Refusal | None:
    """An operation is one: a role performs it at one place of its program."""
    first: dict[int, _Part] = {}
    for part in parts:
        other = first.setdefault(part.role, part)
        if other is not part:
            note = Note("the first is here", place_of(other.op))
            wanted = f"one operation of role {part.role} at site {part.op.site.data}"
            return Refusal("protocol-step-differs", wanted, "two", part.op, (note,))
    return None


def _first_other(parts: list[_Part]) -> Refusal | None:
    """The first part that says something else than the first one."""
    first = parts[0]
    for part in parts[1:]:
        for name in SAID:
            one, other = first.op.properties.get(name), part.op.properties.get(name)
            if one != other:
                return _differs(first, part, *(_text(name, each) for each in (one, other)))
        for kinds, values in ((GIVES_ALL, "given"), (MAKES_ALL, "made")):
            if part.op.kind.data in kinds and getattr(first, values) != getattr(part, values):
                texts = [", ".join(map(str, getattr(each, values))) for each in (first, part)]
                return _differs(first, part, *(f"{text or 'nothing'} {values}" for text in texts))
        if part.op.kind.data == "transfer" and _moved(first) != _moved(part):
            return _differs(first, part, *(str(value) for value in (_moved(first), _moved(part))))
    return None


def _text(name: str, said: Attribute | None) -> str:
    data = getattr(said, "data", said)
    return f"{name} {'none' if said is None else data}"


def _moved(part: _Part) -> tuple[Attribute, ...]:
    """What a transfer is of, wherever it is."""
    payload = (*part.given, *part.made)[0]
    said = getattr(payload, "version", None), getattr(payload, "samples", None)
    return (value_of(payload), *(each for each in said if each is not None))


def _differs(first: _Part, part: _Part, wanted: str, found: str) -> Refusal:
    note = Note(f"role {first.role} says so here", place_of(first.op))
    which = f"{wanted} at site {part.op.site.data}, as role {first.role}"
    return Refusal("protocol-step-differs", which, f"{found} at role {part.role}", part.op, (note,))


def _who(parts: list[_Part]) -> Refusal | None:
    """Who takes part, and which one role gives or gets what all others get or give."""
    first = parts[0]
    kind, members = first.op.kind.data, first.op.members
    here = {part.role for part in parts}
    if members is not None:
        missing = next((role for role in members.data if role not in here), None)
        if missing is not None:
            return _wrong(first, f"each of the members {members.data} to take part", missing)
    alone: list[_Part] | None = None
    what = ""
    if kind in GIVEN_ONCE:
        alone, what = [part for part in parts if part.given], "gives what the others get"
    elif kind in MADE_ONCE and not _directly(parts):
        alone, what = [part for part in parts if part.made], "has what all give"
    elif kind == "transfer":
        alone, what = [part for part in parts if part.given], "sends what another one receives"
        taken = [part for part in parts if part.made]
        if len(taken) > 1:
            alone, what = taken, "receives what another one sends"
    elif kind in SENT_UP:
        alone, what = [part for part in parts if not part.sends_up], SENT_UP[kind]
    if alone is not None and len(alone) != 1:
        last = alone[-1] if alone else first
        roles = ", ".join(str(part.role) for part in alone[:8]) or "none"
        wanted = f"one role that {what} at site {first.op.site.data}"
        return Refusal("protocol-step-differs", wanted, roles, last.op)
    return None


def _wrong(first: _Part, wanted: str, missing: int) -> Refusal:
    site = first.op.site.data
    return Refusal(
        "protocol-step-differs", f"{wanted} in site {site}", f"role {missing} doesn't", first.op
    )


def _directly(parts: list[_Part]) -> bool:
    """Whether everybody has what all give."""
    if parts[0].op.deliver is not None:
        return True
    if parts[0].op.kind.data == "reduce":
        return False
    return all(part.made for part in parts) and (len(parts) > 1 or _everywhere(parts[0]))


def _everywhere(part: _Part) -> bool:
    of = part.made[0]
    return isinstance(of, TotalType) and isinstance(of.where.data, Everywhere)


def _groups(parts: list[_Part], own: Mapping[PerformOp, Collection[int]]) -> Refusal | None:
    """Every group of a sum is the own one of one role."""
    contract = parts[0].op.contract
    if contract is None:
        return None
    owner: dict[int, _Part] = {}
    for part in parts:
        for group in sorted(own.get(part.op, ())):
            other = owner.setdefault(group, part)
            if other is not part:
                note = Note(f"it is role {other.role}'s here", place_of(other.op))
                wanted = f"one role that has group {group} of site {part.op.site.data}"
                found = f"role {part.role} as well as role {other.role}"
                return Refusal("shard-contribution-missing", wanted, found, part.op, (note,))
    missing = next(
        (group for group in range(contract.data.groups.length) if group not in owner), None
    )
    if missing is None:
        return None
    wanted = f"a role that has group {missing} of site {parts[0].op.site.data}"
    return Refusal("shard-contribution-missing", wanted, "none", parts[0].op)
