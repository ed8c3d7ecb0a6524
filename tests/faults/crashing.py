"""A role that ends, or is stopped, at one of its calls: what there is then, and what goes on.

Invariant: every call of the role is a point, from the first of a generation on; whether a point was
    met is read from what strace saw in that run, not from what was asked of it.
Entry: `Tried`, `points`, `sought`, `crashed`, `stopped`, `crashed_into`, `examined`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from faults.plays import INTERPRETED, VERSIONS
from faults.tracing import Call, Point, hit_of, points_of
from faults.trials import BOUNDS, Stand, Trial, check_resumed, found_at, odd_lines, waited

from alpha.tools.running import launching

ATTEMPTS, ATTEMPTS_ELSEWHERE = 6, 2
"""A call that comes in other numbers than before is sought so often: one that is about a
generation, and another one."""

DONE, LOST = 0, 4

SHORT = ("--wait", "1", "--deadline", "4")
LONGER = ("--wait", "15", "--deadline", "40")
"""Where a role is stopped, so long is waited for it; the launcher waits a little longer. Who is
interpreted begins late."""

Check = Callable[[Stand, Trial, Point | None], list[str]]
"""What is wrong with how a run has ended, that came to a point or didn't."""


@dataclass
class Tried:
    """What became of something that was tried."""

    what: str
    found: int | None = None
    """The version that was found."""
    newer: int = VERSIONS[-1]
    """That which was being written."""
    met: bool = True
    """Whether it came to what was to be tried; where it must, that it didn't is wrong."""
    wrong: list[str] = field(default_factory=list)

    @property
    def new(self) -> bool:
        """Whether the generation was found that was being written, and not an older one or none."""
        return self.found == self.newer


@cache
def recorded(stand: Stand) -> tuple[Sequence[Call], Path]:
    """The calls of a role in a run in which nothing fails, and the path of its generations."""
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "path"
        trial = stand.run(path)
        assert (trial.told.status, trial.wrong) == (DONE, []), trial
        assert found_at(path, stand.play) == (VERSIONS[-1], [])
        return trial.calls, path


def points(stand: Stand, begin: bool = True) -> list[Point]:
    """All points of a role, from its first generation on or from its begin."""
    return points_of(*recorded(stand), begin)


def sought(
    stand: Stand, point: Point, what: str, check: Check, bounds: tuple[str, ...] = BOUNDS
) -> Tried:
    """A run in which `what` happens to a call of the role, and what goes on from there."""
    tried = Tried(f"{what} at {point}")
    turn, who = point.turn, f"{stand.cast} role {stand.role}, {tried.what}"
    for _ in range(ATTEMPTS if point.of_generation else ATTEMPTS_ELSEWHERE):
        with TemporaryDirectory(prefix="alpha-tests-") as folder:
            path = Path(folder) / "path"
            trial = stand.run(path, f"{point.name}:{what}:when={turn}", bounds=bounds)
            hit = hit_of(trial.calls, path, point.name, turn)
            wrong, tried.found = examined(stand, trial)
            wrong += check(stand, trial, hit)
            if bounds == BOUNDS:
                wrong += [f"waited for nothing: {line}" for line in waited(trial.told)]
            tried.newer = last_begun(trial.calls)
            tried.wrong = [f"{who}: {each}" for each in wrong]
        tried.met = hit is not None and hit.key == point.key
        if tried.met or wrong:
            break
        # What came before it came in other numbers this time.
        seen = points_of(trial.calls, path, begin=False)
        turn = next((each.turn for each in seen if each.key == point.key), turn)
    # Of other calls there may be fewer in another run.
    if not tried.met and point.of_generation:
        tried.wrong.append(f"{who}: it never came to it")
    return tried


_PARTIAL = re.compile(r"/\.gen-(\d+)\.[0-9a-f]+$")


def last_begun(calls: Sequence[Call]) -> int:
    """The generation that was begun last."""
    found = [_PARTIAL.search(call.place) for call in calls if call.begins]
    return max((int(each[1]) for each in found if each), default=VERSIONS[0])


def last_named(calls: Sequence[Call]) -> int:
    """The generation that was given its name last, 0 for none."""
    done = [call for call in calls if call.name.startswith("rename") and call.result == "0"]
    found = [_PARTIAL.search(call.place) for call in done]
    return max((int(each[1]) for each in found if each), default=0)


def crashed(stand: Stand, point: Point, signal: str = "KILL") -> Tried:
    """A run in which the role is ended by a signal as it makes a call."""

    def check(stand: Stand, trial: Trial, hit: Point | None) -> list[str]:
        return _ended(stand, trial, hit, f"was ended by SIG{signal}")

    return sought(stand, point, f"signal={signal}", check)


def stopped(stand: Stand, point: Point) -> Tried:
    """A run in which the role is stopped for good; whoever launched it ends it at last."""

    def check(stand: Stand, trial: Trial, hit: Point | None) -> list[str]:
        return _ended(stand, trial, hit, "didn't end by itself, and was ended")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launching, "SLACK_SECONDS", 1.0)
        patch.setattr(launching, "SLACK_SECONDS_AFTER_FAILURE", 0.2)
        bounds = LONGER if stand.cast == INTERPRETED else SHORT
        return sought(stand, point, "signal=STOP", check, bounds)


def _ended(stand: Stand, trial: Trial, hit: Point | None, how: str) -> list[str]:
    """What is wrong with how a run has ended of which a role was sent a signal, or wasn't."""
    told, said = trial.told, f"alpha: role {stand.role}: {how}\n"
    well = (told.status, told.said) == (DONE, "")
    if hit is None:
        return [] if well else [f"without a signal: {told}"]
    # Who ends anyway may be sooner.
    if (well and hit.name == "exit_group") or (told.status == LOST and said in told.said):
        return []
    return [f"ended with {told}"]


def crashed_into(path: Path, stand: Stand, point: Point) -> None:
    """Leave at a path what a run leaves of which the role is killed at a point."""
    trial = stand.run(path, f"{point.name}:signal=KILL:when={point.turn}")
    hit = hit_of(trial.calls, path, point.name, point.turn)
    assert hit is not None and hit.key == point.key, trial
    path.with_name(f"{path.name}.log").unlink()


def examined(stand: Stand, trial: Trial) -> tuple[list[str], int | None]:
    """What is wrong with what a run has left, and the version that was found there."""
    told = trial.told
    wrong = [*trial.wrong, *(f"says {line}" for line in odd_lines(told))]
    version, more = found_at(trial.path, stand.play)
    wrong += more
    low, high = bounds_of(stand, trial)
    if not low <= (version or 0) <= high:
        wrong.append(f"version {version} was found, not one from {low} to {high}")
    if told.status == DONE and (
        version != VERSIONS[-1] or told.out.splitlines()[-1] != stand.play.end
    ):
        wrong.append(f"ended well with version {version}: {told.out}")
    if not wrong:
        wrong += check_resumed(trial.path, stand.play, version)
    return wrong, version


def bounds_of(stand: Stand, trial: Trial) -> tuple[int, int]:
    """Between which versions the newest generation is, by what the role has done.

    What was begun behind a generation says that it is there. No generation is without what the role
    has to write for it; and it has its name from role 0.
    """
    if stand.role == 0:
        named = last_named(trial.calls)
        return named, named
    low, high = 0, 0
    for call in trial.calls:
        succeeded = call.result is not None and not call.result.startswith("-")
        began = _PARTIAL.search(call.place)
        if call.begins and began:
            low = max((each for each in VERSIONS if each < int(began[1])), default=0)
        if call.name == "fsync" and succeeded and began:
            high = int(began[1])
    return (VERSIONS[-1] if trial.told.status == DONE else low), high
