"""Which versions are stored: multiples of K and the last, wherever a run begins, at any level."""

from __future__ import annotations

from pathlib import Path

import pytest
from resuming.examples import TURNS
from resuming.nine_words import learner_file
from resuming.plain_learner import versions_of
from resuming.runs import LEVELS, Side, Store, difference, refused, run

from alpha.ir.checkpoints.names import version_of

END = None
"""At the end alone."""

SIDES = {level: Side(level, 3, "tree<2>", ("optimizer",), "cyclic") for level in LEVELS}


def stored(folder: Path) -> list[int]:
    """The versions of the generations of a folder, in which there is nothing else."""
    versions = [version_of(path.name) for path in folder.iterdir()]
    return sorted(version for version in versions if version is not None or pytest.fail("other"))


def wanted_versions(begin: int | None, end: int, every: int | None) -> list[int]:
    """What a run writes that begins there, None for a new one; counted out."""
    if begin == end:
        return []
    found = [end]
    for version in range((begin or 0) + 1, end):
        if every is not None and version % every == 0:
            found.append(version)
    return sorted(found)


SCHEDULES = [
    (begin, end, every)
    for begin in (None, 0, 1, 3, 4, 7)
    for end in (0, 1, 4, 7)
    for every in (1, 2, 3, 5, 100, END)
    if (begin or 0) <= end
]


@pytest.mark.parametrize("level", LEVELS[:4])
def test_the_versions_that_are_stored(level: str, tmp_path: Path) -> None:
    """Also where a run begins between two multiples, and where K is more than there are rounds."""
    file = learner_file("momentum", "f64", tmp_path)
    whole = versions_of(file, 7)
    first = Store(tmp_path / "first", 1)
    run(file, SIDES["shard"], 7, tmp_path, store=first)
    run(file, SIDES["shard"], 0, tmp_path, store=Store(tmp_path / "zero"))
    for number, (begin, end, every) in enumerate(SCHEDULES[LEVELS.index(level) :: 4]):
        store = Store(tmp_path / f"{level}-{number}", every)
        resume = None if begin is None else first.path / f"gen-{begin}"
        if begin == 0:
            resume = tmp_path / "zero"
        if begin == end:
            assert_nothing_is_stored(level, file, end, store, resume)
            continue
        found = run(file, SIDES[level], end, tmp_path, store=store, resume=resume)
        assert difference(found, whole.outcome(begin or 0, end)) is None
        assert stored(store.path) == wanted_versions(begin, end, every), (begin, end, every)


def assert_nothing_is_stored(
    level: str, file: Path, end: int, store: Store, resume: Path | None
) -> None:
    """A run that is over when it begins says so, and ends well: it may have been begun again."""
    from native_runs.folders import command

    flags = (*SIDES[level].flags(), f"--rounds={end}", *store.flags(), f"--resume={resume}")
    told = command("run", file, *flags)
    assert told.status == 0, told
    assert f"nothing is stored: the run is over at version {end}" in told.said
    assert not store.path.exists()


def test_the_schedules_meet_all_that_can_be() -> None:
    """A begin between multiples, one at a multiple, a K beyond the end, and no round at all."""
    for level in range(4):
        taken = SCHEDULES[level::4]
        assert any(begin and every and begin % every for begin, _, every in taken)
        assert any(begin and every and not begin % every for begin, _, every in taken)
        assert any(every is not None and every > end for _, end, every in taken)
        assert any(begin is None and end == 0 for begin, end, _ in taken)
        assert any(begin == end for begin, end, _ in taken)


def test_native_roles_store_the_same_versions(tmp_path: Path) -> None:
    """Of a run without rounds too, and of one that begins between two multiples."""
    file = learner_file("momentum", "f64", tmp_path)
    whole = versions_of(file, 7)
    store = Store(tmp_path / "generations", 3)
    begins = ((0, None, TURNS[0]), (4, "gen-0", TURNS[1]), (7, "gen-4", TURNS[0]))
    versions: list[int] = []
    for end, name, targets in begins:
        begin = None if name is None else version_of(name)
        resume = None if name is None else store.path
        side = SIDES["native"]._replace(owners=2, topology="star", targets=targets)
        found = run(file, side, end, tmp_path, store=store, resume=resume)
        assert difference(found, whole.outcome(begin or 0, end)) is None
        versions += [0] if end == 0 else wanted_versions(begin, end, 3)
        assert stored(store.path) == versions
    assert versions == [0, 3, 4, 6, 7]


@pytest.mark.parametrize("level", LEVELS)
def test_a_run_does_not_end_before_it_begins(level: str, tmp_path: Path) -> None:
    file = learner_file("sgd", "f64", tmp_path)
    store = Store(tmp_path / "generations")
    run(file, SIDES["shard"], 4, tmp_path, store=store)
    for rounds in (0, 3):
        told = refused(file, SIDES[level], rounds, f"--resume={store.path}", *store.flags())
        assert told.status == 1
        assert "[checkpoint-version] expected " in told.said and "at least 4" in told.said
        assert told.said.strip().endswith(f"found {rounds}")
    # One round is made where nobody says how many; so a resumed run has to be told.
    assert stored(store.path) == [4]
