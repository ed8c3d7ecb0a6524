"""Losses of power while generations are written: what is found on every disk that there may be.

Invariant: nothing or a generation of the run, whole, is found at every moment; and none that is
    older than the one that a role has reported to be published.
Entry: `Recorded`, `recorded`, `KINDS`, `Losses`, `lost`, `Mutant`, `mutants`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from checkpoints.plain_reader import read_generation
from faults.crashing import crashed_into, points
from faults.disk import Disk, Tree
from faults.plays import ARM, INTERPRETED, ROUNDS, VERSIONS, X86, Prepared, prepared
from faults.recording import (
    Create,
    MakeFolder,
    Nothing,
    Operation,
    Remove,
    Rename,
    Said,
    Sync,
    Write,
    record,
)
from faults.tracing import Point
from faults.trials import FRONT, stand

from alpha.ir.checkpoints.names import version_of, version_of_partial
from alpha.ir.checkpoints.reading import newest
from alpha.ir.refusals import Refusal

KINDS = ("x86-64", "aarch64", "interpreted", "one process", "keeping one", "gone on")
"""Who writes: native roles, one that is interpreted, or one process; and what else is done."""


@dataclass(frozen=True)
class Recorded:
    """What was done to the folder of generations `path`, which is in `root`."""

    root: str
    path: str
    before: Tree
    """What was on disk before."""
    operations: Sequence[Operation]
    digests: Mapping[int, str]
    """What names the generations that there may be, by version."""
    first: int
    """The version that is found before."""


@cache
def recorded(kind: str, name: str = "star") -> Recorded:
    """A run of a kind; its words are those of the run in which nothing failed."""
    play = prepared(name)
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        root = Path(folder) / "root"
        path = root / "path"
        root.mkdir()
        first, before = 0, ()
        there: tuple[str | Path, ...] = ("--checkpoint", path)
        environment: dict[str, str] = {}
        digests = dict(play.digests)
        match kind:
            case "one process":
                how = ("--rounds", str(ROUNDS), "--checkpoint-every", str(VERSIONS[0]))
                run = (play.file, *play.play.flags, *how, "--interpret=shard")
                digests = {}
            case "interpreted":
                run = (stand(name, 1, INTERPRETED).folder,)
                environment[FRONT] = "env"
            case "gone on":
                run = (play.built(version=VERSIONS[0]),)
                first = VERSIONS[0]
                watched = stand(name, 0, X86)
                crashed_into(path, watched, _last_sync(points(watched)))
                before = tree_of(root)
                del digests[VERSIONS[1]]
            case "keeping one":
                run = (play.built(),)
                there = (*there, "--keep", "1")
            case _:
                run = (play.built(ARM if kind == ARM else X86),)
        operations = record(path, "run", *run, *there, environment=environment)
        digests |= _digests(path, play, digests)
        return Recorded(str(root), str(path), before, _said(operations), digests, first)


def _last_sync(found: Sequence[Point]) -> Point:
    """Where role 0 makes the names of the second generation safe."""
    return [point for point in found if point.name == "fsync" and point.place != "."][-1]


def _digests(path: Path, play: Prepared, known: Mapping[int, str]) -> dict[int, str]:
    """What names the generations that were written, whose words are those that they should have."""
    found: dict[int, str] = {}
    for generation in path.iterdir():
        read = read_generation(generation)
        version = read.root["version"]
        wanted = read_generation(play.generations / f"gen-{version}").states
        assert read.states.keys() == wanted.keys()
        for name, words in read.states.items():
            assert np.array_equal(words.view("u1"), wanted[name].view("u1")), name
        found[version] = hashlib.sha256((generation / "manifest.json").read_bytes()).hexdigest()
        assert found[version] == known.get(version, found[version])
    assert max(found) == VERSIONS[-1]
    return found


def _said(operations: Sequence[Operation]) -> Sequence[Operation]:
    """Operations with what is said of them: where no role says it, once the name is safe."""
    if any(isinstance(each, Said) for each in operations):
        return operations
    found: list[Operation] = []
    named = more = 0
    for each in operations:
        # One process does them all, one behind another.
        found.append(replace(each, begun=each.begun + more) if isinstance(each, Sync) else each)
        if isinstance(each, Rename):
            named = version_of(os.path.basename(each.to)) or 0
        elif isinstance(each, Sync) and named and each.path == os.path.dirname(_renamed(found)):
            found.append(Said(named))
            named, more = 0, more + 1
    return found


def _renamed(operations: Sequence[Operation]) -> str:
    return next(each.to for each in reversed(operations) if isinstance(each, Rename))


def tree_of(folder: Path) -> Tree:
    """What there is in a folder."""
    return tuple(
        (path.name, tree_of(path) if path.is_dir() else path.read_bytes())
        for path in sorted(folder.iterdir())
    )


def _lay(folder: Path, tree: Tree) -> None:
    for name, what in tree:
        path = folder / name
        if isinstance(what, bytes):
            path.write_bytes(what)
        else:
            path.mkdir()
            _lay(path, what)


@dataclass
class Losses:
    """What was found on disks."""

    found: Counter[str] = field(default_factory=Counter)
    """By whether it is the generation that is being written, or an older one or none."""
    disks: int = 0
    """Different ones."""
    wrong: list[str] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How many disks there are over all moments, and what is found on them."""
        return {"points": self.found.total(), **self.found}


class _Restorer:
    """Finds what is on disks, once for each."""

    def __init__(self, run: Recorded, folder: Path) -> None:
        self._run = run
        self._folder = folder
        self._known: dict[Tree, tuple[int, list[str]]] = {}

    @property
    def count(self) -> int:
        """Different disks."""
        return len(self._known)

    def restored(self, tree: Tree) -> tuple[int, list[str]]:
        """The version that is found on a disk, 0 for none, and what is wrong with it."""
        if tree not in self._known:
            self._known[tree] = self._restore(tree)
        return self._known[tree]

    def _restore(self, tree: Tree) -> tuple[int, list[str]]:
        root = self._folder / "root"
        root.mkdir()
        _lay(root, tree)
        try:
            return self._find(root / os.path.basename(self._run.path))
        except Exception as error:  # nothing that a disk has may raise anything else
            return 0, [repr(error)]
        finally:
            shutil.rmtree(root)

    def _find(self, path: Path) -> tuple[int, list[str]]:
        try:
            found = newest(path)
        except Refusal as refusal:
            wrong = [] if refusal.code == "checkpoint-missing" else [f"refused {refusal}"]
            named = [note.message for note in refusal.notes if not note.message.startswith(".")]
            return 0, [*wrong, *named]
        version = found.generation.version
        wrong = [
            f"{name}: {why}" for name, why in found.passed_over if version_of_partial(name) is None
        ]
        if found.generation.digest != self._run.digests.get(version):
            wrong.append(f"another generation of version {version}")
        return version, wrong


def _memory() -> str | None:
    """A folder that isn't on a disk, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def lost(run: Recorded, step: int = 1) -> Losses:
    """What is found if the power is lost behind every so many operations."""
    losses, disk, low, newer = Losses(), Disk(run.root, run.before), run.first, run.first
    with TemporaryDirectory(prefix="alpha-tests-", dir=_memory()) as folder:
        restorer = _Restorer(run, Path(folder))
        for at, operation in enumerate(run.operations):
            disk.do(operation)
            if isinstance(operation, MakeFolder):
                newer = version_of_partial(os.path.basename(operation.path)) or newer
            if isinstance(operation, Said):
                low = operation.version
            if at % step and not isinstance(operation, Said | Rename):
                continue
            for tree in dict.fromkeys(disk.states()):
                version, wrong = restorer.restored(tree)
                losses.found["new" if version == newer else "old"] += 1
                if version < low:
                    wrong = [*wrong, f"version {version} was found, though {low} was published"]
                losses.wrong += [f"behind operation {at}, {operation}: {each}" for each in wrong]
        losses.disks = restorer.count
    return losses


@dataclass(frozen=True)
class Mutant:
    """A writer that doesn't synchronize once, and whether a loss of power tells."""

    at: int
    sync: Sync
    why: str
    """Why it needn't, or nothing."""
    caught: bool


def mutants(run: Recorded) -> Iterator[Mutant]:
    """The writer without each of its syncs in turn.

    One is caught if a generation isn't found that was published, at the moment at which it was.
    """
    with TemporaryDirectory(prefix="alpha-tests-", dir=_memory()) as folder:
        restorer = _Restorer(run, Path(folder))
        for at, operation in enumerate(run.operations):
            if isinstance(operation, Sync):
                changed = [*run.operations]
                changed[at] = Nothing()
                caught = _is_caught(run, changed, at, restorer)
                yield Mutant(at, operation, _needless(run.operations, at, operation), caught)


def _is_caught(
    run: Recorded, operations: Sequence[Operation], at: int, restorer: _Restorer
) -> bool:
    disk = Disk(run.root, run.before)
    for number, operation in enumerate(operations):
        disk.do(operation)
        if number > at and isinstance(operation, Said):
            for tree in dict.fromkeys(disk.states()):
                version, _ = restorer.restored(tree)
                if version < operation.version:
                    return True
    return False


def _needless(operations: Sequence[Operation], at: int, sync: Sync) -> str:
    """Why a writer may do without a sync."""
    if not any(_is_in(each, sync.path) for each in operations[:at]):
        return "nothing was done in it"
    for each in operations[at + 1 :]:
        if isinstance(each, Said):
            return ""
        if isinstance(each, Sync) and each.path == sync.path:
            return "another role does the same before anything is said"
    return "nothing is said behind it"


def _is_in(operation: Operation, path: str) -> bool:
    """Whether something is done to a file, or to a name in a folder."""
    match operation:
        case Write(changed):
            return changed == path
        case MakeFolder(changed) | Create(changed) | Remove(changed):
            return os.path.dirname(changed) == path
        case Rename(old, new):
            return path in (os.path.dirname(old), os.path.dirname(new))
        case _:
            return False
