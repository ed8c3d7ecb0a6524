"""Where participants put their parts of generations: a store for each role.

Invariant: an answer is five words of i64: the bytes of what is written, and the 32 bytes of its
    SHA-256 as four words, little-endian. It follows from what was written alone.
Entry: `Store`, `DigestStore`, `write_part`, `said_of`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np

from alpha.interpreters.network.events import StoreManifest, StoreShard


class Store(Protocol):
    """One role's part of generations; whatever it can't write it raises.

    What it is given may be changed when it returns; so it copies what it keeps.
    """

    def write_shard(self, version: int, words: Mapping[str, np.ndarray]) -> np.ndarray:
        """Write the role's words of each state, and say how many bytes that are, with a digest.

        `words` are what the role publishes: of a state that is shared out a fragment, in ascending
        order of coordinates, and of copies, at role 0 alone, the whole.
        """
        ...

    def write_manifest(
        self, version: int, shard: np.ndarray, children: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        """Write the manifest of the role's subtree, and say the same of it.

        `shard` is what `write_shard` said, and `children` what each child said of its manifest. At
        the root this publishes the generation.
        """
        ...


class DigestStore:
    """A store that writes nothing: it says how many bytes of words there are, and their digest."""

    def write_shard(self, version: int, words: Mapping[str, np.ndarray]) -> np.ndarray:
        """Those of all words, one state behind the other."""
        return said_of(array for _, array in sorted(words.items()))

    def write_manifest(
        self, version: int, shard: np.ndarray, children: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        """Those of what the shard and the children's manifests were said to be."""
        said = [children[role] for role in sorted(children)]
        return said_of([np.array([version], "<u8"), shard, *said])


def write_part(store: Store, event: StoreShard | StoreManifest) -> np.ndarray:
    """What a store says of what a participant has it write."""
    if isinstance(event, StoreShard):
        return store.write_shard(event.version, event.words)
    return store.write_manifest(event.version, event.shard, event.children)


def said_of(parts: Iterable[np.ndarray]) -> np.ndarray:
    """The bytes of some arrays together, and the SHA-256 of all of them: five words of i64."""
    hash, size = hashlib.sha256(), 0
    for part in parts:
        data = np.ascontiguousarray(part).tobytes()
        hash.update(data)
        size += len(data)
    return np.concatenate([[np.int64(size)], np.frombuffer(hash.digest(), "<i8")])
