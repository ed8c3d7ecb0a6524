"""Runs of a distribution that store generations and begin with them, at every level.

Entry: `Schedule`, `lowered`, `Run`, `over_the_network`, `over_the_roles`, `over_sockets`, `LEVELS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from generations.memories import Memory
from levels.endings import Ending, ending_of, ending_of_run, projected
from levels.sockets import run_roles
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.participants.reports import PROGRESS, STORED
from alpha.interpreters.protocol import ProtocolInterpreter
from alpha.interpreters.roles import Programs, RolesInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.view import find_protocol
from alpha.tools.distributing import run_pass

GENERATION = "c0ffee" + "0123456789" * 5 + "abcdef01"


class Schedule(NamedTuple):
    """The version at the end, the rounds between two generations, and where a run begins."""

    end: int
    every: int | None
    begin: int = 0

    def versions(self, resumed: bool) -> list[int]:
        """The versions that are stored, said one by one."""
        if self.every is None:
            return []
        if self.end == self.begin:
            return [] if resumed else [self.begin]
        every = range(self.begin + 1, self.end + 1)
        return [at for at in every if at == self.end or (self.every and not at % self.every)]


def lowered(
    context: AlphaContext,
    module: ModuleOp,
    schedule: Schedule,
    resumed: bool,
    exchange: str = "gather",
) -> ModuleOp:
    """A copy of a module with the protocol of its distribution."""
    copy = module.clone()
    options: dict[str, object] = {"rounds": schedule.end, "exchange": exchange}
    if schedule.every is not None:
        options["checkpoint"] = schedule.every
    if resumed:
        options |= {"begin": schedule.begin, "generation": GENERATION}
    run_pass(context, copy, "lower_shard_to_protocol", **options)
    run_pass(context, copy, "check_protocol")
    return copy


States = Mapping[str, np.ndarray] | None


class Run(NamedTuple):
    """How a run has ended, and what it said that it stored."""

    ending: Ending
    stored: list[int]


def over_the_network(
    context: AlphaContext, module: ModuleOp, words: LearnerWords, memory: Memory, states: States
) -> Run:
    """All roles walk the protocol, and no frame waits anywhere."""
    del context
    protocol = find_protocol(module)
    assert protocol is not None
    stores = memory.stores(protocol.group.members)
    given = {"buffer": 0, "seed": 3, "stores": stores, "states": states}
    running = ProtocolInterpreter(protocol, words, Words(), **given)
    return Run(ending_of_run(running), running.network.stored)


def over_the_roles(
    context: AlphaContext, module: ModuleOp, words: LearnerWords, memory: Memory, states: States
) -> Run:
    """All roles walk their own programs."""
    copy = projected(context, module)
    run_pass(context, copy, "check_schedules")
    programs = Programs.of(copy)
    assert programs is not None
    stores = memory.stores(programs.roles)
    running = RolesInterpreter(programs, words, Words(), stores=stores, states=states)
    return Run(ending_of_run(running), running.network.stored)


def over_sockets(
    context: AlphaContext, module: ModuleOp, words: LearnerWords, memory: Memory, states: States
) -> Run:
    """All roles run their own programs, each a thread with TCP connections to its peers."""
    copy = projected(context, module)
    programs = Programs.of(copy)
    assert programs is not None
    # Who stores nothing has no store.
    stores = memory.stores(programs.roles) if "checkpoint" in str(copy) else {}
    ends = run_roles(copy, words, stores=stores, states=states)
    ending = ending_of(copy, ends, begin=programs.begin)
    for role, end in ends.items():
        stored = [record for record in end.records if record.kind == STORED]
        assert role == 0 or not stored
        assert all((record.index, record.count, record.words) == (0, 0, b"") for record in stored)
    # A generation is said to be published before a later version is made.
    versions = [r.version for r in ends[0].records if r.kind in (PROGRESS, STORED)]
    assert versions == sorted(versions)
    return Run(ending, [record.version for record in ends[0].records if record.kind == STORED])


Level = Callable[[AlphaContext, ModuleOp, LearnerWords, Memory, States], Run]

LEVELS: Mapping[str, Level] = {
    "protocol": over_the_network,
    "roles": over_the_roles,
    "sockets": over_sockets,
}
