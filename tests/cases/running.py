"""Runs a case at the learner level and in every distribution, and says what is refused.

Invariant: a distribution that is run has passed the verifier and `verify_shards`, as one of a user
    would; wanted words come from the test and are compared bit for bit.
Entry: `read`, `spread`, `written`, `printed`, `edited`, `refusal`, `learner_run`, `shard_run`,
    `mutant`, `everywhere`, `totals`, `held`, `remapped`, `proved`, `hexes`, `bits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases.texts import replaced
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.learner import LearnerInterpreter, Observation
from alpha.interpreters.levels import compare_terms
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import AlphaContext, make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import Learner, find_learner
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.distributing import run_pass

FILE = "case.mlir"
MODES = ("optimizer", "parameters", "gradients")
EVERY_MODES = tuple(each for size in range(4) for each in combinations(MODES, size))
"""All eight ways of partitioning, the replicated one first."""
EVERY_TOPOLOGY = ("star", "tree<1>", "tree<2>", "tree<3>")
TOPOLOGIES = ("star", "tree<2>")
MAPS = ("cyclic", "block", "block_cyclic<2>")
NODES_MAX = 100_000

State = Mapping[str, np.ndarray]
Run = tuple[State, list[Observation]]


@dataclass(frozen=True)
class Case:
    """A learner that was read from a text, with its words."""

    context: AlphaContext
    module: ModuleOp
    learner: Learner
    words: LearnerWords


def read(text: str, folder: Path | None = None) -> Case:
    """Read a learner as the tools do; its data files lie in the folder.

    Raises:
        Refusal: what the front end, the verifier and the data files refuse.
    """
    context = make_context()
    module = parse_source(context, text.encode(), FILE)
    verify_module(module)
    learner = find_learner(module, FILE)
    return Case(context, module, learner, resolve(learner, folder or Path()))


def passed(
    case: Case,
    modes: Sequence[str] = (),
    shard_map: str | None = None,
    owners: int | None = None,
    topology: str | None = None,
    samples: Sequence[int] | None = None,
) -> ModuleOp:
    """A copy of the module after `--distribute` and a partitioning pass for each mode."""
    module = case.module.clone()
    split = None if samples is None else tuple(samples)
    run_pass(case.context, module, "distribute", owners=owners, topology=topology, samples=split)
    for mode in modes:
        run_pass(case.context, module, f"partition_{mode}", map=shard_map)
    return module


def spread(
    case: Case, modes: Sequence[str] = (), shard_map: str | None = None, **who: Any
) -> Distribution:
    """A distribution that the passes make and `verify_shards` accepts; `who` as in `passed`."""
    return _accepted(passed(case, modes, shard_map, **who))


def printed(text: str, modes: Sequence[str] = (), shard_map: str | None = None, **who: Any) -> str:
    """The text of a learner and of its distribution, as `alpha-opt` prints it."""
    return print_module(passed(read(text), modes, shard_map, **who))


def edited(text: str, *edits: tuple[str, str]) -> str:
    """The text with each piece replaced by another, in the distribution where there is one.

    A piece has to stand there exactly once.
    """
    before, mark, part = text.rpartition("shard.learner")
    return before + mark + replaced(part, *edits)


def written(text: str) -> tuple[Case, Distribution]:
    """A learner and the distribution that stands behind it in the same text."""
    case = read(text)
    return case, _accepted(case.module)


def mutant(
    case: Case, kind: str, modes: Sequence[str] = (), **who: Any
) -> tuple[Distribution, Refusal | None]:
    """A distribution with a fault of this kind, and what `verify_shards` says of it."""
    module = passed(case, modes, **who)
    run_pass(case.context, module, "mutate", kind=kind)
    distribution = find_distribution(module)
    assert distribution is not None
    try:
        verify_shards(distribution)
    except Refusal as caught:
        return distribution, caught
    return distribution, None


def _accepted(module: ModuleOp) -> Distribution:
    distribution = find_distribution(module)
    assert distribution is not None
    verify_shards(distribution)
    return distribution


def refusal(work: str | Callable[[], object]) -> Refusal:
    """The refusal that a text, or a piece of work, ends in."""
    with pytest.raises(Refusal) as caught:
        written(work) if isinstance(work, str) else work()
    assert str(caught.value).startswith("expected "), caught.value
    return caught.value


def learner_run(case: Case, rounds: int = 1, state: State | None = None) -> Run:
    """State and observations of the undistributed learner after so many rounds."""
    start = None if state is None else dict(state)
    return _run(LearnerInterpreter(case.learner, case.words, Words(), start), rounds)


def shard_run(case: Case, distribution: Distribution, rounds: int = 1) -> Run:
    """State and observations of a distribution after so many rounds."""
    return _run(ShardInterpreter(distribution, case.words, Words()), rounds)


def _run(running: LearnerInterpreter | ShardInterpreter, rounds: int) -> Run:
    seen = [each for _ in range(rounds) for each in running.step()]
    return dict(running.state), seen


def levels(
    case: Case,
    splits: Sequence[Sequence[int]],
    topologies: Sequence[str] = TOPOLOGIES,
    product: bool = False,
) -> Iterator[tuple[str, Distribution]]:
    """Distributions for each split of the samples; the pair joins where there are two owners.

    On the first topology all eight ways of partitioning, on others none and all three, or with
    `product` all eight as well; the maps take turns. The learner's own contract is kept.
    """
    for split in splits:
        count = len(split)
        for topology in (*topologies, *(("pair",) if count == 2 else ())):
            ways = EVERY_MODES if product or topology == topologies[0] else EVERY_MODES[::7]
            replicated = passed(case, owners=count, topology=topology, samples=split)
            for number, modes in enumerate(ways):
                shard_map = MAPS[(number + count) % len(MAPS)]
                module = replicated.clone()
                for mode in modes:
                    run_pass(case.context, module, f"partition_{mode}", map=shard_map)
                name = f"{list(split)} {topology} {'+'.join(modes)} {shard_map}"
                yield name, _accepted(module)


def everywhere(
    text: str,
    splits: Sequence[Sequence[int]],
    wanted: Mapping[str, Any],
    rounds: int = 1,
    topologies: Sequence[str] = TOPOLOGIES,
    product: bool = False,
) -> None:
    """See that these fields have these bits at the learner level and in the `levels`."""
    case = read(text)
    runs = [("learner", learner_run(case, rounds)[0])]
    for name, distribution in levels(case, splits, topologies, product):
        runs.append((name, shard_run(case, distribution, rounds)[0]))
    assert len(runs) > 8 * len(splits)
    for name, state in runs:
        for field, words in wanted.items():
            assert hexes(state[field]) == hexes(np.asarray(words, state[field].dtype)), (
                f"@{field} at {name}"
            )


def proved(case: Case, distribution: Distribution) -> bool:
    """Whether the terms of a distribution's round are those of its learner, in every field."""
    found = compare_terms(distribution.learner, case.words, {"": distribution}, NODES_MAX)
    assert found is not None
    return all(field.difference is None for field in found[""])


def totals(
    text: str, splits: Sequence[Sequence[int]], topologies: Sequence[str] = TOPOLOGIES
) -> set[str]:
    """The bits of what the one observation of a round totals, at all levels."""
    case = read(text)
    runs = [learner_run(case)]
    runs += [shard_run(case, each) for _, each in levels(case, splits, topologies)]
    assert len(runs) > 8 * len(splits)
    return {hexes(seen.total)[1] for _, (seen,) in runs}


def held(case: Case, distribution: Distribution, field: str, rounds: int = 1) -> list[list[str]]:
    """The bits of what each owner has of a state after so many rounds, in role order."""
    running = ShardInterpreter(distribution, case.words, Words())
    for _ in range(rounds):
        running.step()
    return [hexes(owner.words[field]) for owner in running.owners]


def remapped(text: str, old: str, new: str) -> str:
    """The text of a distribution with another map wherever it says the one of that name."""
    before, mark, part = text.rpartition("shard.learner")
    assert f" {old}" in part
    return before + mark + part.replace(f" {old}", f" {new}")


def bits(word: float) -> str:
    """The bits of a binary64 word."""
    return hexes(float(word))[1]


def hexes(words: Any) -> list[str]:
    """The bits of each word, in row-major order, behind the type of the words."""
    array = np.asarray(words)
    bits = np.ascontiguousarray(array).view(f"u{array.itemsize}").reshape(-1)
    return [str(array.dtype), *(f"{int(word):#x}" for word in bits)]
