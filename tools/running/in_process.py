"""`alpha run` at the levels learner and shard: all owners, or nobody's, in this process.

Refuses: numeric-nonfinite in a round (exit status 3); target-unsupported, checkpoint-version, and
    what the passes refuse.
Entry: `run_in_process`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.digests import learner_parts
from alpha.ir.refusals import Refusal
from alpha.tools.checkpoints.flags import every_of
from alpha.tools.checkpoints.levels import (
    LevelStore,
    check_rounds_left,
    facts_of_learner,
    facts_of_owners,
)
from alpha.tools.checkpoints.resuming import Resumed
from alpha.tools.checkpoints.storing import Storing, storing
from alpha.tools.distributing import Levels, is_distributed, say_remarks
from alpha.tools.distribution_flags import refuse_distribution_flags
from alpha.tools.driver.counts import counted
from alpha.tools.exits import DONE, RoundRefused
from alpha.tools.learner_file import LearnerFile
from alpha.tools.progress import progress
from alpha.tools.protocol_levels import check_rounds, rounds_written
from alpha.tools.running.outputs import check_inputs, finish, recorder
from alpha.tools.running.reporting import Subject, print_heading

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.running.reporting import Recorder

Interpreter = LearnerInterpreter | ShardInterpreter


def run_in_process(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run all owners, or the undistributed learner, in this process."""
    source = LearnerFile.read(arguments.file, situation)
    check_inputs(arguments, source.data_files())
    total, why = _rounds(source, arguments)
    resumed = Resumed.of(arguments, source.learner, source.words)
    check_rounds_left(total, resumed)
    history = None if resumed is None else resumed.history
    interpreter, owners = _interpreter(source, arguments, situation, resumed)
    over = resumed is not None and resumed.version == total
    stores = arguments.checkpoint is not None and not over
    with storing(arguments, stores, history, total) as store:
        kept = _kept(interpreter, source, arguments, resumed, store, total)
        with recorder(arguments) as record:
            print_heading(source.learner, source.words, f"{owners}{why}")
            _step(interpreter, total, record, kept)
    subject = Subject.of(source.learner)
    finish(subject, interpreter.state, interpreter.version, arguments, record)
    return DONE


def _rounds(source: LearnerFile, arguments: argparse.Namespace) -> tuple[int, str]:
    """How many rounds are run, and what a heading says of it where nobody said a number.

    A protocol in the file says how many its level runs; so that the levels of one file agree, the
    others run as many.

    Raises:
        Refusal: target-unsupported for another number.
    """
    written = rounds_written(source.module)
    check_rounds(arguments, written)
    if arguments.rounds is not None:
        return arguments.rounds, ""
    if written is None:
        return 1, ""
    return written, f"; {counted(written, 'round')}, as the protocol in the file makes"


def _interpreter(
    source: LearnerFile,
    arguments: argparse.Namespace,
    situation: Situation,
    resumed: Resumed | None,
) -> tuple[Interpreter, str]:
    """The interpreter of the level that is asked for, and what a heading says of its owners."""
    level = arguments.interpret
    if level == "auto":
        level = "shard" if is_distributed(arguments, source) else "learner"
    if level == "learner":
        refuse_distribution_flags(arguments, "--interpret=learner")
        states = None if resumed is None else resumed.states()
        if resumed is not None:
            resumed.say_contracts(source.learner)
        given = (source.learner, source.words, Words(), states)
        return LearnerInterpreter(*given, 0 if resumed is None else resumed.version), ""
    distribution = list(Levels.of(source, arguments).distributions().values())[-1]
    say_remarks(source, situation)
    owners = f"; {counted(distribution.owners, 'owner')}, {distribution.topology}"
    if resumed is None:
        return ShardInterpreter(distribution, source.words, Words()), owners
    resumed.say_contracts(distribution.learner)
    words = replace(source.words, states=resumed.states())
    begun = ShardInterpreter(distribution, words, Words(), begin=resumed.version)
    return begun, owners


def _kept(
    interpreter: Interpreter,
    source: LearnerFile,
    arguments: argparse.Namespace,
    resumed: Resumed | None,
    store: Storing,
    total: int,
) -> Callable[[], None]:
    """What writes a generation, if one of the version at hand is wanted."""
    every = every_of(arguments)
    if every is None:
        return lambda: None
    parts = learner_parts(source.learner, source.words)
    if isinstance(interpreter, LearnerInterpreter):
        facts = facts_of_learner(source.learner, parts, resumed)
    else:
        facts = facts_of_owners(interpreter.distribution, parts, resumed)
    kept = LevelStore(facts, store, every, total)

    def words(role: int, name: str) -> np.ndarray:
        if isinstance(interpreter, LearnerInterpreter):
            return interpreter.state[name]
        return interpreter.owners[role].words[name]

    return lambda: kept.reached(interpreter.version, words)


def _step(interpreter: Interpreter, total: int, record: Recorder, kept: Callable[[], None]) -> None:
    """Run to a version; `kept` is called at each."""
    if not interpreter.version and not total:
        kept()
    for _ in progress(range(interpreter.version, total), total, "rounds"):
        version = interpreter.version
        try:
            observations = interpreter.step()
        except Refusal as refusal:
            raise RoundRefused(refusal) from None
        record.add(version, observations)
        kept()
