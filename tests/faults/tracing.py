"""What a role asks of the system, as strace tells it, and how strace is told to interfere.

Source: strace(1), which is a program of its own and knows nothing of roles. `-D` leaves the role
the child of whoever launches it.

Entry: `Call`, `calls_of`, `Point`, `points_of`, `front`, `hit_of`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

_CALL = re.compile(r"(\d+) +([a-z_0-9]+)\((.*)", re.ASCII | re.DOTALL)
_RESUMED = re.compile(r"(\d+) +<\.\.\. ([a-z_0-9]+) resumed>(.*)", re.ASCII | re.DOTALL)
_RESULT = re.compile(r"\) += (-?\d+|\?|0x[0-9a-f]+)(?!.*\) += )(.*)")
_DESCRIPTOR = re.compile(r"\b\d+<([^>]*)>")
_PATH = re.compile(r'"([^"]*)"')
_RELATIVE = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "([^"]*)"')

MAKES_FOLDER = ("mkdirat", "mkdir")
SENDS = ("sendmsg", "sendto")
RECEIVES = ("recvmsg", "recvfrom")


@dataclass(frozen=True)
class Call:
    """A system call of the first thread of a process: its name and the file that it is about."""

    name: str
    place: str
    """A path, `socket`, `pipe`, or nothing."""
    result: str | None
    """None for one that didn't return."""
    injected: bool

    @property
    def begins(self) -> bool:
        """Whether a generation begins with it."""
        return self.name in MAKES_FOLDER and "/.gen-" in self.place


def calls_of(log: Path, threads: bool = False) -> list[Call]:
    """The calls of the first thread, in order; or those of all threads, as they began."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    found: list[Call] = []
    held: dict[str, int] = {}
    first = lines[0].split()[0] if lines else ""
    for line in lines:
        if (call := _CALL.match(line)) is not None and (threads or call[1] == first):
            held[call[1]] = len(found)
            found.append(_call(call[2], call[3]))
        elif (back := _RESUMED.match(line)) is not None and back[1] in held:
            before = found[held[back[1]]]
            assert before.result is None and before.name == back[2], line
            after = _call(back[2], back[3])
            found[held[back[1]]] = replace(before, result=after.result, injected=after.injected)
    return found


def _call(name: str, rest: str) -> Call:
    result = _RESULT.search(rest)
    known = result is not None and result[1] != "?"
    injected = result is not None and "(INJECTED)" in result[2]
    return Call(name, _place(name, rest), result[1] if result and known else None, injected)


def _place(name: str, arguments: str) -> str:
    """What a call is about: the file that it names, or what its descriptor is of."""
    if name.endswith(("at", "at2")):
        match = _RELATIVE.match(arguments)
        return "" if match is None else os.path.join(match[1], match[2])
    match = _DESCRIPTOR.search(arguments) or _PATH.match(arguments)
    return "" if match is None else match[1].split(":")[0]


@dataclass(frozen=True)
class Point:
    """A place in what a role does: a call that is its `turn`-th of that name."""

    name: str
    turn: int
    place: str
    """What it is about, relative to the folder of generations."""
    again: int
    """How many calls of this name there were about the same, with it."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is in every run; what isn't about a generation comes in other numbers."""
        return self.name, self.place, self.again if self.of_generation else self.turn

    @property
    def of_generation(self) -> bool:
        """Whether it is about the folder of generations, or what is in it."""
        return self.place.startswith((".", "gen-"))

    def __str__(self) -> str:
        return f"{self.name} {self.turn} ({self.place or 'nothing'} {self.again})"


def points_of(calls: Sequence[Call], path: Path, begin: bool = True) -> list[Point]:
    """All calls from the first generation on, or from the begin of the role."""
    turns, again = Counter[str](), Counter[tuple[str, str]]()
    found: list[Point] = []
    started = not begin
    for call in calls:
        turns[call.name] += 1
        started = started or call.begins
        place = _relative(call.place, path)
        again[call.name, place] += 1
        # Nobody can be kept from beginning.
        if started and call.name != "execve":
            found.append(Point(call.name, turns[call.name], place, again[call.name, place]))
    return found


def _relative(place: str, path: Path) -> str:
    if place == str(path):
        return "."
    return place.removeprefix(f"{path}/").replace(str(path), "")


def hit_of(calls: Sequence[Call], path: Path, name: str, turn: int) -> Point | None:
    """The point that a run came to; None if it never did."""
    points = points_of(calls, path, begin=False)
    return next((each for each in points if (each.name, each.turn) == (name, turn)), None)


def front(log: Path, *inject: str) -> str:
    """What stands before the command of a role that is watched."""
    told = [f"-e inject={each}" for each in inject]
    return " ".join(("strace", "-D", "-f", "-y", "-s", "64", "-o", str(log), *told))
