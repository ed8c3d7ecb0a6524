"""Protocols of one long loop, for what holds from round to round.

Entry: `random_loop`, `all_reduce`, `ring`.
"""

from __future__ import annotations

from random import Random

from schedules.plain_protocols import Protocol, Repeat, Transfer, numbered
from schedules.random_protocols import random_body

from alpha.ir.topologies import PreorderTree


def random_loop(random: Random) -> Protocol:
    """A few transfers, a loop of some rounds that may have loops and choices in it, and a few more.

    In two of three, every role of the loop hears of every other, since words go to one role and
    back, or round a ring.
    """
    roles = random.choice((2, 3, 3, 4, 5))
    body = random_body(random, roles, random.randrange(2, 8), random.choice((0, 1, 1)))
    others = range(1, roles)
    kind = random.random()
    if kind < 0.33:
        body = (
            *body,
            *(Transfer(role, 0) for role in others),
            *(Transfer(0, role) for role in others),
        )
    elif kind < 0.66:
        around = [Transfer(role, (role + 1) % roles) for role in range(roles)]
        body = (*random.choice((around, around[::-1])), *body)
    before, behind = (random_body(random, roles, random.randrange(3), 0) for _ in range(2))
    loop = Repeat(random.choice((5, 7, 9)), False, body)
    return numbered((*before, loop, *behind))


def all_reduce(bound: int, tree: PreorderTree) -> Protocol:
    """A loop in which words go up a tree and down again."""

    def up(node: int) -> list[Transfer]:
        return [
            step for child in tree.children(node) for step in (*up(child), Transfer(child, node))
        ]

    def down(node: int) -> list[Transfer]:
        return [
            step for child in tree.children(node) for step in (Transfer(node, child), *down(child))
        ]

    return numbered((Repeat(bound, False, (*up(0), *down(0))),))


def ring(bound: int, roles: int) -> Protocol:
    """A loop in which each role sends to the next one and the last to the first."""
    return numbered(
        (Repeat(bound, False, tuple(Transfer(at, (at + 1) % roles) for at in range(roles))),)
    )
