"""What docs/mutants.md says of roles: which check refuses a mutant, and how it ends if it is run.

Each is run over sockets, by roles in threads, although it is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from levels.sockets import RoleEnd, run_roles
from runs.conversations import roles_of
from runs.stands import ALL_MODES, gate
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.interpreters.participants.deadlines import Bounds
from alpha.interpreters.participants.failures import PeerLost
from alpha.interpreters.participants.reports import END, STATE
from alpha.interpreters.role import RoleWalk, find_roles
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords
from alpha.ir.refusals import TABLE, Refusal
from alpha.passes.protocol.mutants import KINDS
from alpha.passes.protocol.schedules import check_programs
from alpha.tools.distributing import run_pass
from alpha.tools.role_mutants import INAPPLICABLE, LOST

PAGE = Path(__file__).resolve().parents[2] / "docs" / "mutants.md"
LEARNERS = ("least_squares_sgd", "least_squares_momentum", "least_squares_adam")
UNSEEN = "not before it runs"
LONG = Bounds(wait_seconds_max=20.0)
SHORT = Bounds(wait_seconds_max=0.15)
"""For roles that all wait in vain."""
Case = tuple[str, str, tuple[str, ...], str]
"""Learner, topology, partitioning and exchange."""


def rows() -> dict[tuple[str, str], tuple[str, str]]:
    """By kind and whose roles they are: what refuses the mutant, and what ends its run."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {
        (row[0], row[1]): (row[2], row[3]) for row in cells if len(row) == 4 and row[0] in KINDS
    }


def cases() -> Iterator[Case]:
    """Every program of roles of a learner that the page speaks of."""
    for learner in LEARNERS:
        for topology, exchanges in (("star", ("gather", "sharded")), ("tree<2>", ("gather",))):
            for modes in ((), ALL_MODES):
                for exchange in exchanges:
                    yield learner, topology, modes, exchange


@cache
def learner_roles(case: Case) -> tuple[ModuleOp, LearnerWords]:
    learner, topology, modes, exchange = case
    return roles_of(learner, 2, modes, exchange, topology=topology)


def mutant_of(module: ModuleOp, kind: str) -> ModuleOp | None:
    """The roles with a fault; None where there is nothing to change."""
    copy = module.clone()
    if not KINDS[kind](find_roles(copy)):
        return None
    verify_module(copy)
    return copy


def refused_by(module: ModuleOp) -> str:
    """The code of the check of schedules."""
    try:
        check_programs(find_roles(module))
    except Refusal as refusal:
        return refusal.code
    return UNSEEN


def ended_by(ends: Sequence[RoleEnd]) -> str:
    """The code with which one role refuses while all others are lost; nobody publishes."""
    refused = [end.error for end in ends if isinstance(end.error, Refusal)]
    assert all(isinstance(end.error, Refusal | PeerLost) for end in ends), ends
    assert not any(record.kind in (STATE, END) for end in ends for record in end.records)
    assert len(refused) <= 1
    return refused[0].code if refused else LOST


@pytest.mark.parametrize("kind", KINDS)
def test_a_mutant_of_the_choice_gate(kind: str) -> None:
    mutant = mutant_of(gate(), kind)
    if mutant is None:
        assert rows()[kind, "choice_gate"] == (INAPPLICABLE, "")
        return
    ends = list(run_roles(mutant, None, LONG).values())
    assert rows()[kind, "choice_gate"] == (refused_by(mutant), ended_by(ends))


@pytest.mark.parametrize("kind", KINDS)
def test_mutants_of_learners(kind: str) -> None:
    for case in cases():
        module, words = learner_roles(case)
        mutant = mutant_of(module, kind)
        if mutant is None:
            assert rows()[kind, "learners"] == (INAPPLICABLE, ""), case
            continue
        bounds = SHORT if kind == "swap-actions" else LONG
        ends = list(run_roles(mutant, words, bounds).values())
        assert rows()[kind, "learners"] == (refused_by(mutant), ended_by(ends)), case


def test_every_kind_has_its_rows() -> None:
    assert list(rows()) == [(kind, of) for kind in KINDS for of in ("choice_gate", "learners")]
    codes = {cell for row in rows().values() for cell in row} - {INAPPLICABLE, UNSEEN, LOST, ""}
    assert codes <= set(TABLE)
    applied = [kind for (kind, _), (first, _) in rows().items() if first != INAPPLICABLE]
    assert {*applied} == {*KINDS}


def test_what_isnt_a_mutant_ends_well() -> None:
    """The twins of all of the above."""
    for case in cases():
        module, words = learner_roles(case)
        assert refused_by(module) == UNSEEN
        assert all(end.error is None for end in run_roles(module, words).values())
    assert refused_by(gate()) == UNSEEN
    assert all(end.error is None for end in run_roles(gate(), None).values())


HIDDEN = """
protocol.global @three group #protocol.group<universe = 3, epoch = 0, id = "33", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 3) {
    %x = arith.constant 1.5 : f64
    protocol.yield %x
  }
  %a = protocol.transfer %x from 0 to 1
  %b = protocol.transfer %x from 2 to 1
  %c = protocol.transfer %x from 2 to 0
}
"""


def test_buffers_hide_a_cycle_that_waits_in_a_send() -> None:
    """It is refused although it ends well over sockets: without buffers role 2 waits for ever."""
    context = make_context()
    module = parse_source(context, HIDDEN.encode(), "three.mlir")
    run_pass(context, module, "project_role")
    assert refused_by(module) == UNSEEN
    mutant = mutant_of(module, "swap-actions")
    assert mutant is not None
    assert refused_by(mutant) == "protocol-wait-cycle"
    assert all(end.error is None for end in run_roles(mutant, None).values())
    for buffer, finished in ((0, False), (1, True), (None, True)):
        participants = {
            role: RoleWalk(op, None, Words()).participant()
            for role, op in find_roles(mutant).items()
        }
        network = SimulatedNetwork(participants, seed=0, buffer=buffer, deadline=1.0)
        network.run()
        assert (network.first_failure is None) == finished
