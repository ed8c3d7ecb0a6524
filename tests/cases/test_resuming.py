"""Cases of resuming: all roles go on from one generation, or none does anything."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from levels.natively import CACHE
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.runs import Side, Store, ended_roles, run

from alpha.interpreters.participants.failures import PeerLost
from alpha.ir.refusals import Refusal
from alpha.tools.building.cache import VARIABLE
from alpha.tools.building.description import RunDescription

STOP, ENDS = 3, 7
SIDE = Side("role", 3, "star", ("optimizer",), "cyclic")


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power is lost here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setenv(VARIABLE, str(CACHE))


@pytest.fixture
def written(tmp_path: Path) -> tuple[Path, Path]:
    """A learner, and the folder with its generations 1 to 3."""
    file, store = learner_file("adam", "f64", tmp_path), Store(tmp_path / "generations", 1)
    run(file, SIDE, STOP, tmp_path, store=store)
    return file, store.path


OTHERS = {
    "fresh": (),
    "of an older generation": ("--resume=GENERATIONS/gen-2",),
    "of another run's words": ("--resume=OTHER/gen-3",),
    "to another end": ("--resume=GENERATIONS", "--rounds=8"),
}
"""What role 1, or another one, begins with, while the others go on from the newest generation."""


@pytest.mark.parametrize("role", [0, 1, 2])
@pytest.mark.parametrize("other", OTHERS)
def test_V04_one_role_begins_with_something_else(
    other: str, role: int, written: tuple[Path, Path], tmp_path: Path
) -> None:
    """huggingface/transformers #28270: rank 0 resumed, rank 1 began anew, and it hung.

    The run's identity is made of the generation too, so the first frame between the two is refused;
    nothing is told, and no word is computed with.
    """
    file, generations = written
    again = Store(tmp_path / "again")
    run(file, SIDE._replace(modes=()), STOP, tmp_path, store=again)
    places = {"GENERATIONS": str(generations), "OTHER": str(again.path)}
    given = list(OTHERS[other])
    for name, path in places.items():
        given = [flag.replace(name, path) for flag in given]
    usual = [*SIDE.flags(), f"--resume={generations}", f"--rounds={ENDS}"]
    unusual = [*SIDE.flags(), f"--rounds={ENDS}", *given]
    flags = {each: unusual if each == role else usual for each in range(3)}
    ends = ended_roles(file, flags)
    refusals = [end.error for end in ends.values() if isinstance(end.error, Refusal)]
    assert refusals and {each.code for each in refusals} == {"frame-identity"}
    assert all(isinstance(end.error, Refusal | PeerLost) for end in ends.values())
    assert not any(end.records for end in ends.values()), "nothing is told"


def test_V04_where_all_begin_alike_they_go_on(written: tuple[Path, Path]) -> None:
    """The twin: from one generation, wherever each of them finds it."""
    file, generations = written
    copy = generations.parent / "a copy"
    shutil.copytree(generations / "gen-3", copy)
    flags = [*SIDE.flags(), f"--rounds={ENDS}"]
    places = (generations, generations / "gen-3", copy)
    ends = ended_roles(file, {role: [*flags, f"--resume={at}"] for role, at in enumerate(places)})
    assert [end.error for end in ends.values()] == [None] * 3
    assert all(end.records for end in ends.values())


@pytest.mark.parametrize("begins", [(), ("gen-2",)])
def test_V04_natively_role_1_of_another_build(
    begins: Sequence[str], written: tuple[Path, Path], tmp_path: Path
) -> None:
    """Its executable is put into the folder, and described as if it belonged there."""
    file, generations = written
    flags = ("--owners=3", "--topology=star", "--partition=optimizer", f"--rounds={ENDS}")
    folders = {
        "own": (tmp_path / "own", [f"--resume={generations}"]),
        "other": (tmp_path / "other", [f"--resume={generations / name}" for name in begins]),
    }
    for folder, resume in folders.values():
        told = command("build", file, "-o", folder, *flags, *resume)
        assert told.status == 0, told
    own, other = (folder for folder, _ in folders.values())
    assert command("run", own).status == 0
    described, foreign = RunDescription.read(own), RunDescription.read(other)
    roles = (described.roles[0], foreign.roles[1], described.roles[2])
    text = replace(described, roles=roles).text()
    (own / "run.json").write_text(text, encoding="utf-8")
    for path in other.glob("role-1*"):
        shutil.copy(path, own / path.name)
    told = command("run", own)
    assert told.status == 3, told
    assert ": refused frame-identity: expected run_identity " in told.said.splitlines()[0]
    assert "state sha256" not in told.out
