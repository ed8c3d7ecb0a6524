"""Words that a role refuses: not finite, the number of no arm, or not those of all copies."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from native_faults.casts import CASTS, End, Play
from native_faults.lies import compared, differing, lies, told
from native_faults.overflowing import overflowing
from native_faults.relayed import run
from runs.stands import gate
from runs.test_role_mutants import learner_roles, mutant_of, rows
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.learner_words import LearnerWords
from alpha.tools.role_mutants import LOST

STEPS = {"x86-64": 3, "aarch64": 19, "every second": 17}
"""Of how many lies one is told."""

REFUSED = re.compile(r"alpha: role \d: refused ([a-z-]+): [^\n]+\n")


@pytest.mark.parametrize("cast", STEPS)
@pytest.mark.parametrize("name", ["pair", "star", "chain", "direct", "gate"])
def test_lies_are_taken_as_the_interpreter_takes_them(name: str, cast: str) -> None:
    wrong: list[str] = []
    for lie in list(lies(name))[:: STEPS[cast]]:
        wrong += differing(name, lie, cast)
    assert wrong == []


def codes_of(ends: Iterator[End]) -> set[str]:
    """The codes with which roles have refused."""
    return {found[1] for end in ends if (found := REFUSED.fullmatch(end.said))}


def test_what_lies_are_refused_with() -> None:
    """Every code that there is for words; and some lies nobody can notice."""
    codes: set[str] = set()
    unnoticed = 0
    for name in ("pair", "star", "gate"):
        for lie in list(lies(name))[:: STEPS["x86-64"]]:
            ends = told(name, lie, "x86-64")
            codes |= codes_of(iter(ends.values()))
            unnoticed += all(end.status == 0 for end in ends.values())
    assert codes >= {
        "numeric-nonfinite",
        "data-parallel-replicas-diverge",
        "protocol-choice-noncanonical",
    }
    assert unnoticed


EXPLICIT = "[stride(1, 5, 3), join(stride(0, 1, 1), stride(2, 1, 4)), stride(7, 1, 4)]"
NONFINITE = (
    ("f64", "inf", 5, None, "x86-64"),
    ("f64", "nan", 11, "cyclic", "x86-64"),
    ("f64", "-inf", 6, "block", "alternating"),
    ("f32", "inf", 9, "cyclic", "aarch64"),
    ("f32", "nan", 7, "block_cyclic<2>", "x86-64"),
    ("f32", "-inf", 7, "rows<4, cyclic>", "every second"),
    ("f64", "inf", 2, EXPLICIT, "alternating"),
)


@pytest.mark.parametrize(("element", "what", "place", "map", "cast"), NONFINITE)
def test_a_word_that_is_not_finite(
    element: str, what: str, place: int, map: str | None, cast: str
) -> None:
    """The line says which, by its coordinate in the whole state, whoever has it."""
    play = overflowing(element, what, place, map)
    found = run(play, CASTS[cast]).ends
    assert list(compared(found, run(play, CASTS["interpreted"]).ends)) == []
    where = f"found {what} at coordinate [{place // 4}, {place % 4}]\n"
    said = [end.said for end in found.values() if end.status == 3]
    assert said and all(each.endswith(where) for each in said)
    assert all("refused numeric-nonfinite: expected finite words of @words at" in s for s in said)
    if map is not None:
        assert len(said) == 1, "its owner refuses it"
    assert not any(end.published for end in found.values())


# Mutants of roles: what docs/mutants.md says ends them


def of_one(module: ModuleOp, role: int) -> ModuleOp:
    """A module with the program of one role alone."""
    copy = module.clone()
    for op in list(copy.body.block.ops):
        if isinstance(op, RoleOp) and op.role.data != role:
            op.detach()
            op.erase()
    return copy


def mutant_play(module: ModuleOp, words: LearnerWords | None) -> Play:
    """Roles each of which was compiled by itself, as by someone who has a mutant of it alone."""
    play = Play(module, words)
    others = {role: Play(of_one(module, role), words) for role in play.programs}
    return Play(module, words, others)


def ended_by(play: Play, cast: str) -> str:
    """The code with which one role refuses while all others are lost; nobody publishes."""
    ends = run(play, CASTS[cast]).ends
    assert all(end.status in (3, 4) and not end.published for end in ends.values()), ends
    codes = codes_of(iter(ends.values()))
    assert len(codes) <= 1
    assert list(compared(ends, run(play, CASTS["interpreted"]).ends)) == []
    return codes.pop() if codes else LOST


KINDS = ("inverted-choice", "independent-forwarder", "noncanonical-word", "frame-binding")


@pytest.mark.parametrize("cast", ["x86-64", "aarch64", "every other"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_mutant_of_the_choice_gate(kind: str, cast: str) -> None:
    mutant = mutant_of(gate(), kind)
    assert mutant is not None
    assert ended_by(mutant_play(mutant, None), cast) == rows()[kind, "choice_gate"][1]


@pytest.mark.parametrize("topology", ["star", "tree<2>"])
def test_a_mutant_of_a_learner(topology: str) -> None:
    module, words = learner_roles(("least_squares_sgd", topology, (), "gather"))
    mutant = mutant_of(module, "frame-binding")
    assert mutant is not None
    found = ended_by(mutant_play(mutant, words), "alternating")
    assert found == rows()["frame-binding", "learners"][1]
