"""Is a shard, byte for byte, the one that was written, and is every word in it finite?

Invariant: all bytes of the file go into the digest, once, a MiB at a time; the header is looked at
    when the digest is known to be right.
Refuses: checkpoint-shard-missing, checkpoint-digest, checkpoint-shard, numeric-nonfinite.
Entry: `verify_shard`.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from alpha.ir.checkpoints.chunks import DTYPES
from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.manifests import NamedShard
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.checkpoints.shard_headers import check_header
from alpha.ir.checkpoints.shards import ShardField
from alpha.ir.checkpoints.trees import check_digest, check_size
from alpha.ir.refusals import Place, Refusal

CHUNK_BYTES = 1 << 20
"""A multiple of every word, so that no word is cut."""


def verify_shard(
    folder: Path,
    shard: NamedShard,
    manifest: str,
    facts: Facts,
    role: int,
    version: int,
    fields: Sequence[ShardField],
    progress: Callable[[int], None],
) -> None:
    """Read a shard that a manifest names, and compare all of it with what was to be stored.

    `progress` is told of the bytes of each part that was read.

    Raises:
        Refusal: as the module says.
        OSError: it can't be read.
    """
    with RegularFile.open(folder / shard.file, manifest) as file:
        check_size(file, shard.digest, manifest)
        begin = file.size - sum(field.bytes for field in fields)
        hasher, flaw = hashlib.sha256(), None
        buffer = bytearray(min(CHUNK_BYTES, file.size))
        for at in range(0, file.size, CHUNK_BYTES):
            part = memoryview(buffer)[: min(CHUNK_BYTES, file.size - at)]
            file.read_into(part, at)
            hasher.update(part)
            if flaw is None and begin % 8 == 0:
                flaw = _first_nonfinite(part, at - begin, fields)
            progress(len(part))
        found = FileDigest(file.size, hasher.digest())
        check_digest(file.path, shard.digest, found, manifest)
        check_header(file, facts, role, version, fields)
    if flaw is not None:
        field, rank, word = flaw
        coordinate = np.unravel_index(field.coordinates.nth(rank), facts.state(field.name).shape)
        index = [int(axis) for axis in coordinate]
        wanted = f"finite words of @{field.name} at version {version}"
        found = f"{word} at coordinate {index}" if index else f"{word}"
        raise Refusal("numeric-nonfinite", wanted, found, Place(str(file.path), 1, 1))


def _first_nonfinite(
    part: memoryview, offset: int, fields: Sequence[ShardField]
) -> tuple[ShardField, int, float] | None:
    """The first word that isn't finite: its field, number and value.

    `offset` is where the part begins, from the beginning of the words; a header is before it.
    """
    for field, low, high in _overlaps(offset, offset + len(part), fields):
        dtype = DTYPES[field.element]
        words = np.frombuffer(part[low - offset : high - offset], dtype)
        finite = np.isfinite(words)
        if not finite.all():
            at = int(np.argmin(finite))
            return field, (low - field.offset) // dtype.itemsize + at, float(words[at])
    return None


def _overlaps(
    begin: int, end: int, fields: Sequence[ShardField]
) -> Iterator[tuple[ShardField, int, int]]:
    """The fields that have words between two offsets, each with where these begin and end."""
    first = max(0, bisect_right(fields, begin, key=_offset_of) - 1)
    for field in islice(fields, first, None):
        if field.offset >= end:
            break
        low, high = max(begin, field.offset), min(end, field.offset + field.bytes)
        if low < high:
            yield field, low, high


def _offset_of(field: ShardField) -> int:
    return field.offset
