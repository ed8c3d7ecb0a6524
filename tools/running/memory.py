"""How much memory this host has for the roles of a run, and whether that is enough.

Why: where it isn't, the system ends a role in the middle of a run, or something else of the host.
Refuses: target-unsupported.
Entry: `check_memory`, `available_memory`, `memory_of`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alpha.ir.refusals import Refusal
from alpha.tools.driver.counts import counted

if TYPE_CHECKING:
    from alpha.tools.building.description import RoleDescription


class Available(NamedTuple):
    """Bytes that can be had, and what says so."""

    bytes: int
    source: str


def memory_of(role: RoleDescription) -> int:
    """The bytes that a role has in memory at most."""
    return role.memory_bytes + role.bytes + (0 if role.data is None else role.data.bytes)


def check_memory(needed: int, roles: int, root: Path = Path("/")) -> None:
    """See that so many bytes can be had for these roles. `root` is where /proc and /sys are.

    Raises:
        Refusal: target-unsupported, with both numbers.
    """
    found = available_memory(root)
    if found is not None and needed > found.bytes:
        wanted = f"{needed} bytes of memory on this host for {counted(roles, 'role')}"
        raise Refusal("target-unsupported", wanted, f"{found.bytes}, by {found.source}")


def available_memory(root: Path = Path("/")) -> Available | None:
    """The least of what the system and the groups of this process have left; None if none says.

    What a group has in its page cache and doesn't use can be had as well.
    """
    return min(_found(root), default=None)


def _found(root: Path) -> Iterator[Available]:
    kilobytes = re.search(r"^MemAvailable: *(\d+) kB$", _text(root / "proc/meminfo"), re.MULTILINE)
    if kilobytes is not None:
        yield Available(1024 * int(kilobytes[1]), "MemAvailable of /proc/meminfo")
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        # Of the second version there is one hierarchy, whose list of controllers is empty.
        if not controllers:
            top, names = root / "sys/fs/cgroup", ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            top = root / "sys/fs/cgroup/memory"
            names = (
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file",
            )
        else:
            continue
        yield from _of_groups(top, group, *names)


def _of_groups(top: Path, group: str, limit: str, usage: str, cache: str) -> Iterator[Available]:
    """What a group and those that it is in have left.

    A container may see its own group as the top of the hierarchy, under another's name.
    """
    folder = top / group.lstrip("/")
    for place in (folder, *folder.parents):
        most, used = _number(place / limit), _number(place / usage)
        if most is not None and used is not None:
            unused = re.search(rf"^{cache} (\d+)$", _text(place / "memory.stat"), re.MULTILINE)
            left = most - used + (0 if unused is None else int(unused[1]))
            yield Available(max(0, min(most, left)), f"{place / limit}")
        if place == top:
            return


def _number(path: Path) -> int | None:
    """The number in a file; None where there is no file, or no limit."""
    text = _text(path).strip()
    return int(text) if text.isdecimal() else None


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace")
    except OSError:
        return ""
