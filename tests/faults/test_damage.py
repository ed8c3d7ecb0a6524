"""Generations that somebody has damaged, as `alpha run --resume` sees them.

Every byte of every file is the business of the tests of generations; here are some of each, with
all that is between a command and what it reads.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from faults import damaging
from faults.covering import Task, wrong_of
from faults.damaging import NEWER, Damage, damages, of_another, refused, resumed
from faults.plays import X86, prepared

STEP, EVERY = 200, 13


def test_damage_of_every_kind() -> None:
    """It is refused where it is asked for, and passed over where there is an older one."""
    found = list(damages("star", STEP))
    kinds = [each.name.split()[0] for each in found]
    chosen = [at for at, kind in enumerate(kinds) if at % EVERY == 0 or kinds.index(kind) == at]
    assert wrong_of([Task("damage", "star", 0, X86, (STEP, at)) for at in chosen]) == []


@pytest.mark.parametrize("how", [("--targets", "x86-64"), ("--interpret=role",)])
def test_damage_is_passed_over_by_all_who_run(how: tuple[str, ...], tmp_path: Path) -> None:
    play, path = prepared("star"), tmp_path / "path"
    damaging.shutil.copytree(play.generations, path)
    os.truncate(path / NEWER / "shard-2.safetensors", 100)
    told = resumed(play, path, *how)
    assert (told.status, told.out.splitlines()[-1]) == (0, play.end), told
    assert f"alpha: warning: {NEWER} was passed over: [checkpoint-digest] " in told.said


def test_generations_of_another_run() -> None:
    """Of the same learner they are gone on from, of another one they aren't."""
    told = of_another("star", "tree")
    assert (told.status, told.out.splitlines()[-1]) == (0, prepared("star").end), told
    told = of_another("star", "wide")
    assert told.status == 1 and "error: [checkpoint-learner] expected the state w " in told.said


def test_damage_that_would_be_noticed() -> None:
    """Where none is done, and where it is refused with another code."""
    assert len(refused("star", Damage("none", lambda path: None))) == 2
    gone = next(each for each in damages("star", STEP) if each.name.startswith("remove shard"))
    assert refused("star", gone) == []
    assert len(refused("star", Damage(gone.name, gone.do, ("checkpoint-digest",)))) == 2
