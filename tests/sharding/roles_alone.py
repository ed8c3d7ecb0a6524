"""Roles that are run alone, beside all roles in one process, and what these exchange.

Entry: `Case`, `opened`, `started`, `Recorded`, `run_alone`, `poisoned`, `shown`, `shown_all`,
    `shown_observations`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from oracle.learners import WARDS
from xdsl.ir import SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.learner import Observation
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.symbolic import symbolic_words
from alpha.interpreters.words import Words
from alpha.interpreters.work import Environment, Held, RoleWork, Total
from alpha.ir.dialects.shard_exchange import AdvanceOp, CombineOp, ReplicateOp, TransferOp
from alpha.ir.dialects.shard_work import AgreeOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.shapes import element_name, shape_of
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

EXAMPLES_FOLDER = Path(__file__).resolve().parents[2] / "examples"
ADAM, MIXED, LOCAL = "diabetes_adam", "perceptron_mixed", "local_correlation_distributed"
ALL = ("optimizer", "parameters", "gradients")
Exchange = CombineOp | ReplicateOp | TransferOp


class Case(NamedTuple):
    """An example, how it is partitioned, and the fault that it is given."""

    example: str
    modes: Sequence[str] = ()
    fault: str | None = None

    def __str__(self) -> str:
        return "-".join(filter(None, (self.example, "+".join(self.modes), self.fault)))


def opened(case: Case) -> tuple[LearnerFile, Distribution]:
    """An example in its distribution; Adam's is made by the passes, among four owners."""
    file = LearnerFile.read(str(EXAMPLES_FOLDER / f"{case.example}.mlir"))
    if case.example == ADAM:
        run_pass(file.context, file.module, "distribute", owners=4, topology="star", samples=WARDS)
        for mode in case.modes:
            run_pass(file.context, file.module, f"partition_{mode}", map="cyclic")
    if case.fault is not None:
        run_pass(file.context, file.module, "mutate", kind=case.fault)
    distribution = find_distribution(file.module)
    assert distribution is not None
    return file, distribution


def run_alone(
    work: RoleWork, received: Mapping[SSAValue, Held], environment: Environment
) -> list[Observation]:
    """One round of a role, where all that is exchanged is what it is said to receive."""
    seen: list[Observation] = []
    for op in work.prepared.distribution.round.body.block.ops:
        if isinstance(op, Exchange):
            environment[op.result] = received[op.result]
        elif not isinstance(op, AgreeOp):
            observed = work.run(op, environment)
            seen += [] if observed is None else [observed]
    return seen


class Recorded(ShardInterpreter):
    """All roles in one process, and what each has had of each value in the last round.

    What is exchanged is kept when it is made, since nothing is left of a replica after its release.
    """

    environments: Sequence[Environment] = ()

    def step(self) -> list[Observation]:
        self.exchanged: list[dict[SSAValue, Held]] = [{} for _ in self.roles]
        return super().step()

    def _exchanged(self, op: Exchange, environments: Sequence[Environment]) -> Sequence[Held]:
        found = super()._exchanged(op, environments)
        for received, held in zip(self.exchanged, found, strict=True):
            received[op.result] = held
        return found

    def _advance(self, op: AdvanceOp, environments: Sequence[Environment]) -> None:
        self.environments = environments
        super()._advance(op, environments)


def started(case: Case, terms: bool) -> tuple[Recorded, list[RoleWork]]:
    """All roles together, and each of them alone, from the same words and a version before."""
    file, distribution = opened(case)
    carrier: Carrier = Words()
    words, before = file.words, {name: each + 1.0 for name, each in file.words.states.items()}
    if terms:
        carrier = Terms(nodes_max=1_000_000)
        words = symbolic_words(file.learner, file.words, carrier)
        before = {
            name: carrier.symbol_array(f"{name} before", shape_of(op.type), element_name(op.type))
            for name, op in file.learner.states.items()
        }
    together = Recorded(distribution, words, carrier, before)
    # Nothing that is prepared is shared: each is the role of a process of its own.
    alone = [
        RoleWork(Prepared(distribution, carrier), role, words, before)
        for role in range(distribution.owners)
    ]
    return together, alone


def poisoned(
    words: LearnerWords, states: Mapping[str, Sequence[int]], rows: Sequence[int], poison: object
) -> LearnerWords:
    """A copy in which these words of states and these samples are others, up to the last."""
    changed = {name: np.array(array) for name, array in words.states.items()}
    for name, coordinates in states.items():
        changed[name].reshape(-1)[list(coordinates)] = poison
    samples = {
        name: [np.array(array) for array in components]
        for name, components in words.samples.items()
    }
    for array in (each for components in samples.values() for each in components):
        array[list(rows)] = poison
    return LearnerWords(changed, words.constants, samples)


def shown(held: Held) -> object:
    """Everything that there is to a value, by its bits; those of a term are its number."""
    if isinstance(held, np.ndarray):
        return held.shape, str(held.dtype), held.tobytes()
    if isinstance(held, Total):
        return shown(held.words), held.count
    return {group: (shown(part.words), part.count) for group, part in held.items()}


def shown_all(held: Mapping[Any, Held]) -> dict[Any, object]:
    """The same of every value of a name."""
    return {name: shown(each) for name, each in held.items()}


def shown_observations(seen: Sequence[Observation]) -> list[object]:
    """The same of all that was observed."""
    return [(each.name, shown(each.total), each.count, each.version) for each in seen]
