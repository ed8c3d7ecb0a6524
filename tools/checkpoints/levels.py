"""Generations of levels that have all owners in one process: what is written, and when.

Invariant: the files are those that the owners would write, each its own. No frame of such a run
    names it, so its identity is made of the learner, the contract and who owns what.
Refuses: checkpoint-exists, checkpoint-name, checkpoint-version.
Entry: `LevelStore`, `facts_of_learner`, `facts_of_owners`, `check_rounds_left`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alpha.ir.canonical import digest
from alpha.ir.checkpoints.facts import Facts, states_of
from alpha.ir.checkpoints.writing import write_generation
from alpha.ir.digests import learner_digest
from alpha.ir.protocol.identity import RunDigests, contract_digest
from alpha.ir.refusals import Refusal
from alpha.ir.topologies import Topology
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.learners import Learner
    from alpha.ir.sharding.distribution import Distribution
    from alpha.tools.checkpoints.resuming import Resumed
    from alpha.tools.checkpoints.storing import Storing

Words = Callable[[int, str], "np.ndarray"]
"""What an owner has of a state."""

ALONE = "star"
"""The topology of one owner, along which nothing goes."""


@dataclass(frozen=True)
class LevelStore:
    """Writes generations of one run when their versions come."""

    facts: Facts
    store: Storing
    every: int
    """Every how many rounds, 0 for the end alone."""
    last: int
    """The version at the end."""

    def reached(self, version: int, words: Words) -> None:
        """Write the generation of a version, if it is one of those that are wanted.

        Raises:
            Refusal: checkpoint-exists.
            InputOutputError: it can't be written.
        """
        due = self.every > 0 and version % self.every == 0
        path = self.store.path
        if path is None or not (due or version == self.last):
            return
        tree = Topology.parse(self.facts.topology).tree(self.facts.owners)
        try:
            write_generation(path, self.facts, version, words, tree)
        except OSError as error:
            raise InputOutputError(
                f"cannot write {error.filename or path}: {reason_of(error)}"
            ) from None
        self.store.published(version)


def facts_of_learner(learner: Learner, parts: Mapping[str, str], resumed: Resumed | None) -> Facts:
    """What is known of the generations of a learner that nobody shares out.

    Raises:
        Refusal: `checkpoint-name` for a state that no shard can name.
    """
    digests = _digests(learner, parts, 1, ALONE)
    return Facts(
        name=learner.name,
        learner=digests.learner,
        contract=digests.contract,
        run=digests.identity.hex(),
        parts=dict(parts),
        contracts=tuple(str(learner.contract_of(op)) for op in learner.sums()),
        owners=1,
        topology=ALONE,
        states=states_of(learner),
        maps=dict.fromkeys(learner.states),
        resumed=_start(resumed),
    )


def facts_of_owners(
    distribution: Distribution, parts: Mapping[str, str], resumed: Resumed | None
) -> Facts:
    """What is known of the generations of owners that run in one process.

    Raises:
        Refusal: `checkpoint-name` for a state that no shard can name.
    """
    topology = str(distribution.topology)
    digests = _digests(distribution.learner, parts, distribution.owners, topology)
    return Facts.of(distribution, digests, parts, _start(resumed))


def _digests(learner: Learner, parts: Mapping[str, str], owners: int, topology: str) -> RunDigests:
    membership = digest(("one process", owners))
    way = digest(("no frames", topology))
    return RunDigests(learner_digest(parts), contract_digest(learner), membership, way)


def _start(resumed: Resumed | None) -> tuple[int, str] | None:
    return None if resumed is None else (resumed.version, resumed.digest)


def check_rounds_left(rounds: int, resumed: Resumed | None) -> None:
    """See that a run doesn't end before it begins.

    Raises:
        Refusal: checkpoint-version.
    """
    if resumed is not None and rounds < resumed.version:
        wanted = f"--rounds of at least {resumed.version}, the version of the generation"
        raise Refusal("checkpoint-version", wanted, f"{rounds}")
