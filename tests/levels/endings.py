"""How a run ends at the shard level, at the protocol level and over sockets, in one form.

Invariant: what is compared was told by the run itself: every observation with its count and
    version, and the words that each role published. Nothing of a level is assembled by the code
    of another.
Why: the shard level is the reference here; what it computes is compared with the oracle elsewhere.
Entry: `Ending`, `difference`, `lowered`, `projected`, `at_shard_level`, `over_the_network`,
    `ending_of_run`, `over_sockets`, `ending_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from levels.sockets import RoleEnd, run_roles
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.learner import Observation
from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.participants.reports import END, OBSERVATION, PROGRESS, STATE, Record
from alpha.interpreters.protocol import ProtocolInterpreter, SimulatedRun
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.view import find_protocol
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.distributing import run_pass

Seen = tuple[str, bytes, int, int]
"""Label, total, count and version of an observation."""


class Ending(NamedTuple):
    """What a run has told by its end."""

    version: int
    observed: Sequence[Seen]
    published: Mapping[tuple[int, str], bytes]
    """By role and state: the words that it owns, or of a copy all, which role 0 alone tells."""


def difference(found: Ending, wanted: Ending) -> str | None:
    """Where an ending first differs from another in a bit; None if nowhere."""
    if found.version != wanted.version:
        return f"version {found.version}, not {wanted.version}"
    for each, other in zip(found.observed, wanted.observed, strict=False):
        if each != other:
            return f"observed {each}, not {other}"
    if len(found.observed) != len(wanted.observed):
        return f"{len(found.observed)} observations, not {len(wanted.observed)}"
    if found.published.keys() != wanted.published.keys():
        return f"published {sorted(found.published)}, not {sorted(wanted.published)}"
    for (role, name), words in wanted.published.items():
        if found.published[role, name] != words:
            return f"@{name} of role {role}: {found.published[role, name].hex()}, not {words.hex()}"
    return None


def lowered(context: AlphaContext, module: ModuleOp, exchange: str, rounds: int) -> ModuleOp | None:
    """A copy of a module with the protocol of its distribution; None where it can't be direct.

    Raises:
        Refusal: the pass refuses for another reason.
    """
    copy = module.clone()
    try:
        run_pass(context, copy, "lower_shard_to_protocol", rounds=rounds, exchange=exchange)
    except Refusal as refusal:
        if refusal.code == "target-unsupported" and "to exchange directly" in refusal.expected:
            return None
        raise
    return copy


def projected(context: AlphaContext, module: ModuleOp) -> ModuleOp:
    """A copy of a module with a protocol, with the program of every role in its place."""
    copy = module.clone()
    run_pass(context, copy, "project_role")
    return copy


def at_shard_level(distribution: Distribution, words: LearnerWords, rounds: int) -> Ending:
    """The ending of all owners in one process."""
    running = ShardInterpreter(distribution, words, Words())
    observed = [each for _ in range(rounds) for each in running.step()]
    published = {
        (role, name): held.tobytes()
        for role, owner in enumerate(running.owners)
        for name, held in owner.words.items()
        if role == 0 or distribution.map_of(name) is not None
    }
    return Ending(running.version, seen(observed), published)


def over_the_network(
    module: ModuleOp, words: LearnerWords, seed: int, buffer: int | None
) -> Ending:
    """The ending of a module's protocol over the simulated network.

    Raises:
        AssertionError: a role didn't finish, or copies that should be equal aren't.
    """
    protocol = find_protocol(module)
    assert protocol is not None
    return ending_of_run(ProtocolInterpreter(protocol, words, Words(), seed=seed, buffer=buffer))


def ending_of_run(running: SimulatedRun) -> Ending:
    """Run all roles in one process to their ends.

    Raises:
        AssertionError: a role didn't finish, or copies that should be equal aren't.
    """
    for role, outcome in running.run().items():
        assert isinstance(outcome, Finished), f"role {role}: {outcome}, {running.network.deadlock}"
    network = running.network
    versions: set[int] = set()
    published: dict[tuple[int, str], bytes] = {}
    for role, walk in running.walks.items():
        (told,) = network.published[role]
        versions |= {told.version, walk.version}
        published |= {(role, name): held.tobytes() for name, held in told.words.items()}
        assert walk.work is not None
        for name, held in walk.work.owner.words.items():
            mine = published.get((role, name), published.get((0, name)))
            assert held.tobytes() == mine, f"role {role} has other words of @{name} than told"
    (version,) = versions
    assert not {role for role, told in network.observations.items() if told} - {0}
    return Ending(version, seen(network.observations.get(0, [])), published)


def seen(observations: Sequence[Observation]) -> list[Seen]:
    """Observations in bits."""
    return [
        (each.name, np.asarray(each.total).tobytes(), each.count, each.version)
        for each in observations
    ]


def over_sockets(module: ModuleOp, words: LearnerWords) -> Ending:
    """The ending of the roles of a module, each a thread with TCP connections to its peers.

    Raises:
        AssertionError: a role didn't finish, or its records aren't what they should be.
    """
    return ending_of(module, run_roles(module, words))


def ending_of(
    module: ModuleOp, ends: Mapping[int, RoleEnd], every_progress: bool = True, begin: int = 0
) -> Ending:
    """What the roles of a module have told; with `every_progress` each version of each of them.

    They have begun at version `begin`.

    Raises:
        AssertionError: a role didn't finish, or its records aren't what they should be.
    """
    distribution = find_distribution(module)
    assert distribution is not None
    versions: set[int] = set()
    observed: list[Seen] = []
    published: dict[tuple[int, str], bytes] = {}
    labels = [label for op in distribution.learner.sums() for label in _labels(distribution, op)]
    states = list(distribution.learner.states)
    for role, end in ends.items():
        assert end.error is None, f"role {role}: {end.error!r}"
        versions.add(_version(end.records, every_progress, begin))
        for record in end.records:
            if record.kind == OBSERVATION:
                assert role == 0, "role 0 alone observes"
                told = (labels[record.index], record.words, record.count, record.version)
                observed.append(told)
            elif record.kind == STATE:
                assert (role, states[record.index]) not in published, "told twice"
                published[role, states[record.index]] = record.words
                versions.add(record.version)
    (version,) = versions
    return Ending(version, observed, published)


def _labels(distribution: Distribution, op: object) -> Sequence[str]:
    return distribution.learner.observation_labels(op)  # pyright: ignore[reportArgumentType]


def _version(records: Sequence[Record], every_progress: bool, begin: int) -> int:
    """The version of the last record, which is the end; progress counts up to it."""
    assert [record.kind for record in records if record.kind == END] == [END]
    assert records[-1].kind == END
    progress = [record.version for record in records if record.kind == PROGRESS]
    versions = list(range(begin + 1, records[-1].version + 1))
    assert progress == (versions if every_progress else sorted({*versions} & {*progress}))
    assert progress[-1:] == versions[-1:]
    return records[-1].version
