"""What all processes of a run did to the files below a folder, in the order in which it was done.

Invariant: an operation stands where its call began, since others may see what it did before it
    returns; but a sync stands where it returned, since it has promised nothing before, and it
    promises nothing of what began after it. A call that failed is none. Calls that this doesn't
    know are refused.
Entry: `record`, and the operations `MakeFolder`, `Create`, `Write`, `Sync`, `Rename`, `Remove`,
    `Said`, `Nothing`.
"""

from __future__ import annotations

import codecs
import os
import re
import struct
import subprocess
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from runs.processes import ALPHA

from alpha.interpreters.participants.reports import STORED

OPENING = ("open", "openat", "creat")
MAKING = ("mkdir", "mkdirat")
RENAMING = ("rename", "renameat", "renameat2")
REMOVING = ("unlink", "unlinkat", "rmdir")
WRITING, SYNCHRONIZING = "write", "fsync"
UNKNOWN = (
    *("pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate"),
    *("link", "linkat", "symlink", "symlinkat", "copy_file_range", "sendfile", "splice"),
    *("fdatasync", "sync_file_range", "syncfs", "sync", "msync", "openat2", "mknod", "mknodat"),
)
"""Nobody makes these there; if somebody does, this has to be told what they do."""

NAMES = (*OPENING, *MAKING, *RENAMING, *REMOVING, WRITING, SYNCHRONIZING, *UNKNOWN)
DATA_BYTES_MAX = 1 << 22
RECORD_BYTES = 32


@dataclass(frozen=True)
class MakeFolder:
    """A folder is made."""

    path: str


@dataclass(frozen=True)
class Create:
    """A file is made if it isn't there, and is empty then; if it is there, where it begins anew."""

    path: str
    anew: bool


@dataclass(frozen=True)
class Write:
    """Bytes are written at a place of a file."""

    path: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Sync:
    """A file, or the names in a folder, are on disk, as they were when `process` asked for it.

    That was after `begun` operations.
    """

    path: str
    process: int
    begun: int


@dataclass(frozen=True)
class Rename:
    """A folder gets another name."""

    path: str
    to: str


@dataclass(frozen=True)
class Remove:
    """A file or an empty folder has no name any more."""

    path: str


@dataclass(frozen=True)
class Said:
    """A role has reported that the generation of a version is published."""

    version: int


@dataclass(frozen=True)
class Nothing:
    """What wasn't done."""


Change = MakeFolder | Create | Write | Sync | Rename | Remove
Operation = Change | Said | Nothing

_LINE = re.compile(r"(\d+) +([a-z_0-9]+)\((.*)", re.ASCII | re.DOTALL)
_RESUMED = re.compile(r"(\d+) +<\.\.\. ([a-z_0-9]+) resumed>(.*)", re.ASCII | re.DOTALL)
_UNFINISHED = " <unfinished ...>"
_RETURNED = re.compile(r"\) += (-?\d+)(?:<([^>]*)>)?[^\"]*$")
_FOLDER = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "((?:[^"\\]|\\.)*)"')
_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FILE = re.compile(r"(\d+)<([^>]*)>")
_DATA = re.compile(r'\d+<[^>]*>, "((?:[^"\\]|\\.)*)"(\.\.\.)?, \d+')


def record(
    folder: Path, *arguments: str | Path, environment: Mapping[str, str] | None = None
) -> list[Operation]:
    """Run `alpha` with these arguments, and tell what was done below a folder."""
    log = folder.with_name(f"{folder.name}.log")
    traced = ("strace", "-f", "-y", "-s", str(DATA_BYTES_MAX), "-o", str(log))
    subprocess.run(
        (*traced, "-e", f"trace={','.join(NAMES)}", *ALPHA, *map(str, arguments)),
        check=True,
        capture_output=True,
        env={**os.environ, **(environment or {})},
    )
    return _operations(log.read_text().splitlines(), str(folder))


def _operations(lines: Sequence[str], folder: str) -> list[Operation]:
    found: list[Operation] = []
    held: dict[str, tuple[str, str, int]] = {}
    offsets: dict[tuple[str, str], int] = {}
    for line in lines:
        if (call := _LINE.match(line)) is not None:
            process, name, rest = call[1], call[2], call[3]
            begun = len(found)
            found.append(Nothing())
            if rest.endswith(_UNFINISHED):
                held[process] = name, rest.removesuffix(_UNFINISHED), begun
                continue
        elif (back := _RESUMED.match(line)) is not None:
            process, (name, rest, begun) = back[1], held.pop(back[1])
            assert name == back[2], line
            rest += back[3]
        else:
            continue
        returned = _RETURNED.search(rest)
        if returned is None or returned[1].startswith("-"):
            continue
        operation = _told(process, name, rest, returned, offsets, begun)
        if not isinstance(operation, Said) and (
            operation is None or not _is_below(operation, folder)
        ):
            continue
        if isinstance(operation, Sync):
            found.append(operation)
        else:
            found[begun] = operation
    return _without_nothing(found)


def _without_nothing(operations: Sequence[Operation]) -> list[Operation]:
    """The same without what isn't about the folder."""
    kept = [number for number, each in enumerate(operations) if not isinstance(each, Nothing)]
    found = [operations[number] for number in kept]
    return [
        replace(each, begun=bisect_left(kept, each.begun)) if isinstance(each, Sync) else each
        for each in found
    ]


def _is_below(operation: Change, folder: str) -> bool:
    # Whatever is done to the folder itself is done in the one that it is in.
    return operation.path == os.path.dirname(folder) or operation.path.startswith(folder)


def _told(
    process: str,
    name: str,
    rest: str,
    returned: re.Match[str],
    offsets: dict[tuple[str, str], int],
    begun: int,
) -> Change | Said | None:
    """What a call did that has succeeded."""
    if name in OPENING:
        offsets[process, returned[1]] = 0
        made = "O_CREAT" in rest or "O_TRUNC" in rest
        return Create(returned[2] or "", "O_TRUNC" in rest) if made else None
    if name in MAKING:
        return MakeFolder(_paths(name, rest)[0])
    if name in RENAMING:
        return Rename(*_paths(name, rest))
    if name in REMOVING:
        return Remove(_paths(name, rest)[0])
    if name == WRITING:
        return _written(process, rest, int(returned[1]), offsets)
    file = _FILE.match(rest)
    if name == SYNCHRONIZING:
        assert file is not None, rest
        return Sync(file[2], int(process), begun)
    assert ".gen-" not in rest and "/gen-" not in rest, f"{name}({rest}"
    return None


def _paths(name: str, rest: str) -> list[str]:
    """The paths that a call names."""
    if name.endswith(("at", "at2")):
        return [os.path.join(at, _bytes(path).decode()) for at, path in _FOLDER.findall(rest)]
    return [_bytes(path).decode() for path in _PATH.findall(rest)]


def _bytes(text: str) -> bytes:
    """What an escaped text says."""
    return codecs.escape_decode(text.encode("latin-1"))[0]  # pyright: ignore


def _written(
    process: str, rest: str, count: int, offsets: dict[tuple[str, str], int]
) -> Write | Said | None:
    file, data = _FILE.match(rest), _DATA.match(rest)
    assert file is not None and data is not None and not data[2], rest[:200]
    written = _bytes(data[1])[:count]
    assert len(written) == count, rest[:200]
    if not file[2].startswith("/"):
        is_stored = count == RECORD_BYTES and written.startswith(struct.pack("<Q", STORED))
        return Said(int.from_bytes(written[8:16], "little")) if is_stored else None
    key = process, file[1]
    offset = offsets.get(key, 0)
    offsets[key] = offset + count
    return Write(file[2], offset, written)
