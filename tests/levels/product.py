"""The product of all that a protocol can vary in, and the endings of one case at every level.

Invariant: a case is right only if the protocol level over the simulated network, for every seed and
    buffer, and the role level over sockets end in the bits of the shard level, along the topology
    and, where it is a pair or star, directly.
Entry: `FACTORS`, `COVER`, `some_seeds`, `whole`, `Examination`, `examine`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from levels.endings import (
    at_shard_level,
    difference,
    lowered,
    over_sockets,
    over_the_network,
    projected,
)
from sharding.product import FACTORS as SHARD_FACTORS
from sharding.product import (
    Case,
    Choice,
    Setting,
    case_of,
    covering_rows,
    distributed,
    is_refused,
)
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.learner_words import LearnerWords
from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass

ROUNDS = 3
SEEDS = range(10)
BUFFERS = (0, 1, None)
EXCHANGES = ("gather", "sharded")

FACTORS: Mapping[str, Sequence[Any]] = {
    **SHARD_FACTORS,
    "owners": tuple(range(1, 8)),
    "topology": ("star", "pair", "tree<1>", "tree<2>", "tree<3>"),
}

COVER: Sequence[Case] = [case_of(row) for row in covering_rows(2, FACTORS)]
"""Every two values of two factors are met."""


def some_seeds(number: int) -> Sequence[int]:
    """Two seeds for a case of this number; the next cases have others."""
    return [SEEDS[(2 * number + turn) % len(SEEDS)] for turn in range(2)]


class Examination(NamedTuple):
    """What was run, and what was wrong with it."""

    protocols: int = 0
    """Runs over the simulated network that ended in the bits of the shard level."""

    sockets: int = 0
    """The same over sockets."""

    refused: int = 0
    """Trees that can't be exchanged over directly, and were refused."""

    wrong: tuple[str, ...] = ()

    def plus(self, other: Examination) -> Examination:
        """Both of them."""
        return Examination(
            self.protocols + other.protocols,
            self.sockets + other.sockets,
            self.refused + other.refused,
            self.wrong + other.wrong,
        )


def whole() -> Iterator[Setting]:
    """Every setting that can be; each goes with all choices of maps and modes."""
    names = Setting._fields
    for values in product(*(FACTORS[name] for name in names)):
        setting = Setting(**dict(zip(names, values, strict=True)))
        if not is_refused(setting):
            yield setting


def examine(
    setting: Setting, choices: Sequence[Choice], rounds: int = ROUNDS, seeds: Sequence[int] = SEEDS
) -> Examination:
    """Run every distribution of one setting at every level.

    Two choices that give one protocol are run once, and counted once.
    """
    file = distributed(setting)
    found, texts = Examination(), set[str]()
    for choice in choices:
        module = file.module.clone()
        for mode in choice.modes:
            run_pass(file.context, module, f"partition_{mode}", map=choice.map)
        text = str(module)
        if text not in texts:
            texts.add(text)
            each = examine_module(file.context, module, file.words, rounds, seeds)
            wrong = tuple(f"{setting} {choice}: {text}" for text in each.wrong)
            found = found.plus(each._replace(wrong=wrong))
    return found


def examine_module(
    context: AlphaContext,
    module: ModuleOp,
    words: LearnerWords,
    rounds: int = ROUNDS,
    seeds: Sequence[int] = SEEDS,
) -> Examination:
    """Run the distribution of a module at every level."""
    distribution = find_distribution(module)
    assert distribution is not None
    wanted = at_shard_level(distribution, words, rounds)
    protocols = sockets = refused = 0
    wrong: list[str] = []
    for exchange in EXCHANGES:
        protocol = lowered(context, module, exchange, rounds)
        can_be = exchange == "gather" or distribution.topology.form != "tree"
        if protocol is None or not can_be:
            refused += protocol is None and not can_be
            if can_be or protocol is not None:
                wrong.append(f"{exchange}: refused" if can_be else f"{exchange}: not refused")
            continue
        for seed, buffer in product(seeds, BUFFERS):
            different = difference(over_the_network(protocol, words, seed, buffer), wanted)
            protocols += different is None
            if different is not None:
                wrong.append(f"{exchange}, seed {seed}, buffer {buffer}: {different}")
        different = difference(over_sockets(projected(context, protocol), words), wanted)
        sockets += different is None
        if different is not None:
            wrong.append(f"{exchange}, sockets: {different}")
    return Examination(protocols, sockets, refused, tuple(wrong))
