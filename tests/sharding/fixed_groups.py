"""Eight fixed groups: whoever holds them and however they exchange, the state has one digest.

Entry: `CONTRACTS`, `OWNERS`, `TOPOLOGIES`, `digests_of`, `wanted_digest`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import numpy as np
from oracle.orders import Order
from oracle_comparison.running import with_contract
from sharding.least_squares import learner_text, trajectory
from sharding.product import CHOICES, Choice, partitioned, read

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.digests import state_digest
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

GROUPS = (1, 0, 1, 2, 0, 1, 1, 1)
CONTRACTS = tuple(Order(GROUPS, fan) for fan in (0, 2, 3))
OWNERS = range(1, 8)
TOPOLOGIES = ("star", "pair", "tree<1>", "tree<2>", "tree<3>")
ROUNDS = 4


def file_of(contract: Order) -> LearnerFile:
    """Adam with this contract at its sum, and owners that it doesn't declare."""
    return read(with_contract(learner_text("adam", "odd", "f64", "1, star"), contract))


def digest_of(file: LearnerFile, running: LearnerInterpreter | ShardInterpreter) -> str:
    """The digest of the state after some rounds."""
    for _ in range(ROUNDS):
        running.step()
    types = {name: op.type for name, op in file.learner.states.items()}
    return state_digest(types, running.state)


def wanted_digest(contract: Order) -> str:
    """The digest that the oracle's state has."""
    state, _ = trajectory("adam", "odd", "f64", contract, ROUNDS)[-1]
    types = {name: op.type for name, op in file_of(contract).learner.states.items()}
    return state_digest(types, {name: np.asarray(words) for name, words in state.items()})


def splits(owners: int) -> list[tuple[int, ...] | None]:
    """How owners may share the samples by whole groups: as they are dealt, and in a random way."""
    random = Random(owners)
    ends = sorted(random.randrange(len(GROUPS) + 1) for _ in range(owners - 1))
    bounds = [0, *ends, len(GROUPS)]
    sizes = (sum(GROUPS[low:high]) for low, high in pairwise(bounds))
    return [None, tuple(sizes)]


def digests_of(
    contract: Order, owners: int, choices: Sequence[Choice] | None = None
) -> dict[str, str]:
    """The digest of `learner`, and of every topology, split and choice; None are all choices.

    Of choices that are given, each setting takes another one in turn.
    """
    file = file_of(contract)
    found = {"learner": digest_of(file, LearnerInterpreter(file.learner, file.words, Words()))}
    turn = 0
    for topology in TOPOLOGIES:
        if topology == "pair" and owners != 2:
            continue
        for split in splits(owners):
            module = file.module.clone()
            options = {"owners": owners, "topology": topology, "samples": split}
            run_pass(file.context, module, "distribute", **options)
            replicated = LearnerFile(file.file, file.context, module, file.learner, file.words)
            taken = CHOICES if choices is None else [choices[turn % len(choices)]]
            turn += 1
            for choice in taken:
                running = ShardInterpreter(partitioned(replicated, choice), file.words, Words())
                found[f"{topology} {split} {choice}"] = digest_of(file, running)
    return found
