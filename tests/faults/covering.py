"""What is tried: everything, for the campaign, and some of each kind for every run of the tests.

Entry: `Task`, `everything`, `some`, `tried`, `wrong_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faults.crashing import Tried, crashed, points, stopped
from faults.damaging import damages, refused
from faults.failing import ERRORS, ERRORS_OF_SOCKETS, failed, lied
from faults.filling import files_of, limits_of, on_disk, pages_of, with_limit
from faults.outliving import alone_points, crashed_alone, launcher_points, without_launcher
from faults.plays import ARM, INTERPRETED, VERSIONS, X86
from faults.shortening import COUNTS, interrupted_by_timer, shortened
from faults.tracing import RECEIVES, SENDS, Point
from faults.trials import Stand, stand

CASTS = (X86, ARM, INTERPRETED)

PLACES: Sequence[tuple[str, int]] = (("star", 0), ("star", 2), ("tree", 1))
"""A root, a leaf, and a role between two others."""

ALONE = ("exit_group", "clock_gettime", "munmap")
"""Calls that can't fail, or whose failure is nobody's business."""

DISK_PLAY = "wide"
"""Its files have several pages each."""

ATTEMPTS = 3
"""How often a point is tried that a role doesn't come to: its calls differ from run to run."""


class Task(NamedTuple):
    """Something that is tried: how it is tried depends on its kind."""

    kind: str
    name: str
    role: int
    cast: str
    item: object = None
    """A point, a point and an error, a size, or which of several."""

    @property
    def stand(self) -> Stand:
        """The role that is watched."""
        return stand(self.name, self.role, self.cast)


def tried(task: Task) -> Tried:
    """Try it."""
    match task.kind, task.item:
        case "crash", Point() as point:
            return crashed(task.stand, point)
        case "end", Point() as point:
            return crashed(task.stand, point, "TERM")
        case "stop", Point() as point:
            return stopped(task.stand, point)
        case "error", (Point() as point, str(error)):
            return failed(task.stand, point, error)
        case "lie", None:
            return _whole("lies", lied(task.stand))
        case "short", int(at):
            return _whole(f"writes of {COUNTS[at]}", shortened(task.stand, COUNTS[at]))
        case "timer", None:
            return _whole("a timer", interrupted_by_timer(task.stand))
        case "pages", int(pages):
            return on_disk(task.name, task.cast, task.role, pages=pages)
        case "files", int(files):
            return on_disk(task.name, task.cast, task.role, files=files)
        case "limit", int(size):
            return with_limit(task.name, task.cast, task.role, size)
        case "damage", (int(step), int(at)):
            damage = list(damages(task.name, step))[at]
            return Tried(damage.name, VERSIONS[0], wrong=refused(task.name, damage))
        case "launcher", Point() as point:
            return without_launcher(task.name, point)
        case "one process", Point() as point:
            return crashed_alone(task.name, point)
    raise AssertionError(task)


def _whole(what: str, wrong: list[str]) -> Tried:
    """What became of a run that should end well."""
    return Tried(what, None if wrong else VERSIONS[-1], wrong=wrong)


def frames(stand: Stand) -> list[Point]:
    """Where a role sends and receives, from its begin on."""
    return [each for each in points(stand, begin=False) if each.name in (*SENDS, *RECEIVES)]


def errors(point: Point, cast: str, number: int) -> Sequence[str]:
    """Those that a call gives; some of them in turn where a role takes long to start."""
    if point.name in ALONE and not point.of_generation:
        return ()
    if cast != INTERPRETED:
        return ERRORS if point.of_generation else ERRORS_OF_SOCKETS
    if not point.of_generation:
        return ERRORS_OF_SOCKETS[number % 3 :][:1]
    return ("EINTR", "EIO", ERRORS[2 + number % 4])


def everything() -> Iterator[Task]:
    """All that there is."""
    for cast in CASTS:
        for name, role in PLACES:
            watched = stand(name, role, cast)
            yield from _of_role(watched, name)
        yield from _of_disks(cast)
    yield from (Task("launcher", "star", 0, X86, each) for each in launcher_points("star"))
    for point in alone_points("star"):
        yield Task("one process", "star", 0, INTERPRETED, point)
    step = 40
    for at, _ in enumerate(damages("star", step)):
        yield Task("damage", "star", 0, X86, (step, at))


def _of_role(watched: Stand, name: str) -> Iterator[Task]:
    who = (name, watched.role, watched.cast)
    found = points(watched)
    for number, point in enumerate(found):
        yield Task("crash", *who, point)
        for error in errors(point, watched.cast, number):
            yield Task("error", *who, (point, error))
    steps = frames(watched)
    slow = watched.cast == INTERPRETED
    ends = [*steps, *(each for each in found if each.of_generation)]
    for point in ends[:: 5 if slow else 1]:
        yield Task("end", *who, point)
    for point in steps[:: 10 if slow else 1]:
        yield Task("crash", *who, point)
    for point in ends[:: 25 if slow else 2]:
        yield Task("stop", *who, point)
    yield Task("lie", *who)
    yield from (Task("short", *who, at) for at in range(len(COUNTS)))
    if slow:
        yield Task("timer", *who)


def _of_disks(cast: str) -> Iterator[Task]:
    slow = cast == INTERPRETED
    for role in (0, 1) if slow else (0,):
        yield from (Task("pages", DISK_PLAY, role, cast, each) for each in pages_of(DISK_PLAY))
        yield from (Task("files", "star", role, cast, each) for each in files_of("star"))
        limits = limits_of("star", 256 if slow else 32)
        yield from (Task("limit", "star", role, cast, each) for each in limits)


def some(task_kind: str, name: str, role: int, cast: str, step: int) -> list[Task]:
    """Every so many of the points of a role, other ones for another role or cast.

    Of those that are about no generation there are fewer.
    """
    watched = stand(name, role, cast)
    found = points(watched)
    of_generation = [each for each in found if each.of_generation]
    first = (sum(map(ord, cast)) + role) % step
    chosen = of_generation[first::step]
    if task_kind == "error":
        # One error each, so that all of them are given to some call of each name.
        pairs = [(each, ERRORS[at % len(ERRORS)]) for at, each in enumerate(chosen)]
        return [Task(task_kind, name, role, cast, pair) for pair in pairs]
    others = [each for each in found if not each.of_generation]
    chosen += others[first :: max(1, len(others) // (1 if cast == INTERPRETED else 3))]
    return [Task(task_kind, name, role, cast, each) for each in chosen]


def wrong_of(tasks: Sequence[Task]) -> list[str]:
    """What is wrong with any of them; most have to come to their points."""
    results = [_met(task) for task in tasks]
    assert sum(each.met for each in results) > 0.7 * len(tasks)
    return [each for result in results for each in result.wrong]


def _met(task: Task) -> Tried:
    """The trial of a task, again where a role on a busy host didn't come to the point."""
    for _ in range(ATTEMPTS - 1):
        found = tried(task)
        if found.met or found.wrong:
            return found
    return tried(task)
