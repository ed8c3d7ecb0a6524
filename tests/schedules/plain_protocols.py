"""Global protocols in their plainest form, and what each role does of them.

Invariant: a protocol is one total order of transfers with loops and choices around them, and a
    role's schedule is what remains if all that doesn't concern the role is struck out.
Why: it is the meaning that projection has, without trees, values or types; nothing of the checker
    and nothing of the package's projection is used.
Entry: `Transfer`, `Repeat`, `Choice`, `roles_of`, `projected`, `numbered`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from alpha.ir.schedules.events import Action, Branch, Label, Loop, Step


@dataclass(frozen=True)
class Transfer:
    """One frame of some words from a role to another one."""

    sender: int
    receiver: int
    words: int = 1
    site: int = -1


@dataclass(frozen=True)
class Repeat:
    """A body that is run `bound` times, or at most as often."""

    bound: int
    until: bool
    body: Protocol
    site: int = -1


@dataclass(frozen=True)
class Choice:
    """One of the arms is run."""

    arms: tuple[Protocol, ...]
    site: int = -1


Protocol: TypeAlias = "Sequence[Transfer | Repeat | Choice]"


def numbered(protocol: Protocol) -> Protocol:
    """The protocol with every operation's site: its number in the order of the text."""
    sites = count()

    def inside(body: Protocol) -> Protocol:
        result: list[Transfer | Repeat | Choice] = []
        for step in body:
            site = next(sites)
            if isinstance(step, Repeat):
                result.append(replace(step, site=site, body=inside(step.body)))
            elif isinstance(step, Choice):
                result.append(replace(step, site=site, arms=tuple(map(inside, step.arms))))
            else:
                result.append(replace(step, site=site))
        return tuple(result)

    return inside(protocol)


def roles_of(protocol: Protocol) -> set[int]:
    """The roles that send or receive anything."""
    found: set[int] = set()
    for step in protocol:
        if isinstance(step, Transfer):
            found |= {step.sender, step.receiver}
        else:
            for body in (step.body,) if isinstance(step, Repeat) else step.arms:
                found |= roles_of(body)
    return found


def projected(protocol: Protocol, role: int) -> list[Step]:
    """The schedule of one role of a protocol whose operations have sites."""
    result: list[Step] = []
    for step in protocol:
        if isinstance(step, Transfer):
            label = Label(step.site, 0, 0, step.words, "f64")
            if step.sender == role:
                result.append(Action("send", step.receiver, label))
            if step.receiver == role:
                result.append(Action("receive", step.sender, label))
        elif isinstance(step, Repeat):
            body = projected(step.body, role)
            if body:
                result.append(Loop(step.bound, step.until, step.site, body))
        else:
            arms = tuple(projected(arm, role) for arm in step.arms)
            if any(arms):
                result.append(Branch(step.site, arms))
    return result


def schedules_of(protocol: Protocol) -> dict[int, list[Step]]:
    """The schedules of all roles of a protocol whose operations have sites."""
    return {role: projected(protocol, role) for role in sorted(roles_of(protocol))}
