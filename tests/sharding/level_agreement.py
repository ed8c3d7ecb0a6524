"""Is a distribution the learner? Compared by terms, by bits in every round, by fragments, by cost.

Entry: `agrees`, `agrees_in_terms`, `agrees_in_bits`, `agrees_in_costs`, `pieces_agree`; each raises
    AssertionError where something is wrong, and so finds a mutant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from alpha.interpreters.learner import LearnerInterpreter, Observation
from alpha.interpreters.levels import compare_terms
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.costs import costs_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import assemble, fragment
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.learner_file import LearnerFile

NODES_MAX = 1_000_000


def agrees(file: LearnerFile, distribution: Distribution, rounds: int = 3) -> None:
    """Everything that can be asked of a distribution that passes have made."""
    verify_shards(distribution)
    agrees_in_terms(file, distribution)
    agrees_in_costs(distribution, agrees_in_bits(file, distribution, rounds), rounds)


def agrees_in_terms(file: LearnerFile, distribution: Distribution) -> None:
    """Every field and observation has the learner's terms."""
    learner = distribution.learner
    found = compare_terms(learner, file.words, {"shard": distribution}, NODES_MAX)
    assert found is not None, "the terms are too many"
    wrong = [each.difference for each in found["shard"] if each.difference is not None]
    assert not wrong, wrong[0]
    labels = {label for op in learner.sums() for label in learner.observation_labels(op)}
    wanted = sorted([*learner.states, *(f'observed "{label}"' for label in labels)])
    assert sorted(each.field for each in found["shard"]) == wanted


def agrees_in_bits(file: LearnerFile, distribution: Distribution, rounds: int) -> ShardInterpreter:
    """Every round has the learner's words, and owners hold the fragments of the state."""
    reference = LearnerInterpreter(distribution.learner, file.words, Words())
    running = ShardInterpreter(distribution, file.words, Words())
    pieces_agree(running, reference.state)
    for _ in range(rounds):
        wanted, found = reference.step(), running.step()
        assert _shown(found) == _shown(wanted)
        assert _bits(running.state) == _bits(reference.state)
        pieces_agree(running, reference.state)
    assert running.version == reference.version == rounds
    return running


def _shown(observations: Sequence[Observation]) -> list[Any]:
    return [
        (each.name, np.asarray(each.total).tobytes(), each.count, each.version)
        for each in observations
    ]


def _bits(state: Mapping[str, np.ndarray]) -> dict[str, tuple[Any, ...]]:
    return {name: (words.shape, words.dtype, words.tobytes()) for name, words in state.items()}


def pieces_agree(running: ShardInterpreter, state: Mapping[str, np.ndarray]) -> None:
    """decode(assemble(P, fragments)) = logical state, and fragments are those of the state."""
    distribution = running.distribution
    for name, op in distribution.learner.states.items():
        map, shape = distribution.map_of(name), shape_of(op.type)
        held = [owner.words[name] for owner in running.owners]
        assert len(held) == distribution.owners
        if map is None:
            assert {words.tobytes() for words in held} == {state[name].tobytes()}
            assert {words.shape for words in held} == {shape}
            continue
        whole = assemble(map, distribution.owners, shape, held)
        assert (whole.dtype, whole.tobytes()) == (state[name].dtype, state[name].tobytes())
        for role, words in enumerate(held):
            piece = map.piece(role, distribution.owners, words_of(op.type))
            assert words.tobytes() == fragment(state[name], piece).tobytes()


def agrees_in_costs(distribution: Distribution, running: ShardInterpreter, rounds: int) -> None:
    """The costs are what owners hold, and what they have sent and received in these rounds."""
    costs = costs_of(distribution)
    assert [cost.role for cost in costs] == list(range(distribution.owners))
    for cost, owner in zip(costs, running.owners, strict=True):
        assert cost.words == {name: words.size for name, words in owner.words.items()}
        assert cost.words_kept == sum(words.size for words in owner.words.values())
        assert cost.persistent == sum(words.nbytes for words in owner.words.values())
        held = {name: {len(part) for part in parts} for name, parts in owner.samples.items()}
        assert held == {name: {size} for name, size in cost.samples.items()}
        assert cost.peak >= cost.persistent
    assert [rounds * cost.sent for cost in costs] == running.traffic.sent
    assert [rounds * cost.received for cost in costs] == running.traffic.received
    assert sum(cost.sent for cost in costs) == sum(cost.received for cost in costs)
