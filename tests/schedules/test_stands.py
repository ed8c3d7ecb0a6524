"""Versions at which roles do what they do together, against runs of random programs.

A run is followed for each role by itself: it takes the same arm at the same site as the other, in
the same iteration, and notes how many versions it has made whenever it performs something. What the
check accepts must note the same in every run; programs of one text must be accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import TypeAlias

import pytest
from schedules.role_texts import ADVANCE, programs

from alpha.ir.refusals import Refusal
from alpha.ir.schedules.stands import Stands, check_stands

RUNS = 12


@dataclass(frozen=True)
class Advance:
    """A round of work."""


@dataclass(frozen=True)
class Perform:
    """A word goes from role 0 to role 1."""

    site: int


@dataclass(frozen=True)
class Choice:
    """One of two blocks."""

    site: int
    arms: tuple[Block, Block]


@dataclass(frozen=True)
class Repeat:
    """A block, several times."""

    site: int
    bound: int
    body: Block


Node: TypeAlias = "Advance | Perform | Choice | Repeat"
Block: TypeAlias = "tuple[Node, ...]"


class Making:
    """Makes blocks at random; each site is used once."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._sites = count()

    def block(self, depth: int = 0) -> Block:
        return tuple(self._node(depth) for _ in range(self._random.randrange(1, 5)))

    def _node(self, depth: int) -> Node:
        kind = self._random.random()
        if kind < 0.35:
            return Advance()
        if kind < 0.65 or depth == 2:
            return Perform(next(self._sites))
        if kind < 0.82:
            return Choice(next(self._sites), (self.block(depth + 1), self.block(depth + 1)))
        return Repeat(next(self._sites), self._random.choice((1, 2, 3)), self.block(depth + 1))


def changed(block: Block, random: Random) -> Block:
    """A block with one change somewhere in it: in advances, in the order, in arms or bounds."""
    at = random.randrange(len(block))
    node = block[at]
    match node:
        case Choice(site, (one, other)) if random.random() < 0.7:
            if random.random() < 0.3 and (advances(one) or advances(other)):
                arms = other, one
            elif random.random() < 0.5:
                arms = changed(one, random), other
            else:
                arms = one, changed(other, random)
            return (*block[:at], Choice(site, arms), *block[at + 1 :])
        case Repeat(site, bound, body) if random.random() < 0.7:
            if random.random() < 0.2:
                repeat = Repeat(site, bound + 1, body)
            else:
                repeat = Repeat(site, bound, changed(body, random))
            return (*block[:at], repeat, *block[at + 1 :])
        case Advance() if len(block) > 1 and random.random() < 0.4:
            return (*block[:at], *block[at + 1 :])
        case _:
            pass
    if random.random() < 0.3:
        return (*block[:at], Advance(), *block[at:])
    other = random.randrange(len(block))
    nodes = list(block)
    nodes[at], nodes[other] = nodes[other], nodes[at]
    return tuple(nodes)


def advances(block: Block) -> bool:
    return any(
        isinstance(node, Advance)
        or (isinstance(node, Choice) and any(map(advances, node.arms)))
        or (isinstance(node, Repeat) and advances(node.body))
        for node in block
    )


def text(block: Block, role: int) -> str:
    """The block as a part of a role's program."""
    lines: list[str] = []
    for node in block:
        match node:
            case Advance():
                lines.append(ADVANCE)
            case Perform(site) if role == 0:
                frame = "protocol.send to 1 words 1 : f64"
                lines.append(f"protocol.perform transfer site {site} %x {{\n{frame}\n}}")
            case Perform(site):
                frame = "protocol.receive from 0 words 1 : f64"
                made = "!protocol.at<f64, role 1>"
                lines.append(
                    f"%y{site} = protocol.perform transfer site {site} {{\n{frame}\n}} : {made}"
                )
            case Choice(site, (one, other)):
                arms = f"{{\n{text(one, role)}\n}} {{\n{text(other, role)}\n}}"
                lines.append(f"protocol.choice %s site {site} {arms}")
            case Repeat(site, bound, body):
                lines.append(f"protocol.repeat {bound} site {site} {{\n{text(body, role)}\n}}")
    return "\n".join(lines)


def program(block: Block, role: int) -> str:
    made = "%x = arith.constant 1.0 : f64\n%s = arith.constant 0 : i64\nprotocol.yield %x, %s"
    return f"%x, %s = protocol.local at role ROLE {{\n{made}\n}}\n{text(block, role)}"


def noted(block: Block, seed: int) -> tuple[list[tuple[int, int]], int]:
    """In one run, each site that is performed with its versions, and how many versions are made."""
    seen: Counter[int] = Counter()
    version = 0

    def follow(block: Block) -> Iterator[tuple[int, int]]:
        nonlocal version
        for node in block:
            match node:
                case Advance():
                    version += 1
                case Perform(site):
                    yield site, version
                case Choice(site, arms):
                    seen[site] += 1
                    yield from follow(arms[Random(f"{seed} {site} {seen[site]}").randrange(2)])
                case Repeat(_, bound, body):
                    for _ in range(bound):
                        yield from follow(body)

    return sorted(follow(block)), version


def differ(one: Block, other: Block, seed: int) -> bool:
    """Whether two roles are at two versions in a run, at a site or at the end.

    Where one of them performs something more often, the frames show it, and it isn't asked here.
    """
    (left, ends), (right, others) = noted(one, seed), noted(other, seed)
    as_often = [site for site, _ in left] == [site for site, _ in right]
    return ends != others or (as_often and left != right)


def accepts(one: Block, other: Block) -> bool:
    roles = programs(program(one, 0), program(other, 1))
    try:
        check_stands(roles, Stands(roles))
    except Refusal as refusal:
        assert refusal.code == "shard-version-mixed" and refusal.place is not None
        return False
    return True


@pytest.mark.parametrize("start", range(0, 240, 60))
def test_what_stands_alike_is_done_at_one_version(start: int) -> None:
    seen: Counter[tuple[bool, bool]] = Counter()
    for seed in range(start, start + 60):
        random = Random(seed)
        block = Making(random).block()
        other = changed(block, random)
        accepted = accepts(block, other)
        alike = not any(differ(block, other, run) for run in range(RUNS))
        assert alike or not accepted, (block, other)
        assert accepts(block, block)
        seen[accepted, alike] += 1
    assert seen[True, True] > 10 and seen[False, False] > 10
