"""A launcher, or a process that has all owners, which is killed at one of its calls.

Invariant: what is found then is as it is where a role was killed; no role outlives its launcher.
Why: the launcher writes nothing itself, but it removes old generations, with `--keep`. A process
    that has all owners is killed at every call that is about a generation.
Entry: `launcher_points`, `without_launcher`, `alone_points`, `crashed_alone`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from faults.crashing import Tried, last_begun, last_named
from faults.plays import EVERY, ROUNDS, VERSIONS, prepared
from faults.tracing import Call, Point, calls_of, front, hit_of, points_of
from faults.trials import check_resumed, environment, found_at, left
from native_runs.folders import MARK, command
from runs.processes import ALPHA

CALLS = ("mkdir", "flock", "rename", "unlinkat", "rmdir")
"""Those that one thread of a launcher makes alone, and so in the same numbers each time."""

SECONDS_MAX = 120.0
KILLED = -9


def _launched(path: Path, arguments: Sequence[str], *inject: str) -> tuple[int, list[Call], list]:
    """A command: its status, what it did itself, and which processes are left."""
    log = path.with_name(f"{path.name}.log")
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    traced = front(log, *inject).replace(" -f ", " -f -b execve ").split()
    with environment(**{MARK: mark}):
        done = subprocess.run(
            (*traced, *ALPHA, *arguments, "--checkpoint", str(path)),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS_MAX,
        )
    wrong = [f"process {each} is left" for each in left(mark)]
    return done.returncode, calls_of(log, threads=True), wrong


def _launching(name: str) -> Sequence[str]:
    return ("run", str(prepared(name).built()), "--keep", "1")


def _alone(name: str) -> Sequence[str]:
    play = prepared(name)
    how = ("--rounds", str(ROUNDS), "--checkpoint-every", str(EVERY), "--interpret=shard")
    return ("run", str(play.file), *play.play.flags, *how)


@cache
def launcher_points(name: str) -> list[Point]:
    """The calls of a launcher that are about the folder of generations."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        path.mkdir()
        status, calls, wrong = _launched(path, _launching(name))
        assert (status, wrong) == (0, []), calls
        assert [each.name for each in path.iterdir()] == [f"gen-{VERSIONS[-1]}"]
        found = points_of(calls, path, begin=False)
        return [each for each in found if each.of_generation and each.name in CALLS]


def without_launcher(name: str, point: Point) -> Tried:
    """A run whose launcher is killed as it makes a call."""
    tried, play = Tried(f"launcher killed at {point}"), prepared(name)
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        path.mkdir()
        inject = f"{point.name}:signal=KILL:when={point.turn}"
        status, calls, wrong = _launched(path, _launching(name), inject)
        tried.met = status == KILLED
        tried.found, more = found_at(path, play)
        wrong += more
        if status not in (0, KILLED):
            wrong.append(f"ended with {status}")
        # It removes nothing before there is something newer.
        removed = [call for call in calls if call.name == "rename" and "/gen-" in call.place]
        if removed and tried.found != VERSIONS[-1]:
            wrong.append(f"version {tried.found} was found when others were removed")
        if not wrong:
            wrong += check_resumed(path, play, tried.found)
        tried.wrong = [f"{tried.what}: {each}" for each in wrong]
    return tried


@cache
def _recorded_alone(name: str) -> tuple[Sequence[Point], Mapping[int, str]]:
    """The points of a process that has all owners, and what names its generations."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        status, calls, wrong = _launched(path, _alone(name))
        assert (status, wrong) == (0, []), calls
        digests: dict[int, str] = {}
        for version in VERSIONS:
            data = (path / f"gen-{version}" / "manifest.json").read_bytes()
            digests[version] = hashlib.sha256(data).hexdigest()
        points = [each for each in points_of(calls, path) if each.of_generation]
        return points, digests


def alone_points(name: str) -> Sequence[Point]:
    """All calls about generations of a process that has all owners."""
    return _recorded_alone(name)[0]


def crashed_alone(name: str, point: Point) -> Tried:
    """A run in one process that is killed as it makes a call, and one that goes on from there."""
    tried, play = Tried(f"one process killed at {point}"), prepared(name)
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        inject = f"{point.name}:signal=KILL:when={point.turn}"
        status, calls, wrong = _launched(path, _alone(name), inject)
        hit = hit_of(calls, path, point.name, point.turn)
        tried.met = hit is not None and hit.key == point.key
        tried.newer = last_begun(calls)
        if status != (KILLED if hit else 0):
            wrong.append(f"ended with {status}")
        tried.found, more = found_at(path, play, _recorded_alone(name)[1])
        wrong += more
        if (tried.found or 0) != last_named(calls):
            wrong.append(f"version {tried.found} was found")
        resume = () if tried.found is None else ("--resume", path)
        done = command(*_alone(name), "--checkpoint", path, *resume)
        if (done.status, done.out.splitlines()[-1:]) != (0, [play.end]):
            wrong.append(f"goes on to {done}")
        elif sorted(each.name for each in path.iterdir()) != [f"gen-{each}" for each in VERSIONS]:
            wrong.append(f"goes on, and leaves {os.listdir(path)}")
        tried.wrong = [f"{tried.what}: {each}" for each in wrong]
    return tried
