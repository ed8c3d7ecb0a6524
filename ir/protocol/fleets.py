"""Which devices a fleet has, said by selections of roles: capabilities, control, devices.

Invariant: a mix that `check` accepts gives every role of a group exactly one capability, unless it
    names none, and no role two devices; so counts of roles and devices are exact.
Why: a fleet of 200,000 roles is said by a few selections and decided from them; nobody lists the
    roles. What counts are distinct devices that do necessary work: several roles on one device are
    one, and a role that only relays, or has nothing to work on, is none.
Refuses: fleet-capability-missing, fleet-capability-duplicate, fleet-device-duplicate,
    fleet-control-work, select-empty, select-universe, select-budget.
Entry: `Mix`, `Named`, `Contributors`, `intervals`, `joined`, `without`, `busy_roles`,
    `even_split`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from alpha.ir.protocol.groups import Group
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Repeat, Selection, as_group
from alpha.ir.selections.budget import Budget
from alpha.ir.selections.relations import VISITS_MAX, VISITS_PER_NODE_MAX
from alpha.ir.selections.windows import first_forbidden, pieces_of

INTERVALS_MAX = 1 << 16
"""Most runs of successive roles that are looked at one by one."""

Interval = tuple[int, int]
"""Roles from the first number to the second less one."""


@dataclass(frozen=True)
class Named:
    """Roles that have a name in common: that of their capability, or of their device."""

    name: str
    roles: Selection


@dataclass(frozen=True)
class Contributors:
    """How many roles do necessary work, and on how many distinct devices."""

    roles: int
    devices: int


@dataclass(frozen=True)
class Mix:
    """What is known of the devices of a group's roles; each other role is a device of its own."""

    capabilities: tuple[Named, ...] = ()
    control: Selection = field(default_factory=Empty)
    """Roles that only relay."""
    devices: tuple[Named, ...] = ()
    """Devices with the roles on them; several parts may have one name."""

    def check(self, group: Group) -> None:
        """See that the mix is one of this group's roles.

        Raises:
            Refusal: `select-empty`, `select-universe` for a selection that isn't of roles;
                `fleet-capability-missing`, `fleet-capability-duplicate`, `fleet-device-duplicate`
                with the first role that is wrong; `select-budget`.
        """
        for part in (*self.capabilities, *self.devices):
            as_group(part.roles, group.universe)
        if self.control.size:
            as_group(self.control, group.universe)
        if self.capabilities:
            self._check_capabilities(group)
        wrong = _first_wrong(self.devices, group, missing=False)
        if wrong is not None:
            found = f"{_names(self.devices, wrong)} for role {wrong}"
            raise Refusal("fleet-device-duplicate", "at most one device a role", found)

    def _check_capabilities(self, group: Group) -> None:
        wrong = _first_wrong(self.capabilities, group, missing=True)
        if wrong is None:
            return
        if not any(wrong in part.roles for part in self.capabilities):
            wanted = f"a capability for each of {group.size} roles"
            raise Refusal("fleet-capability-missing", wanted, f"none for role {wrong}")
        found = f"{_names(self.capabilities, wrong)} for role {wrong}"
        raise Refusal("fleet-capability-duplicate", "one capability a role", found)

    def contributors(self, busy: Sequence[Interval]) -> Contributors:
        """The roles and devices that do necessary work, if `busy` are the roles with work.

        Raises:
            Refusal: `fleet-control-work` for a role that should only relay and has work.
        """
        for low, high in busy:
            rank = self.control.rank(low)
            if rank < self.control.size and self.control.nth(rank) < high:
                wanted = "no samples and no words of their own with roles that only control"
                raise Refusal(
                    "fleet-control-work", wanted, f"some with role {self.control.nth(rank)}"
                )
        roles = sum(high - low for low, high in busy)
        named: dict[str, int] = {}
        for part in self.devices:
            shared = sum(part.roles.rank(high) - part.roles.rank(low) for low, high in busy)
            named[part.name] = named.get(part.name, 0) + shared
        alone = roles - sum(named.values())
        return Contributors(roles, alone + sum(1 for shared in named.values() if shared))


def _first_wrong(parts: Sequence[Named], group: Group, missing: bool) -> int | None:
    """The first member that several parts have; or no part, if that is wrong."""
    member = len(parts) + 1
    allowed = {*range(member), member + 1} | (set() if missing else {member})
    pieces = [piece for part in parts for piece in pieces_of(part.roles, 1)]
    nodes = group.members.nodes + sum(part.roles.nodes for part in parts)
    budget = Budget("devices of a fleet", VISITS_MAX + VISITS_PER_NODE_MAX * nodes)
    pieces += pieces_of(group.members, member)
    return first_forbidden(pieces, 0, group.universe - 1, allowed, budget)


def _names(parts: Sequence[Named], role: int) -> str:
    names = [part.name for part in parts if role in part.roles]
    return " and ".join(names[:2])


def intervals(selection: Selection, what: str) -> list[Interval]:
    """The members as runs of successive roles, ascending, each as long as it can be.

    Raises:
        Refusal: `select-budget`, naming `what` the members are, for more than 2^16 runs.
    """
    found = _runs_at_most(selection)
    if found > INTERVALS_MAX:
        wanted = f"{what} in at most {INTERVALS_MAX} runs of successive roles"
        raise Refusal("select-budget", wanted, f"{found}")
    return joined(_intervals(selection, 0))


def _runs_at_most(selection: Selection) -> int:
    if selection.is_interval:
        return 1
    if isinstance(selection, Repeat):
        return selection.count * _runs_at_most(selection.inner)
    if isinstance(selection, Join):
        return sum(map(_runs_at_most, selection.parts))
    return selection.size


def _intervals(selection: Selection, by: int) -> Iterator[Interval]:
    if not selection.size:
        return
    if selection.is_interval:
        yield by + selection.min, by + selection.max + 1
    elif isinstance(selection, Repeat):
        for turn in range(selection.count):
            yield from _intervals(selection.inner, by + turn * selection.step)
    elif isinstance(selection, Join):
        for part in selection.parts:
            yield from _intervals(part, by)
    else:
        for role in selection:
            yield by + role, by + role + 1


def joined(found: Iterable[Interval]) -> list[Interval]:
    """Ascending intervals, with one in the place of those that touch or overlap."""
    result: list[Interval] = []
    for low, high in found:
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


def without(found: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """The roles of some intervals that are in none of the others; both ascend."""
    result: list[Interval] = []
    at = 0
    for low, high in found:
        while at < len(others) and others[at][1] <= low:
            at += 1
        beyond = at
        while beyond < len(others) and others[beyond][0] < high:
            if low < others[beyond][0]:
                result.append((low, others[beyond][0]))
            low = others[beyond][1]
            beyond += 1
        if low < high:
            result.append((low, high))
    return result


def busy_roles(numbers: Sequence[Runs]) -> list[Interval]:
    """The roles for which one of these sequences, with a number a role, isn't zero."""
    found: list[Interval] = []
    for runs in numbers:
        ends = accumulate(count for count, _ in runs.pairs)
        found += [
            (end - count, end)
            for (count, value), end in zip(runs.pairs, ends, strict=True)
            if value
        ]
    return joined(sorted(found))


def even_split(total: int, roles: Sequence[Interval], universe: int) -> Runs:
    """`total` shared out among the roles of ascending intervals, evenly, larger first; else 0."""
    among = sum(high - low for low, high in roles)
    least, larger = divmod(total, among)
    pairs: list[tuple[int, int]] = []
    at = 0
    for low, high in roles:
        more = min(larger, high - low)
        larger -= more
        pairs += [(low - at, 0), (more, least + 1), (high - low - more, least)]
        at = high
    return Runs((*pairs, (universe - at, 0)))
