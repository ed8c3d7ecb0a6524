"""One folder has the generations of one history: what is another learner's is neither joined to
nor removed, and a run whose sums have another order than the generation's says so.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.runs import LEVELS, Side, Store, refused, run
from resuming.test_folders import SIDES, contents
from resuming.test_other_learners import EDITS, learner


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("level", LEVELS)
def test_another_learners_generations_stay(level: str, tmp_path: Path) -> None:
    """Though a run goes on from a later version, and keeps the newest alone."""
    file = learner_file("adam", "f64", tmp_path)
    own, others = Store(tmp_path / "own"), Store(tmp_path / "others")
    run(learner_file("momentum", "f64", tmp_path), SIDES["shard"], 3, tmp_path, store=others)
    run(file, SIDES["shard"], 5, tmp_path, store=own)
    before = contents(others.path)
    given = (*others.flags(), "--keep=1", f"--resume={own.path}")
    told = refused(file, SIDES[level], 7, *given)
    assert told.status == 1 and not told.out
    wanted = f"no generation of another learner in {others.path}"
    error = f"{wanted}, found {others.path / 'gen-3'} of least_squares_momentum\n"
    assert told.said.endswith(f"[checkpoint-exists] expected {error}"), told
    assert contents(others.path) == before


def test_what_nobody_can_read_is_left_alone(tmp_path: Path) -> None:
    """It may be anybody's: nothing is refused because of it, and it isn't removed."""
    file = learner_file("adam", "f64", tmp_path)
    store = Store(tmp_path / "own", 1)
    run(file, SIDES["shard"], 2, tmp_path, store=store)
    (store.path / "gen-1" / "manifest.json").write_text("{")
    (store.path / "gen-0").touch()
    more = ("--keep=1",)
    run(file, SIDES["shard"], 4, tmp_path, store=store, resume=store.path, more=more)
    assert names(store.path) == ["gen-0", "gen-1", "gen-4"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_learner_that_changes_with_leave_stays_in_its_folder(level: str, tmp_path: Path) -> None:
    """Again and again: each run goes on from the one before, though the learner is another one."""
    store = Store(tmp_path / "kept", 1)
    side = Side(level)
    for number, rate in enumerate(("0.05", "0.04", "0.03")):
        file = learner(tmp_path, f"l{number}", ("@rate : f64 = 0.05", f"@rate : f64 = {rate}"))
        resume = store.path if number else None
        more = ("--allow=rate",) if number else ()
        run(file, side, 2 * number + 2, tmp_path, store=store, resume=resume, more=more)
    assert names(store.path) == [f"gen-{version}" for version in range(1, 7)]
    # To a folder with generations of the one it goes on from, and not to that of a third.
    third = learner(tmp_path, "third", EDITS["state w"])
    told = refused(third, side, 8, *store.flags(), "--allow=w", f"--resume={store.path}")
    assert "[checkpoint-learner]" in told.said
    (store.path / "gen-2" / "manifest.json").unlink()
    given = (*store.flags(), f"--resume={store.path}")
    told = refused(
        learner(tmp_path, "l2", ("rate : f64 = 0.05", "rate : f64 = 0.03")), side, 8, *given
    )
    assert f"{store.path / 'gen-1'} of least_squares_adam" in told.said
    assert names(store.path) == [f"gen-{version}" for version in range(1, 7)]


@pytest.mark.parametrize("level", LEVELS)
def test_a_broken_newest_names_the_way_back(level: str, tmp_path: Path) -> None:
    file = learner_file("adam", "f64", tmp_path)
    store = Store(tmp_path / "with blanks", 2)
    run(file, SIDES["shard"], 6, tmp_path, store=store)
    (store.path / "gen-6" / "shard-0.safetensors").unlink()
    given = (*store.flags(), f"--resume={store.path}")
    told = refused(file, SIDES[level], 8, *given)
    assert "gen-6 was passed over" in told.said
    way = f"alpha checkpoint prune '{store.path}' --after 4"
    assert f"note: {way} removes what is later\n" in told.said
    assert command("checkpoint", "prune", store.path, "--after", "4").status == 0
    run(file, SIDES[level], 8, tmp_path, store=store, resume=store.path)
    assert names(store.path) == ["gen-2", "gen-4", "gen-6", "gen-8"]


def test_no_way_back_where_the_start_is_elsewhere(tmp_path: Path) -> None:
    file = learner_file("adam", "f64", tmp_path)
    store, other = Store(tmp_path / "later"), Store(tmp_path / "start")
    run(file, SIDES["shard"], 6, tmp_path, store=store)
    run(file, SIDES["shard"], 3, tmp_path, store=other)
    told = refused(file, SIDES["shard"], 8, *store.flags(), f"--resume={other.path}")
    assert "[checkpoint-exists]" in told.said and "note" not in told.said


@pytest.mark.parametrize("level", LEVELS)
def test_generations_stay_out_of_generations(level: str, tmp_path: Path) -> None:
    file = learner_file("adam", "f64", tmp_path)
    store = Store(tmp_path / "own")
    run(file, SIDES["shard"], 2, tmp_path, store=store)
    before = contents(tmp_path)
    for below in ("more", "a/b"):
        told = refused(file, SIDES[level], 4, f"--checkpoint={store.path / 'gen-2' / below}")
        assert (told.status, told.out) == (1, "")
        assert f"found a folder in the generation {store.path / 'gen-2'}\n" in told.said
        assert contents(tmp_path) == before


@pytest.mark.parametrize("level", LEVELS)
def test_a_path_that_is_too_long(level: str, tmp_path: Path) -> None:
    file = learner_file("adam", "f64", tmp_path)
    told = refused(file, SIDES[level], 2, f"--checkpoint={tmp_path / ('x' * 300)}")
    assert (told.status, told.out) == (5, "")
    assert told.said.startswith(f"alpha: error: cannot write to {tmp_path}/xxx")
    assert told.said.endswith(": File name too long\n")


@pytest.mark.parametrize("level", LEVELS)
def test_another_order_of_a_sum_is_said(level: str, tmp_path: Path) -> None:
    """The same order says nothing, whoever computes."""
    store = Store(tmp_path / "kept")
    own = learner_file("adam", "f64", tmp_path)
    run(own, Side("shard", 2), 2, tmp_path, store=store)
    flags = ("--rounds=3", f"--resume={store.path}")
    told = command("run", own, *Side(level, 3).flags(), *flags)
    assert (told.status, told.said) == (0, ""), told
    text = own.read_text(encoding="utf-8")
    (groups,) = set(re.findall(r"groups = \[([0-9, ]+)\]", text))
    turned = ", ".join(reversed(groups.split(", ")))
    other = tmp_path / "other.mlir"
    other.write_text(text.replace(f"[{groups}]", f"[{turned}]"), "utf-8")
    told = command("run", other, *Side(level, 3).flags(), *flags)
    assert (told.status, told.said.count("\n")) == (0, 1)
    assert told.said.startswith("alpha: warning: the bits change from version 2 on: the order of ")
    before, _, after = told.said.partition(", and is now ")
    assert f"was groups = [{groups}]" in before and f"groups = [{turned}]" in after
