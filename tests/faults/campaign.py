"""Everything that can fail while generations are written, in all casts, with counts.

`python -m faults.campaign [--processes N] [--only KIND,...]`; its exit status is 1 if anything is
wrong. Points that weren't met are calls that a role makes in other numbers each time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from tempfile import TemporaryDirectory

from faults.covering import Task, everything, tried
from faults.crashing import Tried
from faults.plays import PLAYS, TARGETS, VERSIONS, X86, prepared
from faults.power import KINDS, Losses, lost, mutants, recorded

from alpha.tools.progress import progress

IDLE = 4
"""So many of those that only wait are tried at once in the place of one that works."""

POWER: Sequence[tuple[str, str]] = tuple(
    (kind, name) for name in ("star", "tree") for kind in KINDS
)


def _use(folder: str) -> None:
    """Let temporary files be there, since a process of a pool doesn't remove its own."""
    tempfile.tempdir = folder


def _tried(task: Task) -> tuple[Task, Tried]:
    try:
        return task, tried(task)
    except Exception as error:  # it is counted as wrong, and the others go on
        return task, Tried(str(task.item), wrong=[f"{task}: {error!r}"])


def _lost(part: tuple[str, str]) -> tuple[tuple[str, str], Losses, list[str]]:
    """What is found after losses of power, and which syncs nobody would miss, with the reason."""
    try:
        run = recorded(*part)
        losses, spared = lost(run), Counter[str]()
        for mutant in mutants(run):
            if mutant.caught == bool(mutant.why):
                losses.wrong.append(f"{part}: without a sync: {mutant}")
            spared[mutant.why or "caught by a loss of power"] += 1
        return part, losses, [f"{count} syncs: {why}" for why, count in spared.items()]
    except Exception as error:  # as above
        return part, Losses(wrong=[f"{part}: {error!r}"]), []


class Counts:
    """What came of all of it, by kind and cast."""

    def __init__(self) -> None:
        self._of: dict[str, Counter[str]] = {}

    def add(self, kind: str, wrong: Iterable[str], **counts: int) -> None:
        """Count, and say what is wrong."""
        held = self._of.setdefault(kind, Counter())
        held.update(counts)
        for each in wrong:
            held["wrong"] += 1
            print(f"{kind}: {each}", flush=True)

    def say(self) -> bool:
        """Print the counts; whether all is well."""
        whole = Counter[str]()
        for kind, held in sorted(self._of.items()):
            print(f"{kind}: {_text(held)}")
            whole.update(held)
        print(f"faults: {_text(whole)}")
        return not whole["wrong"]


def _text(held: Counter[str]) -> str:
    names = ("points", "new", "old", "unmet", "wrong")
    return ", ".join(f"{held[name]} {name}" for name in names)


def main(processes: int, only: Sequence[str]) -> int:
    """Try all; 1 if anything is wrong."""
    counts, fork = Counts(), multiprocessing.get_context("fork")
    # What is built is shared with the processes of the pool.
    for name in PLAYS:
        for target in TARGETS:
            prepared(name).built(target)
        for version in VERSIONS:
            prepared(name).built(X86, version)
    tasks = [task for task in everything() if not only or task.kind in only]
    busy = [task for task in tasks if task.kind != "stop"]
    idle = [task for task in tasks if task.kind == "stop"]
    power = [part for part in POWER if not only or "power" in only]
    with TemporaryDirectory(prefix="alpha-tests-", dir=_memory()) as folder:
        for some, workers in ((busy, processes), (idle, IDLE * processes)):
            with fork.Pool(workers, _use, (folder,)) as pool:
                done = pool.imap_unordered(_tried, some, chunksize=1)
                for task, result in progress(done, len(some), "points"):
                    counts.add(
                        f"{task.kind}, {task.cast}",
                        result.wrong,
                        points=1,
                        new=result.new,
                        old=not result.new,
                        unmet=not result.met,
                    )
        with fork.Pool(processes, _use, (folder,)) as pool:
            done = pool.imap_unordered(_lost, power, chunksize=1)
            for part, losses, spared in progress(done, len(power), "losses of power"):
                counts.add(f"power, {part[0]}, {part[1]}", losses.wrong, **losses.counts())
                print(f"power, {part[0]}, {part[1]}: {'; '.join(spared)}", flush=True)
    return 0 if counts.say() else 1


def _memory() -> str | None:
    """A folder in memory, where there is one, since no power is really lost."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    arguments = parser.parse_args()
    sys.exit(main(arguments.processes, arguments.only))
