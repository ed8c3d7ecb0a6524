"""What a launcher takes from the stream of a role: its records, and observations many at a time.

Invariant: what is given is what `interpreters/participants/reports.py` says of a stream, in its
    order, however its bytes are cut; but of progress that comes together only the newest is given,
    behind the observations. Bytes are looked at a bounded number of times: a record that isn't
    whole yet waits in pieces.
Why: a native role ends ten thousand rounds a second, each with its observations; the launcher has
    the same processors as the roles, and mustn't take them.
Entry: `RecordStream`, `Observations`, `joined`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from alpha.interpreters.participants.reports import (
    HEADER,
    OBSERVATION,
    PROGRESS,
    RECORD_BYTES_MAX,
    STATE,
    Record,
)

OBSERVED = np.dtype(
    [("index", "u4"), ("version", "i8"), ("count", "u8"), ("total", "f8"), ("narrow", "?")]
)
"""An observation: the number of its label, the total as binary64, and whether it is binary32."""

_NARROW, _WIDE = 4, 8
"""The bytes of a word."""

_WORDS = {_NARROW: struct.Struct("<f"), _WIDE: struct.Struct("<d")}

_HEAD = [("kind", "<u4"), ("index", "<u4"), ("version", "<u8"), ("count", "<u8"), ("bytes", "<u8")]
_ROWS = {
    _NARROW: np.dtype([*_HEAD, ("word", "<f4")]),
    _WIDE: np.dtype([*_HEAD, ("word", "<f8")]),
}
"""Records with one word, by the bytes of the word."""

_FEW = 8
"""So many records are taken faster one by one than together."""

_LOOK = 64
"""So many are looked at together at first, and twice as many after those."""


@dataclass(frozen=True)
class Observations:
    """Observations in the order in which they came."""

    rows: np.ndarray
    """Of the type `OBSERVED`."""


class RecordStream:
    """Takes bytes as they come, and gives what is complete."""

    def __init__(self, wordless: bool = False) -> None:
        """Where records are `wordless`, words of states are passed over as they come."""
        self._wordless = wordless
        self._passing = 0
        self._parts: list[bytes] = []
        self._held = 0
        self._wanted = HEADER.size

    def feed(self, data: bytes) -> Iterator[Record | Observations]:
        """What these bytes complete.

        Raises:
            ValueError: a record is longer than any participant writes.
        """
        if self._passing:
            passed = min(self._passing, len(data))
            self._passing -= passed
            data = data[passed:]
        self._parts.append(data)
        self._held += len(data)
        if self._held < self._wanted:
            return
        buffer = data if len(self._parts) == 1 else b"".join(self._parts)
        at, end = 0, len(buffer)
        self._wanted = HEADER.size
        gathered, may_be_long = _Gathered(), True
        while end - at >= HEADER.size:
            kind, index, version, count, size = HEADER.unpack_from(buffer, at)
            whole = HEADER.size + size
            if size > RECORD_BYTES_MAX:
                raise ValueError(f"a record of {size} bytes")
            if self._wordless and kind == STATE:
                yield from gathered.told()
                gathered = _Gathered()
                yield Record(kind, index, version, count)
                self._passing = max(0, whole - (end - at))
                at = min(at + whole, end)
                continue
            if end - at < whole:
                self._wanted = whole
                break
            if kind == OBSERVATION and size in _WORDS:
                # Where there are few between progress, looking costs more than it gives.
                if may_be_long and _is_long(buffer, at, whole):
                    at += gathered.take_run(buffer, at, size)
                    continue
                may_be_long = False
                (word,) = _WORDS[size].unpack_from(buffer, at + HEADER.size)
                gathered.singles.append((index, version, count, word, size == _NARROW))
            elif kind == PROGRESS:
                gathered.progress, may_be_long = version, True
            else:
                yield from gathered.told()
                gathered = _Gathered()
                yield Record(kind, index, version, count, buffer[at + HEADER.size : at + whole])
            at += whole
        yield from gathered.told()
        self._parts = [buffer[at:]] if at < end else []
        self._held = end - at


class _Gathered:
    """Observations and progress that come together."""

    def __init__(self) -> None:
        self.singles: list[tuple[int, int, int, float, bool]] = []
        self.progress: int | None = None
        self._runs: list[np.ndarray] = []

    def take_run(self, buffer: bytes, at: int, size: int) -> int:
        """Take the observations from a place on with words of this size; says their bytes."""
        rows = _alike(buffer, at, size)
        found = np.empty(len(rows), OBSERVED)
        for name in ("index", "version", "count"):
            found[name] = rows[name]
        found["total"] = rows["word"]
        found["narrow"] = size == _NARROW
        self._put_singles()
        self._runs.append(found)
        return rows.nbytes

    def _put_singles(self) -> None:
        if self.singles:
            self._runs.append(np.array(self.singles, OBSERVED))
            self.singles = []

    def told(self) -> Iterator[Record | Observations]:
        """What has been gathered."""
        self._put_singles()
        if self._runs:
            yield Observations(self._runs[0] if len(self._runs) == 1 else joined(self._runs))
        if self.progress is not None:
            yield Record(PROGRESS, version=self.progress)


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Observations, one array behind the other; numpy's own way is slow for records."""
    found = np.empty(sum(map(len, parts)), OBSERVED)
    at = 0
    for part in parts:
        found[at : at + len(part)] = part
        at += len(part)
    return found


def _is_long(buffer: bytes, at: int, whole: int) -> bool:
    """Whether a record some way behind this one looks like it, if all between are as long."""
    there = at + _FEW * whole
    if there + HEADER.size > len(buffer):
        return False
    mine, other = HEADER.unpack_from(buffer, at), HEADER.unpack_from(buffer, there)
    return (mine[0], mine[4]) == (other[0], other[4])


def _alike(buffer: bytes, at: int, size: int) -> np.ndarray:
    """The records from a place on that are whole observations with words of this size."""
    dtype = _ROWS[size]
    count = (len(buffer) - at) // dtype.itemsize
    rows = np.frombuffer(buffer, dtype, count, at)
    first, look = 0, _LOOK
    while first < count:
        part = rows[first : first + look]
        other = (part["kind"] != OBSERVATION) | (part["bytes"] != size)
        if other.any():
            return rows[: first + int(other.argmax())]
        first, look = first + look, 2 * look
    return rows
