"""Versions and publications along the paths of random protocols, against a list of all paths.

A path is what a run does one thing after the other, with one arm of each choice, taken anew in
every iteration. The checks walk over the text once; here every path is walked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeAlias

from protocol.reading import opened

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.protocol.checks.lifetimes import check_lifetimes
from alpha.ir.protocol.checks.publications import check_publications
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal

LEARNER = """
region.learner @keep {
  region.state @w : tensor<3xf64> = dense<1.0>
  pointwise.update @double(%w : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %w1 = pointwise.apply @double(%w) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w by cyclic
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @double(%w) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
protocol.global @keep of @keep group
    #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {
  %s = protocol.local at stride(0, 1, 3) {
    %one = arith.constant 1 : i64
    protocol.yield %one
  }
"""
READ = "%w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>"
UPDATE = "%w1 = shard.update @double(%w) : !shard.owned<tensor<3xf64>, cyclic, +1>"
ALL = frozenset(range(3))
PATHS_MAX = 3000


@dataclass(frozen=True)
class Advance:
    """The version advances."""


@dataclass(frozen=True)
class Publish:
    """Some roles publish: the first ones, or the last one alone."""

    roles: frozenset[int]


@dataclass(frozen=True)
class Make:
    """A value is read."""

    name: str


@dataclass(frozen=True)
class Use:
    """A value is used by local work."""

    name: str


@dataclass(frozen=True)
class Choice:
    """One of two blocks."""

    arms: tuple[Block, Block]


@dataclass(frozen=True)
class Repeat:
    """A block, once or several times."""

    bound: int
    body: Block


@dataclass(frozen=True)
class Scope:
    """A block by itself."""

    body: Block


Node: TypeAlias = "Advance | Publish | Make | Use | Choice | Repeat | Scope"
Block: TypeAlias = "tuple[Node, ...]"
Path: TypeAlias = "tuple[Node, ...]"


class Making:
    """Makes blocks at random; in `whole` ones all roles publish together."""

    def __init__(self, random: Random, whole: bool) -> None:
        self._random = random
        self._whole = whole
        self._names = 0

    def block(self, values: list[str], depth: int) -> Block:
        """Some nodes; values that are made inside aren't seen behind the block."""
        inside = list(values)
        count = self._random.randrange(1, 5 if depth else 7)
        return tuple(self._node(inside, depth) for _ in range(count))

    def _node(self, values: list[str], depth: int) -> Node:
        kind = self._random.random()
        if kind < 0.15:
            return Advance()
        if kind < 0.35:
            roles = ALL
            if not self._whole:
                roles = self._random.choice((ALL, frozenset({0, 1}), frozenset({2})))
            return Publish(roles)
        if kind < 0.5:
            self._names += 1
            values.append(f"%v{self._names}")
            return Make(values[-1])
        if kind < 0.7 or depth == 3:
            return Use(self._random.choice(values)) if values else Advance()
        if kind < 0.8:
            return Choice((self.block(values, depth + 1), self.block(values, depth + 1)))
        if kind < 0.95:
            return Repeat(self._random.choice((1, 2, 3)), self.block(values, depth + 1))
        return Scope(self.block(values, depth + 1))


def lines(block: Block) -> Iterator[str]:
    """The text of a block."""
    for node in block:
        match node:
            case Advance():
                work = f"{READ} {UPDATE} shard.advance @w = %w1"
                yield f"protocol.local at stride(0, 1, 3) {{ {work} }}"
            case Publish(roles):
                yield f"protocol.publish at stride({min(roles)}, 1, {len(roles)})"
            case Make(name):
                yield f"{name} = protocol.local at stride(0, 1, 3) {{ {READ} protocol.yield %w }}"
            case Use(name):
                yield f"protocol.local at stride(0, 1, 3) (%a = {name}) {{ protocol.yield }}"
            case Choice(arms):
                yield "protocol.choice %s {"
                yield from lines(arms[0])
                yield "} {"
                yield from lines(arms[1])
                yield "}"
            case Repeat(bound, body):
                yield f"protocol.repeat {bound} {{"
                yield from lines(body)
                yield "}"
            case Scope(body):
                yield "protocol.scope stride(0, 1, 3) {"
                yield from lines(body)
                yield "}"


def paths(block: Block) -> list[Path]:
    """All that a run may do, or too much of it to look at."""
    found: list[Path] = [()]
    for node in block:
        match node:
            case Choice(arms):
                more = [path for arm in arms for path in paths(arm)]
            case Repeat(bound, body):
                turn = paths(body)
                if len(turn) ** bound > PATHS_MAX:
                    raise OverflowError
                more = [sum(turns, ()) for turns in product(turn, repeat=bound)]
            case Scope(body):
                more = paths(body)
            case _:
                more = [(node,)]
        if len(found) * len(more) > PATHS_MAX:
            raise OverflowError
        found = [one + other for one in found for other in more]
    return found


def uses_an_old_value(path: Path) -> bool:
    version, made = 0, dict[str, int]()
    for node in path:
        match node:
            case Advance():
                version += 1
            case Make(name):
                made[name] = version
            case Use(name) if made[name] != version:
                return True
            case _:
                pass
    return False


def ends_in_no_state(path: Path) -> str | None:
    """Which code refuses what a path publishes."""
    given: frozenset[int] = frozenset()
    for node in path:
        match node:
            case Publish(roles):
                given |= roles
            case Advance():
                if given not in (frozenset(), ALL):
                    return "protocol-publish-version"
                given = frozenset()
            case _:
                pass
    return None if given == ALL else "protocol-publish-missing"


def random_cases(whole: bool, seeds: range) -> Iterator[tuple[Protocol, list[Path]]]:
    for seed in seeds:
        block = Making(Random(seed), whole).block([], 0)
        try:
            every = paths(block)
        except OverflowError:
            continue
        yield opened("\n".join((LEARNER, *lines(block), "}"))), every


def code_of(check: object, view: Protocol | GlobalOp) -> str | None:
    assert callable(check)
    try:
        check(view)
    except Refusal as refusal:
        return refusal.code
    return None


def test_a_use_is_refused_where_some_path_makes_it_one_of_another_version() -> None:
    seen: Counter[str | None] = Counter()
    for view, every in random_cases(True, range(400)):
        wanted = "shard-version-mixed" if any(map(uses_an_old_value, every)) else None
        assert code_of(check_lifetimes, view.op) == wanted
        seen[wanted] += 1
    assert min(seen.values()) > 50 and len(seen) == 2


def test_publications_of_all_roles_are_refused_where_some_path_ends_in_no_state() -> None:
    seen: Counter[str | None] = Counter()
    for view, every in random_cases(True, range(400)):
        wanted = next(filter(None, map(ends_in_no_state, every)), None)
        assert code_of(check_publications, view) == wanted
        seen[wanted] += 1
    assert min(seen.values()) > 30 and len(seen) == 2


def test_publications_of_some_roles_are_accepted_only_where_every_path_ends_in_a_state() -> None:
    """Parts in several bodies are refused as well: what is accepted is right on every path."""
    seen: Counter[str | None] = Counter()
    for view, every in random_cases(False, range(600)):
        code = code_of(check_publications, view)
        if code is None:
            assert not any(map(ends_in_no_state, every))
        seen[code] += 1
    assert seen[None] > 20 and len(seen) == 3
