"""Disks that have no room, and limits on files: the last generation stays, and there is a line."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from faults.apart import Disk, apart
from faults.covering import DISK_PLAY, Task, tried, wrong_of
from faults.crashing import Tried
from faults.filling import files_of, limits_of, pages_of
from faults.plays import INTERPRETED, VERSIONS, X86

SLOW = [(X86, 2), (INTERPRETED, 12)]
"""Who takes longer to start is tried with fewer sizes."""


def apart_or_skip(tmp_path: Path) -> None:
    """Leave a test out where nobody may have a disk of his own."""
    try:
        apart(lambda: None, Disk(tmp_path))
    except RuntimeError:
        if not os.geteuid():
            raise
        pytest.skip("without the rights of root there is no small disk")


@pytest.mark.parametrize(("cast", "step"), SLOW)
def test_disks_of_every_size(cast: str, step: int, tmp_path: Path) -> None:
    """From a page to room for two generations, in steps of a page."""
    apart_or_skip(tmp_path)
    sizes = pages_of(DISK_PLAY)
    tasks = [Task("pages", DISK_PLAY, 0, cast, each) for each in sizes[::step]]
    assert wrong_of(tasks) == []
    if cast == X86:
        found = [tried(task).found for task in tasks]
        # With each page more there is as much as before, or more.
        assert set(found) == {None, *VERSIONS}
        assert [each or 0 for each in found] == sorted(each or 0 for each in found)


@pytest.mark.parametrize(("cast", "step"), SLOW)
def test_disks_for_every_number_of_files(cast: str, step: int, tmp_path: Path) -> None:
    apart_or_skip(tmp_path)
    tasks = [Task("files", "star", 1, cast, each) for each in files_of("star")[:: 2 * step]]
    assert wrong_of(tasks) == []


@pytest.mark.parametrize(("cast", "step"), SLOW)
def test_files_that_may_not_grow(cast: str, step: int) -> None:
    """A limit ends whoever would write more, without a signal."""
    tasks = [Task("limit", "star", 0, cast, each) for each in limits_of("star", 512)[:: 3 * step]]
    assert wrong_of(tasks) == []


def test_processes_that_end_without_a_word() -> None:
    def fail() -> Tried:
        raise OSError(errno.EIO, "no")

    with pytest.raises(RuntimeError, match="no"):
        apart(fail)
    with pytest.raises(RuntimeError, match="without a word"):
        apart(lambda: os._exit(0))
    assert apart(lambda: "x", file_bytes=1) == "x"
