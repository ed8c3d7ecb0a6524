"""Roles that are killed, ended or stopped at any call while they write generations.

The campaign tries all calls; here are some of each role, and what the checks would notice.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from faults import crashing
from faults.covering import PLACES, Task, frames, some, wrong_of
from faults.crashing import bounds_of, crashed_into, examined, points, recorded
from faults.outliving import alone_points, launcher_points
from faults.plays import ARM, INTERPRETED, VERSIONS, X86, prepared
from faults.tracing import points_of
from faults.trials import Trial, check_resumed, environment, found_at, odd_lines, stand, waited
from levels.natively import CACHE
from native_runs.folders import Told, command

from alpha.tools.building.cache import VARIABLE

STEPS = {X86: 9, ARM: 20, INTERPRETED: 40}
"""Who takes longer to start is killed at fewer calls."""


@pytest.mark.parametrize(("name", "role"), PLACES)
@pytest.mark.parametrize("cast", STEPS)
def test_roles_that_are_killed(cast: str, name: str, role: int) -> None:
    """What is found is the generation before or the new one, and a run goes on from it."""
    assert wrong_of(some("crash", name, role, cast, STEPS[cast])) == []


@pytest.mark.parametrize("cast", [X86, ARM])
@pytest.mark.parametrize(("name", "role"), PLACES)
def test_roles_that_are_ended_between_generations(name: str, role: int, cast: str) -> None:
    """As they send and receive."""
    found = frames(stand(name, role, cast))
    step = max(1, len(found) // 4)
    tasks = [Task("end", name, role, cast, each) for each in found[role::step]]
    assert wrong_of(tasks) == []


@pytest.mark.parametrize(("cast", "role"), [(X86, 0), (X86, 1), (ARM, 1)])
def test_roles_that_are_stopped_for_good(cast: str, role: int) -> None:
    found = [each for each in points(stand("tree", role, cast)) if each.name == "fsync"]
    assert wrong_of([Task("stop", "tree", role, cast, found[role + 1])]) == []


def test_launchers_that_are_killed() -> None:
    """As it removes the older generation."""
    found = launcher_points("star")
    assert {each.name for each in found} == {"mkdir", "flock", "rename", "unlinkat", "rmdir"}
    chosen = [each for each in found if each.name == "unlinkat"][2:3]
    assert wrong_of([Task("launcher", "star", 0, X86, each) for each in chosen]) == []


def test_processes_with_all_owners_that_are_killed() -> None:
    found = alone_points("star")
    renaming = [each for each in found if each.name.startswith("rename")]
    chosen = (renaming[1], found[-3])
    assert wrong_of([Task("one process", "star", 0, INTERPRETED, each) for each in chosen]) == []


@pytest.mark.parametrize("cast", STEPS)
@pytest.mark.parametrize(("name", "role"), PLACES)
def test_every_call_is_a_point(name: str, role: int, cast: str) -> None:
    """From the first that makes a folder to the one that ends the role."""
    watched = stand(name, role, cast)
    found, (calls, path) = points(watched), recorded(watched)
    assert found[0].place.startswith(f".gen-{VERSIONS[0]}.")
    assert found[-1].name == "exit_group"
    every = points_of(calls, path, begin=False)
    assert found == every[-len(found) :]
    of_generation = [each for each in every if each.of_generation]
    assert of_generation == [each for each in found if each.of_generation]
    # Both generations are written by the same calls.
    names = [[], []]
    for each in of_generation:
        if each.place != ".":
            names[f"gen-{VERSIONS[1]}" in each.place].append(each.name)
    assert names[0] == names[1]
    # A shard, a manifest, the folder, and of role 0 the folder above.
    syncs = [each.place for each in of_generation if each.name == "fsync"]
    assert len(syncs) == len(VERSIONS) * (4 if role == 0 else 3)
    assert sum(each.name.startswith("rename") for each in found) == len(VERSIONS) * (role == 0)


@pytest.mark.parametrize("how", [(), ("--interpret=role",)])
def test_a_run_that_is_taken_up_from_the_start(how: tuple[str, ...], tmp_path: Path) -> None:
    """All of it as somebody would do it, with everything built anew."""
    play, watched = prepared("star"), stand("star", 0, X86)
    path = tmp_path / "path"
    renaming = [each for each in points(watched) if each.name.startswith("rename")]
    crashed_into(path, watched, renaming[1])
    assert found_at(path, play) == (VERSIONS[0], [])
    assert len(list(path.iterdir())) == 2
    with environment(**{VARIABLE: str(CACHE)}):
        told = command(
            *("run", play.file, *play.play.flags, "--rounds", str(VERSIONS[1])),
            *("--checkpoint", path, "--checkpoint-every", str(VERSIONS[0]), "--resume", path, *how),
        )
    assert (told.status, told.out.splitlines()[-1]) == (0, play.end), told
    assert f"alpha: warning: .gen-{VERSIONS[1]}." in told.said
    assert sorted(each.name for each in path.iterdir()) == [f"gen-{each}" for each in VERSIONS]


def whole(tmp_path: Path) -> Trial:
    """A run that has ended well, of which role 0 was watched."""
    trial = stand("star", 0, X86).run(tmp_path / "path")
    assert examined(stand("star", 0, X86), trial) == ([], VERSIONS[-1])
    return trial


def test_generations_that_would_be_noticed(tmp_path: Path) -> None:
    play, path = prepared("star"), tmp_path / "path"
    shutil.copytree(play.generations, path)
    assert found_at(path, play) == (VERSIONS[1], [])
    newer = path / f"gen-{VERSIONS[1]}"
    (newer / "shard-1.safetensors").unlink()
    version, wrong = found_at(path, play)
    assert version == VERSIONS[0] and "has a name" in wrong[0]
    shutil.rmtree(newer)
    shutil.copytree(prepared("tree").generations / newer.name, newer)
    assert found_at(path, play)[1] == [f"another generation of version {VERSIONS[1]}"]
    shutil.rmtree(path / f"gen-{VERSIONS[0]}")
    (newer / "manifest.json").unlink()
    assert "refused" in found_at(path, play)[1][0]


def test_ends_that_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watched, trial = stand("star", 0, X86), whole(tmp_path)
    told = trial.told
    for other in (
        replace(trial, wrong=["process 1 is left"]),
        replace(trial, told=replace(told, said="Traceback (most recent call last):\n")),
        replace(trial, told=replace(told, out="state sha256:0\n")),
        replace(trial, calls=trial.calls[: len(trial.calls) // 2]),
    ):
        assert examined(watched, other)[0] != []
    assert bounds_of(watched, trial) == (VERSIONS[1], VERSIONS[1])
    assert odd_lines(Told(5, "", "alpha: role 0: failed: cannot write /x: no\nelse\n")) == ["else"]
    late = "alpha: role 1: lost role 0: 0 of 88 bytes came in the 60 s of receiving a frame"
    assert waited(Told(4, "", f"alpha: role 0: was ended by SIGKILL\n{late}\n")) == [late]
    monkeypatch.setitem(vars(watched.play), "end", "state sha256:0")
    assert check_resumed(trial.path, watched.play, VERSIONS[1]) != []


def test_signals_that_would_be_noticed() -> None:
    """A role that ends in another way than by the signal, and one that was never sent it."""
    watched = stand("star", 0, X86)
    point = points(watched)[0]
    never = replace(point, place="elsewhere")
    assert not crashing.crashed(watched, never).met
    assert crashing.crashed(watched, point, "USR1").met
    assert crashing.crashed(watched, point, "URG").wrong != []
