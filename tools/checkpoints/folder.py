"""The folder that generations are written to, as whoever launches a run sees it.

Invariant: one run at a time writes to a folder. What an earlier run has begun and not finished is
    removed before; a generation that has its name is never touched, but by `prune`, which removes
    nothing before a newer generation was read back, every byte of it.
Refuses: checkpoint-exists, checkpoint-missing, checkpoint-path, and what reading a generation
    refuses.
Entry: `writing_to`, `owning`, `clean`, `check_later`, `Keeper`, `prune`, `generations_of`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

from alpha.ir.checkpoints.names import (
    ROOT_MANIFEST,
    generation_name,
    version_of,
    version_of_partial,
)
from alpha.ir.refusals import Refusal
from alpha.tools.checkpoints.paths import reading
from alpha.tools.driver.boundary import say
from alpha.tools.driver.output import InputOutputError, reason_of


@contextlib.contextmanager
def writing_to(path: Path, start: int | None) -> Iterator[None]:
    """A folder in which a run that goes on from version `start` writes, None for a new one.

    It is made if it isn't there, and belongs to this process until the context ends.

    Raises:
        Refusal: checkpoint-exists, a generation is there that is later than the start, which
            belongs to another history; checkpoint-path, another run writes to the folder.
        InputOutputError: it can't be made, read or written to.
    """
    with owning(path, make=True):
        check_later(path, start)
        clean(path)
        yield


@contextlib.contextmanager
def owning(path: Path, make: bool) -> Iterator[None]:
    """A folder that belongs to this process until the context ends; it may be made.

    Raises:
        Refusal: checkpoint-exists, it is a generation itself; checkpoint-path, another run writes
            to it.
        InputOutputError: it can't be made or opened.
    """
    _refuse_generation(path)
    with _input_output(path):
        if make:
            _make(path)
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def clean(path: Path) -> None:
    """Remove what an earlier run has begun and not finished, in a folder that this process owns.

    Raises InputOutputError.
    """
    with _input_output(path):
        for name in os.listdir(path):
            if version_of_partial(name) is not None or _is_removed(name):
                _take_away(path / name)


def _refuse_generation(path: Path) -> None:
    if (path / ROOT_MANIFEST).exists():
        wanted = f"a folder of generations at {path}"
        raise Refusal("checkpoint-exists", wanted, "one generation itself")


def check_later(path: Path, start: int | None) -> None:
    """See that a folder has no generation that is later than where a run starts, and is none.

    Raises:
        Refusal: checkpoint-exists.
        InputOutputError: it can't be read.
    """
    if not path.exists():
        return
    _refuse_generation(path)
    with _input_output(path):
        names = os.listdir(path)
    for name in names:
        version = version_of(name)
        if version is not None and (start is None or version > start):
            wanted = f"no generation in {path}, or --resume to go on from the newest"
            if start is not None:
                wanted = f"no generation in {path} that is later than version {start}"
            raise Refusal("checkpoint-exists", wanted, f"{path / name}")


def _make(path: Path) -> None:
    """Make a folder and what is missing above it, so that they outlast a loss of power."""
    missing = [path]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
        _sync(folder.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        wanted = f"a folder that no other run writes to with --checkpoint {path}"
        raise Refusal("checkpoint-path", wanted, "one that is written to") from None
    except OSError:
        # A file system without locks: nothing says that another run is there.
        return


@contextlib.contextmanager
def _input_output(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise InputOutputError(f"cannot write to {name}: {reason_of(error)}") from None


def _quietly(done: int, total: int) -> None:
    """Progress that nobody looks at."""


def generations_of(path: Path) -> list[str]:
    """The names of the generations of a folder, ascending by version.

    Raises:
        Refusal: checkpoint-missing: there is no such folder, or it has none.
        InputOutputError: it can't be read.
    """
    wanted = f"a folder of generations at {path}"
    try:
        with reading(path):
            names = os.listdir(path)
    except InputOutputError:
        if path.is_dir():
            raise
        found = "no folder" if path.exists() else "no such folder"
        raise Refusal("checkpoint-missing", wanted, found) from None
    versions = sorted(each for each in map(version_of, names) if each is not None)
    if not versions:
        found = "one generation itself" if ROOT_MANIFEST in names else "a folder without one"
        raise Refusal("checkpoint-missing", wanted, found)
    return [generation_name(version) for version in versions]


def prune(path: Path, keep: int, progress: Callable[[int, int], None] = _quietly) -> list[str]:
    """Remove all generations of a folder but the newest ones; gives the names that are gone.

    The newest is read back before, every byte of it; `progress` is told of these and of all.

    Raises:
        Refusal: there is none, or the newest isn't whole; nothing is removed.
        InputOutputError: the newest can't be read, or one can't be removed.
    """
    from alpha.ir.checkpoints.reading import generation_named

    names = generations_of(path)
    old = names[:-keep]
    if not old:
        return []
    newest = path / names[-1]
    with reading(newest):
        generation_named(newest).verify(progress)
    with _input_output(path):
        for name in old:
            _remove(path / name)
        _sync(path)
    return old


REMOVED = ".removed"


def _is_removed(name: str) -> bool:
    """Whether a folder has the name of a generation that was being removed."""
    named = name.removeprefix(".").removesuffix(REMOVED)
    return name == f".{named}{REMOVED}" and version_of(named) is not None


def _remove(folder: Path) -> None:
    """Take a generation its name, and then remove it: a part of one is no generation."""
    aside = folder.with_name(f".{folder.name}{REMOVED}")
    os.rename(folder, aside)
    _take_away(aside)


def _take_away(path: Path) -> None:
    """Remove a folder with all that is in it; a link alone, and not what it leads to."""
    if path.is_symlink():
        path.unlink()
    else:
        shutil.rmtree(path)


class Keeper:
    """Removes old generations while a run goes on; as a context it ends with what was told."""

    def __init__(self, path: Path, keep: int) -> None:
        self._path = path
        self._keep = keep
        self._told: SimpleQueue[int | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="keeper", daemon=True)

    def __enter__(self) -> Keeper:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._told.put(None)
        self._thread.join()

    def published(self, version: int) -> None:
        """A generation is there."""
        self._told.put(version)

    def _work(self) -> None:
        while (version := self._told.get()) is not None:
            while not self._told.empty():
                version = self._told.get()
                if version is None:
                    break
            try:
                prune(self._path, self._keep)
            except (Refusal, InputOutputError) as error:
                say(f"alpha: warning: nothing was removed from {self._path}: {error}\n")
            if version is None:
                return
