"""One case of a run that stores generations and begins with one: is every bit of it right?

Invariant: what is stored at a version are the words of the undistributed learner after as many
    rounds; a run that begins with them ends as one that was never interrupted, in its words and in
    what it observes.
Entry: `check`, `SCHEDULES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from generations.memories import Memory
from generations.running import LEVELS, Run, Schedule, lowered
from levels.endings import Ending, at_shard_level, difference
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.learner_words import LearnerWords
from alpha.ir.sharding.distribution import Distribution, find_distribution

SCHEDULES = (
    Schedule(6, 2),
    Schedule(5, 2),
    Schedule(3, 4),
    Schedule(3, 0),
    Schedule(3, 1),
    Schedule(0, 2),
    Schedule(0, None),
    Schedule(7, 3, 2),
    Schedule(6, 3, 3),
    Schedule(5, 4, 1),
    Schedule(3, 5, 2),
    Schedule(4, 2, 4),
    Schedule(4, 0, 3),
    Schedule(4, None, 2),
)
"""Ends at, before and behind a multiple, with none, one and several generations."""


class Case(NamedTuple):
    """A distribution, and the words of its learner."""

    context: AlphaContext
    module: ModuleOp
    words: LearnerWords
    exchange: str = "gather"


def check(case: Case, schedule: Schedule, levels: Sequence[str]) -> None:
    """Run a case from the learner's words, and from what it stores at the beginning."""
    distribution = find_distribution(case.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, case.words, schedule.end)
    words = _words_of_learner(distribution, case.words, schedule.end)
    first = Memory()
    once = lowered(case.context, case.module, Schedule(schedule.begin, 0), False, case.exchange)
    LEVELS["protocol"](case.context, once, case.words, first, None)
    assert first.published == [schedule.begin]
    _check_stored(first, distribution, words, [schedule.begin])
    states = first.whole(distribution, schedule.begin)
    for resumed in (False, True):
        begins = schedule if resumed else schedule._replace(begin=0)
        protocol = lowered(case.context, case.module, begins, resumed, case.exchange)
        for level in levels:
            memory = Memory()
            given = (case.context, protocol, case.words, memory, states if resumed else None)
            run = LEVELS[level](*given)
            _check_ending(run, wanted, begins.begin)
            assert run.stored == memory.published == begins.versions(resumed), level
            _check_stored(memory, distribution, words, run.stored)


def _words_of_learner(
    distribution: Distribution, words: LearnerWords, rounds: int
) -> list[dict[str, np.ndarray]]:
    """The state of the undistributed learner at each version."""
    running = LearnerInterpreter(distribution.learner, words, Words())
    found = [{name: array.copy() for name, array in running.state.items()}]
    for _ in range(rounds):
        running.step()
        found.append({name: array.copy() for name, array in running.state.items()})
    return found


def _check_ending(run: Run, wanted: Ending, begin: int) -> None:
    """What a run tells is what one that wasn't interrupted tells from there on."""
    later = [seen for seen in wanted.observed if seen[3] >= begin]
    assert difference(run.ending, wanted._replace(observed=later)) is None


def _check_stored(
    memory: Memory,
    distribution: Distribution,
    words: Sequence[dict[str, np.ndarray]],
    versions: Sequence[int],
) -> None:
    """Every role has stored its words of these versions, in bits, and no others."""
    roles = range(distribution.owners)
    assert sorted(memory.shards) == sorted(memory.manifests)
    assert sorted(memory.shards) == [(version, role) for version in versions for role in roles]
    for version in versions:
        whole = memory.whole(distribution, version)
        assert whole.keys() == words[version].keys()
        for name, array in words[version].items():
            assert whole[name].dtype == array.dtype
            assert whole[name].tobytes() == array.tobytes(), (version, name)
        below = [child for role in roles for child in memory.children[version, role]]
        assert sorted(below) == list(roles[1:]), "each but the root is below one other"
        for role in roles:
            copies = {name for name in whole if distribution.map_of(name) is None}
            kept = whole.keys() - (copies if role else set())
            assert memory.shards[version, role].keys() == kept
