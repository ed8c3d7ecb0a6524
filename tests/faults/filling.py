"""Disks that are full, and files that may not grow: the last generation stays, and there is a line.

Entry: `on_disk`, `with_limit`, `pages_of`, `files_of`, `limits_of`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from faults.apart import PAGE, Disk, apart
from faults.crashing import Tried
from faults.plays import INTERPRETED, VERSIONS, Prepared, prepared
from faults.trials import check_resumed, found_at, is_quiet, odd_lines, stand
from native_runs.folders import Told, command

Runs = Callable[[Path], Told]


def _runs(name: str, cast: str, role: int) -> Runs:
    """What runs a play: all natively, or with a role that is interpreted."""
    if cast == INTERPRETED:
        watched = stand(name, role, cast)
        return lambda path: watched.run(path, instead="env").told
    folder = prepared(name).built(cast)
    return lambda path: command("run", folder, "--checkpoint", path)


def _files(play: Prepared) -> list[int]:
    """The bytes of the files of a generation."""
    generation = play.generations / f"gen-{VERSIONS[0]}"
    return sorted(path.stat().st_size for path in generation.iterdir())


def pages_of(name: str) -> Sequence[int]:
    """Sizes of disks, from nearly nothing to room for all generations."""
    pages = sum(-(-size // PAGE) for size in _files(prepared(name)))
    return range(1, pages * len(VERSIONS) + 3)


def files_of(name: str) -> Sequence[int]:
    """The same of how many files there may be: the folders are among them."""
    return range(1, (len(_files(prepared(name))) + 1) * len(VERSIONS) + 3)


def limits_of(name: str, step: int) -> Sequence[int]:
    """The most bytes that a file may have, around each size that there is and between."""
    sizes = _files(prepared(name))
    near = {size + more for size in sizes for more in (-1, 0, 1)}
    return sorted({*near, *range(0, max(sizes) + step, step)})


def on_disk(name: str, cast: str, role: int, pages: int = 1 << 12, files: int = 1 << 12) -> Tried:
    """A run on a small disk, and one that goes on when there is room."""
    play, runs = prepared(name), _runs(name, cast, role)
    _prepare(play)
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        path.mkdir()
        what = f"{cast}, a disk of {pages} pages for {files} files"
        return apart(partial(_filled, runs, path, play, what), Disk(path, pages, files))


def _prepare(play: Prepared) -> None:
    """Build what is needed where there is room."""
    assert play.digests and play.end
    for version in VERSIONS:
        play.built(version=version)


def _filled(runs: Runs, path: Path, play: Prepared, what: str) -> Tried:
    wrong, version = _examined(runs(path), path, play, errno.ENOSPC)
    Disk(path).mount(again=True)
    wrong += [] if wrong else check_resumed(path, play, version)
    return Tried(what, version, wrong=[f"{what}: {each}" for each in wrong])


def _examined(told: Told, path: Path, play: Prepared, number: int) -> tuple[list[str], int | None]:
    """What is wrong with a run that an error may have ended, and the version that is found."""
    version, wrong = found_at(path, play)
    if is_quiet(told) and version == VERSIONS[-1]:
        return wrong, version
    # Where all have been written, nothing fails.
    lines = [line for line in told.said.splitlines() if ": failed: " in line]
    why = os.strerror(number)
    named = lines and all(
        f"cannot write {path}/" in line and line.endswith(f": {why}") for line in lines
    )
    if told.status != 5 or not named or version == VERSIONS[-1] or odd_lines(told):
        wrong.append(f"version {version} after {told}")
    return wrong, version


def with_limit(name: str, cast: str, role: int, size: int) -> Tried:
    """A run that may write no larger files, and one that goes on without that limit."""
    play, runs = prepared(name), _runs(name, cast, role)
    _prepare(play)
    fits = size >= max(_files(play))
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        path.mkdir()

        def limited() -> Tried:
            told = runs(path)
            wrong, version = _examined(told, path, play, errno.EFBIG)
            if (version is not None) != fits:
                wrong.append(f"version {version} after {told}")
            return Tried("", version, wrong=wrong)

        tried = apart(limited, file_bytes=size)
        tried.what = f"{cast}, files of {size} bytes"
        tried.wrong += [] if tried.wrong else check_resumed(path, play, tried.found)
        tried.wrong = [f"{tried.what}: {each}" for each in tried.wrong]
        return tried
