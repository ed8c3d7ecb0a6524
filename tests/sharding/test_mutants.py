"""What docs/mutants.md says of distributions: what refuses each mutant, and what else would.

The mutants of roles are looked at in `runs.test_role_mutants`.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from alpha.ir.refusals import TABLE
from alpha.passes.protocol.mutants import KINDS as ROLE_KINDS
from alpha.passes.sharding.mutants import KINDS
from alpha.tools.commands.inspect import TERMS_NODES_MAX
from alpha.tools.distributing import Levels
from alpha.tools.distribution_flags import FLAGS, MODES
from alpha.tools.learner_file import LearnerFile
from alpha.tools.mutants import EQUIVALENT, INAPPLICABLE, what_refuses

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
LEARNERS = ("least_squares_sgd", "least_squares_momentum", "least_squares_adam")
TOPOLOGIES = ("star", "tree<2>")
LEVELS = ("replicated", "partitioned")
CHAIN_MAX = 8


def rows(columns: int) -> list[list[str]]:
    """The cells of the rows of the table with so many columns, without its heading."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == columns]


@cache
def made(learner: str, topology: str) -> tuple[LearnerFile, Levels]:
    """A learner and its two levels."""
    source = LearnerFile.read(str(ROOT / "examples" / f"{learner}.mlir"))
    flags = Namespace(**{**dict.fromkeys(FLAGS), "topology": topology})
    return source, Levels.of(source, flags, MODES)


@cache
def refused_by(
    learner: str, topology: str, level: str, kind: str, without: tuple[str, ...] = ()
) -> str:
    """What refuses a mutant when these checks are off."""
    source, levels = made(learner, topology)
    arguments = Namespace(terms_nodes_max=TERMS_NODES_MAX, rounds=3)
    return what_refuses(source, levels.modules[level], kind, arguments, without)


def chain(learner: str, topology: str, level: str, kind: str) -> list[str]:
    """What refuses a mutant, then without that, and so on, until nothing more can be turned off."""
    found: list[str] = []
    while len(found) < CHAIN_MAX:
        answer = refused_by(learner, topology, level, kind, tuple(found))
        if answer in found:  # refused where it is run, too
            break
        found.append(answer)
        if answer not in TABLE or answer.startswith("verify-"):
            break
    return found


def shown(answers: list[str]) -> tuple[str, str]:
    """The last two cells of a row."""
    words = [f"`{answer}`" if answer in TABLE else answer for answer in answers]
    return words[0], ", then ".join(words[1:])


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Every learner, topology, level and kind."""
    for learner in LEARNERS:
        for topology in TOPOLOGIES:
            for level in LEVELS:
                for kind in KINDS:
                    yield learner, topology, level, kind


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_row_says_what_happens(learner: str, topology: str) -> None:
    """Both of the last cells of every row of the page, for every learner and topology."""
    for kind, level, of, first, rest in rows(5):
        if of in ("any", topology, learner):
            answers = chain(learner, topology, level, kind.strip("`"))
            assert shown(answers) == (first, rest), f"{kind} {level} of {learner}, {topology}"


def test_every_mutant_has_its_rows() -> None:
    """Each kind, level, topology and learner has one row, and each kind a sentence."""
    said = [
        (learner, topology, level, kind.strip("`"))
        for kind, level, of, _, _ in rows(5)
        for topology in TOPOLOGIES
        for learner in LEARNERS
        if of in ("any", topology, learner)
    ]
    assert sorted(said) == sorted(cases())
    assert [kind.strip("`") for kind, _ in rows(2)] == [*KINDS, *ROLE_KINDS]


def test_all_mutants_that_apply_are_refused_by_a_check() -> None:
    """All of them, but those that are equal after all, by a code; none by the comparison alone."""
    answers = {case: refused_by(*case) for case in cases()}
    applied = {case: code for case, code in answers.items() if code != INAPPLICABLE}
    assert EQUIVALENT not in applied.values()
    assert all(code in TABLE and not code.startswith("verify-") for code in applied.values())
    assert {case[3] for case in applied} == KINDS.keys()


def codes() -> list[str]:
    """The codes that are the first to refuse some mutant, by the page."""
    return sorted({first.strip("`") for *_, first, _ in rows(5) if first.startswith("`")})


@pytest.mark.parametrize("code", codes())
def test_without_its_check_a_code_refuses_nothing(code: str) -> None:
    """A check that is turned off isn't missed by chance: its mutants get on to what is next."""
    caught = [case for case in cases() if refused_by(*case) == code]
    assert caught
    assert all(refused_by(*case, (code,)) != code for case in caught)
