"""Schedules by hand, in few letters.

Entry: `label`, `send`, `receive`, `loop`, `choice`, `codes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alpha.ir.schedules.checking import LIMIT, Limit, check_schedules
from alpha.ir.schedules.events import Action, Branch, Label, Loop, Step


def label(site: int, words: int = 1) -> Label:
    """A frame of some binary64 words."""
    return Label(site, 0, 0, words, "f64")


def send(peer: int, site: int, words: int = 1) -> Action:
    """A frame to a peer."""
    return Action("send", peer, label(site, words))


def receive(peer: int, site: int, words: int = 1) -> Action:
    """A frame from a peer."""
    return Action("receive", peer, label(site, words))


def loop(bound: int, site: int, *body: Step) -> Loop:
    """A loop that is always run `bound` times."""
    return Loop(bound, False, site, body)


def choice(site: int, *arms: Sequence[Step]) -> Branch:
    """A choice between arms."""
    return Branch(site, arms)


def codes(schedules: Mapping[int, Sequence[Step]], limit: Limit | None = LIMIT) -> list[str]:
    """The codes with which the schedules of all these roles are refused."""
    return [refusal.code for refusal in check_schedules(schedules, set(schedules), limit)]
