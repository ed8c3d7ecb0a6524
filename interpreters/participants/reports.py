"""What a participant tells whoever launched it: records on a stream, behind the announced ports.

Invariant: a record is a header of 32 bytes, little-endian (kind u32, index u32, version u64, count
    u64, bytes u64), and as many bytes of words. An observation has its number among the learner's
    observations as index and one word, the total; a state has its number among the learner's states
    and the words that the role has of it; progress, and a generation that is stored, have no words.
Why: whoever launched the roles only collects; it takes no part in what they compute.
Entry: `Record`, `encode_record`, `RecordReader`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

PROGRESS, OBSERVATION, STATE, END, STORED = 1, 2, 3, 4, 5
"""The kinds; an end says that everything before it has been told."""

HEADER = struct.Struct("<IIQQQ")
"""Kind, index, version, count and the bytes of words that follow."""

RECORD_BYTES_MAX = 1 << 40


@dataclass(frozen=True)
class Record:
    """One thing that a participant tells."""

    kind: int
    index: int = 0
    version: int = 0
    count: int = 0
    words: bytes = b""


def encode_record(record: Record) -> bytes:
    """The bytes of a record."""
    size = len(record.words)
    head = HEADER.pack(record.kind, record.index, record.version, record.count, size)
    return head + record.words


class RecordReader:
    """Takes bytes as they come, and gives the records that are complete."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> Iterator[Record]:
        """The records that these bytes complete.

        Raises:
            ValueError: a record is longer than any participant writes.
        """
        self._data += data
        while len(self._data) >= HEADER.size:
            kind, index, version, count, size = HEADER.unpack_from(self._data)
            if size > RECORD_BYTES_MAX:
                raise ValueError(f"a record of {size} bytes")
            end = HEADER.size + size
            if len(self._data) < end:
                return
            words = bytes(self._data[HEADER.size : end])
            del self._data[:end]
            yield Record(kind, index, version, count, words)
