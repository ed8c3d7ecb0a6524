"""A system call of a role that fails, or that says that it did what it didn't.

Invariant: what is interrupted is made again, and has no effect; every other error ends the role
    with status 5 and a line that names the file, unless nothing depends on the call.
Entry: `ERRORS`, `ERRORS_OF_SOCKETS`, `failed`, `lied`, `statuses`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from faults.crashing import DONE, LOST, Tried, examined, sought
from faults.plays import INTERPRETED, VERSIONS
from faults.tracing import Point
from faults.trials import Stand, Trial, found_at

ERRORS = ("EINTR", "EIO", "ENOSPC", "EMFILE", "EDQUOT", "EROFS")
ERRORS_OF_SOCKETS = ("EINTR", "EIO", "ECONNRESET")
FAILED = 5

_MADE_AGAIN = ("openat", "write", "fsync", "read")
_READ = ("statx", "mmap", "read")


def statuses(stand: Stand, point: Point, error: str) -> Sequence[int]:
    """How the run may end of which a call fails so."""
    name, native = point.name, stand.cast != INTERPRETED
    if not point.of_generation:
        return (DONE, LOST, FAILED)
    if error == "EINTR" and (name in (*_MADE_AGAIN, "close") or (name == "mkdirat" and native)):
        return (DONE,)
    if name == "munmap" or (name == "close" and not _is_own(stand, point)):
        # What was only read is safe; the interpreter minds it all the same.
        return (DONE,) if native else (DONE, FAILED)
    return (FAILED,)


def _is_own(stand: Stand, point: Point) -> bool:
    """Whether it is about a file that the role writes."""
    own = "manifest.json" if stand.role == 0 else f"manifest-{stand.role}.json"
    return point.place.endswith((f"/shard-{stand.role}.safetensors", f"/{own}"))


def failed(stand: Stand, point: Point, error: str) -> Tried:
    """A run in which a call of the role fails, without being made, and what goes on from there."""

    def check(stand: Stand, trial: Trial, hit: Point | None) -> list[str]:
        return [] if hit is None else _ended(stand, trial, hit, error)

    return sought(stand, point, f"error={error}", check)


def _ended(stand: Stand, trial: Trial, point: Point, error: str) -> list[str]:
    """What is wrong with how a run has ended."""
    told, wanted = trial.told, statuses(stand, point, error)
    if told.status not in wanted:
        return [f"ended with {told}, not with {wanted}"]
    if told.status != FAILED or not point.of_generation:
        return [] if told.status or told.said == "" else [f"says {told.said}"]
    is_child = "/manifest-" in point.place and not _is_own(stand, point)
    verb = "read" if point.name in _READ or is_child else "write"
    path, why = trial.path / _said(point), os.strerror(getattr(errno, error))
    line = f"alpha: role {stand.role}: failed: cannot {verb} {path}: {why}\n"
    return [] if line in told.said else [f"says {told.said}, not {line}"]


def _said(point: Point) -> str:
    """The place that a line names: what is renamed by its new name."""
    if point.name.startswith("rename"):
        return point.place.removeprefix(".").rsplit(".", 1)[0]
    return point.place


def lied(stand: Stand) -> list[str]:
    """What is wrong with a run in which nothing is synchronized, though the role is told so."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        trial = stand.run(path, "fsync:retval=0")
        wrong, version = examined(stand, trial)
        if (trial.told.status, version) != (DONE, VERSIONS[-1]) or trial.told.said:
            wrong.append(f"ended with {trial.told}")
        for each in VERSIONS:
            wrong += found_at(path / f"gen-{each}", stand.play)[1]
        lies = sum(call.name == "fsync" and call.injected for call in trial.calls)
        # A shard, a manifest and the folder of each; role 0 the folder above as well.
        if lies != (4 if stand.role == 0 else 3) * len(VERSIONS):
            wrong.append(f"it was lied to {lies} times")
    return wrong
