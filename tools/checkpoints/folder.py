"""The folder that generations are written to, as whoever launches a run sees it.

Invariant: one run at a time writes to a folder, and the generations in it are of one history. What
    an earlier run has begun and not finished is removed before; a generation that has its name is
    never touched, but by `prune` and `go_back`, which remove nothing before the newest that stays
    was read back, every byte of it.
Refuses: checkpoint-exists, checkpoint-missing, checkpoint-path, and what reading a generation
    refuses.
Entry: `writing_to`, `owning`, `clean`, `check_history`, `check_learners`, `Keeper`, `prune`,
    `go_back`, `generations_of`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shlex
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from alpha.ir.checkpoints.names import (
    ROOT_MANIFEST,
    generation_name,
    is_passing_name,
    removed_name,
    version_of,
)
from alpha.ir.checkpoints.places import generation_around, passes
from alpha.ir.refusals import Note, Refusal
from alpha.tools.checkpoints.histories import History, roots_of, strangers
from alpha.tools.checkpoints.paths import reading
from alpha.tools.driver.boundary import say
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    from alpha.ir.checkpoints.facts import Facts


@contextlib.contextmanager
def writing_to(path: Path, history: History | None) -> Iterator[None]:
    """A folder in which a run writes that goes on with a history, None for a new one.

    It is made if it isn't there, and belongs to this process until the context ends.

    Raises:
        Refusal: checkpoint-exists, a generation is there that belongs to another history;
            checkpoint-path, another run writes to the folder.
        InputOutputError: it can't be made, read or written to.
    """
    with owning(path, make=True):
        check_history(path, history)
        clean(path)
        yield


@contextlib.contextmanager
def owning(path: Path, make: bool) -> Iterator[None]:
    """A folder that belongs to this process until the context ends; it may be made.

    Raises:
        Refusal: checkpoint-exists, it is a generation itself, or in one; checkpoint-path, another
            run writes to it.
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
            if is_passing_name(name):
                _take_away(path / name)


def _refuse_generation(path: Path) -> None:
    wanted, found = f"a folder of generations at {path}", None
    with _input_output(path):
        if (path / ROOT_MANIFEST).exists():
            found = "one generation itself"
    if (around := generation_around(path)) is not None:
        found = f"a folder in the generation {around}"
    elif passes(path):
        found = "the name of a generation that was begun, or is removed"
    if found is not None:
        raise Refusal("checkpoint-exists", wanted, found)


def check_history(path: Path, history: History | None) -> None:
    """See that a folder has no generation of another history than the one that a run goes on with.

    That is one that is later than the run's start, or of another learner. None is the history of a
    new run, which no generation has.

    Raises:
        Refusal: checkpoint-exists, also if the folder is a generation itself, or in one.
        InputOutputError: it can't be read.
    """
    _refuse_generation(path)
    with _input_output(path):
        if not path.exists():
            return
        versions = _versions(os.listdir(path))
    if history is None:
        if versions:
            wanted = f"no generation in {path}, or --resume to go on from the newest"
            raise Refusal("checkpoint-exists", wanted, f"{path / generation_name(versions[-1])}")
        return
    start = history.version
    if versions and versions[-1] > start:
        wanted = f"no generation in {path} that is later than version {start}"
        command = f"alpha checkpoint prune {shlex.quote(str(path))} --after {start}"
        notes = (Note(f"{command} removes what is later"),) if start in versions else ()
        found = f"{path / generation_name(versions[-1])}"
        raise Refusal("checkpoint-exists", wanted, found, notes=notes)
    check_learners(path, history.learners, (history.sha256,))


def check_learners(path: Path, learners: Collection[str], generations: Collection[str]) -> None:
    """See that a folder has no generation of another history than the one with these.

    Learners and generations are digests. A generation that can't be read is left alone.

    Raises:
        Refusal: checkpoint-exists.
        InputOutputError: it can't be read.
    """
    with _input_output(path):
        versions = _versions(os.listdir(path))
    roots = roots_of(path, [generation_name(version) for version in reversed(versions)])
    for name in strangers(roots, learners, generations):
        wanted = f"no generation of another learner in {path}"
        raise Refusal("checkpoint-exists", wanted, f"{path / name} of {roots[name].name}")


def _versions(names: Sequence[str]) -> list[int]:
    """The versions of the generations among what a folder has, ascending."""
    return sorted(each for each in map(version_of, names) if each is not None)


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
    versions = _versions(names)
    if not versions:
        found = "one generation itself" if ROOT_MANIFEST in names else "a folder without one"
        raise Refusal("checkpoint-missing", wanted, found)
    return [generation_name(version) for version in versions]


def prune(path: Path, keep: int, progress: Callable[[int, int], None] = _quietly) -> list[str]:
    """Remove all generations of a folder but the newest ones; gives the names that are gone.

    The newest is read back before, every byte of it; `progress` is told of these and of all. Only
    those of its history are counted and removed: not those of other learners, and none whose root's
    manifest can't be read.

    Raises:
        Refusal: there is none, or the newest isn't whole; nothing is removed.
        InputOutputError: the newest can't be read, or one can't be removed.
    """
    from alpha.ir.checkpoints.reading import generation_named

    names = generations_of(path)
    if len(names) <= keep:
        return []
    newest = path / names[-1]
    with reading(newest):
        generation = generation_named(newest)
        generation.verify(progress)
    roots = roots_of(path, names[-2::-1])
    others = strangers(roots, (generation.facts.learner,), _resumed(generation.facts))
    older = [name for name in names if name in roots and name not in others]
    old = older[: max(0, len(older) - (keep - 1))]
    _remove_all(path, old)
    return old


def _resumed(facts: Facts) -> Sequence[str]:
    return () if facts.resumed is None else (facts.resumed[1],)


def go_back(path: Path, version: int, progress: Callable[[int, int], None]) -> list[str]:
    """Remove all generations of a folder that are later than one; gives the names that are gone.

    That one is read back before, every byte of it; `progress` is told of these and of all. What is
    later goes whatever it is.

    Raises:
        Refusal: the folder doesn't have it, or it isn't whole; nothing is removed.
        InputOutputError: it can't be read, or one that is later can't be removed.
    """
    from alpha.ir.checkpoints.reading import generation_named

    names = generations_of(path)
    name = generation_name(version)
    if name not in names:
        wanted = f"a generation of version {version} in {path}"
        raise Refusal("checkpoint-missing", wanted, "none")
    with reading(path / name):
        generation_named(path / name).verify(progress)
    # The newest first, so that whatever ends this leaves no gap.
    later = names[: names.index(name) : -1]
    _remove_all(path, later)
    return later


def _remove_all(path: Path, names: Sequence[str]) -> None:
    """Remove generations of a folder, in this order; raises InputOutputError."""
    if not names:
        return
    with _input_output(path):
        for name in names:
            _remove(path / name)
        _sync(path)


def _remove(folder: Path) -> None:
    """Take a generation its name, and then remove it: a part of one is no generation."""
    version = version_of(folder.name)
    assert version is not None
    aside = folder.with_name(removed_name(version))
    os.rename(folder, aside)
    _take_away(aside)


def _take_away(path: Path) -> None:
    """Remove a folder with all that is in it, or a file; of a link that alone."""
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    except OSError as error:
        # Names of files in the folder come without it.
        error.filename = str(path)
        raise


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
