"""What a resumed run tells: table and metrics go on at its version, and its digest is the last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.plain_learner import Whole, versions_of
from resuming.runs import LEVELS, Side, Store, run
from resuming.test_folders import PROCESSES, SIDES

from alpha.tools.checkpoints.storing import Storing

STOP, ENDS = 7, 23
BY_NAME = {**SIDES, "processes": PROCESSES}
NAMES = ("learner", "shard", "protocol", "processes", "native")


@pytest.fixture
def whole(tmp_path: Path) -> tuple[Path, Whole, Path]:
    """A learner, its versions, and the folder in which it has stored one of them."""
    file, store = learner_file("adam", "f32", tmp_path), Store(tmp_path / "generations")
    run(file, SIDES["shard"], STOP, tmp_path, store=store)
    return file, versions_of(file, ENDS), store.path


def rows_of(metrics: Path) -> list[tuple[int, float, int]]:
    found: list[tuple[int, float, int]] = []
    for line in metrics.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        loss = row["observations"]["loss"]
        found.append((row["version"], loss["total"], loss["count"]))
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stores", [False, True])
def test_the_table_and_the_metrics_go_on(
    name: str, stores: bool, whole: tuple[Path, Whole, Path], tmp_path: Path
) -> None:
    """From the version of the generation up to the end, each round once."""
    file, wanted, generations = whole
    metrics = tmp_path / "metrics.json"
    metrics.write_text("what an earlier run has written\n")
    flags = [*BY_NAME[name].flags(), f"--rounds={ENDS}", f"--resume={generations}"]
    flags += [f"--checkpoint={tmp_path / 'next'}", "--checkpoint-every=5"] if stores else []
    told = command("run", file, *flags, "--metrics", metrics)
    assert told.status == 0, told
    heading, titles, *lines, digest = told.out.splitlines()
    assert heading.startswith("learner least_squares_adam: 7 samples, 5 fields, 29 words")
    assert titles.split() == ["version", "loss"]
    # At 0, 1, 2, 5, 10, 20, ..., where a run begins, and in its last round.
    assert [int(line.split()[0]) for line in lines] == [7, 10, 20, 22]
    observed = {version: (total, count) for version, _, total, count in wanted.observed}
    for line in lines:
        version, mean = line.split()
        total, count = observed[int(version)]
        assert abs(float(mean) - total / count) <= 1e-6 * abs(total / count)
    assert rows_of(metrics) == [(at, *observed[at]) for at in range(STOP, ENDS)]
    assert digest == wanted.digests[ENDS]


@pytest.mark.parametrize("name", ["processes", "native"])
def test_the_digest_is_that_of_the_generation_where_no_words_come(
    name: str, whole: tuple[Path, Whole, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The launcher reads the words of a run that has stored them from there, a part at a time."""
    file, wanted, generations = whole
    read: list[int] = []
    digest = Storing.state_digest

    def reading(store: Storing, types: object, version: int) -> str:
        read.append(version)
        return digest(store, types, version)  # pyright: ignore

    monkeypatch.setattr(Storing, "state_digest", reading)
    side = BY_NAME[name].flags()
    for rounds, save in ((ENDS - 1, False), (ENDS, True)):
        flags = [*side, f"--rounds={rounds}", f"--resume={generations}"]
        flags += [f"--checkpoint={tmp_path / f'next-{rounds}'}"]
        flags += [f"--save={tmp_path / 'saved'}"] if save else []
        told = command("run", file, *flags)
        assert told.out.splitlines()[-1] == wanted.digests[rounds], told
    assert read == [ENDS - 1], "who wants a file of all words is told them"


@pytest.mark.parametrize("level", LEVELS[:3])
def test_a_run_that_is_over_tells_the_digest(
    level: str, whole: tuple[Path, Whole, Path], tmp_path: Path
) -> None:
    """There is no round to tell of; the metrics are empty."""
    file, wanted, generations = whole
    metrics = tmp_path / "metrics.json"
    side = Side(level, 5, "tree<2>")
    flags = (*side.flags(), f"--rounds={STOP}", f"--resume={generations}", "--metrics", metrics)
    told = command("run", file, *flags)
    assert (told.status, told.said) == (0, "")
    assert len(told.out.splitlines()) == 2
    assert told.out.splitlines()[-1] == wanted.digests[STOP]
    assert metrics.read_text() == ""
