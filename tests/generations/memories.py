"""Generations in memory: what roles store, and whether they do so as they should.

Invariant: a part is stored once; a shard before its role's manifest, and a manifest behind those of
    the children, whose answers it is given to the bit.
Entry: `Memory`, `words_said`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from alpha.ir.sharding.distribution import Distribution

ROOT = 0


def words_said(text: str) -> np.ndarray:
    """What a store says of a file with this text."""
    data = text.encode()
    digest = hashlib.sha256(data).digest()
    parts = [int.from_bytes(digest[at : at + 8], "little", signed=True) for at in range(0, 32, 8)]
    return np.array([len(data), *parts], np.int64)


@dataclass
class Memory:
    """All that roles store, by version and role."""

    shards: dict[tuple[int, int], dict[str, np.ndarray]] = field(default_factory=dict)
    manifests: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    """What was said of each."""
    children: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)

    def stores(self, roles: Iterable[int]) -> dict[int, RoleStore]:
        """A store for each role."""
        return {role: RoleStore(self, role) for role in roles}

    @property
    def published(self) -> list[int]:
        """The versions whose generations are published, in order of publication."""
        return [version for version, role in self.manifests if role == ROOT]

    def whole(self, distribution: Distribution, version: int) -> dict[str, np.ndarray]:
        """The states of a generation, put together word by word.

        Raises:
            AssertionError: a word is missing, or there twice.
        """
        found: dict[str, np.ndarray] = {}
        for name, op in distribution.learner.states.items():
            map = distribution.map_of(name)
            if map is None:
                found[name] = self.shards[version, ROOT][name]
                continue
            size = distribution.domain(name)
            words: dict[int, object] = {}
            for role in range(distribution.owners):
                own = list(map.piece(role, distribution.owners, size))
                shard = self.shards[version, role][name]
                assert shard.shape == (len(own),)
                assert not words.keys() & own
                words |= dict(zip(own, shard, strict=True))
            assert sorted(words) == list(range(size))
            shape = tuple(getattr(op.type, "get_shape", tuple)())
            found[name] = np.array([words[at] for at in range(size)]).reshape(shape)
        return found


@dataclass
class RoleStore:
    """One role's part of a memory."""

    memory: Memory
    role: int

    def write_shard(self, version: int, words: Mapping[str, np.ndarray]) -> np.ndarray:
        """Keep the words."""
        key = version, self.role
        assert key not in self.memory.shards, f"a second shard of {key}"
        self.memory.shards[key] = {name: array.copy() for name, array in words.items()}
        return self._said_of_shard(version)

    def write_manifest(
        self, version: int, shard: np.ndarray, children: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        """Keep what is said of the parts below."""
        key = version, self.role
        assert key not in self.memory.manifests, f"a second manifest of {key}"
        assert shard.tobytes() == self._said_of_shard(version).tobytes()
        for child, said in children.items():
            wanted = self.memory.manifests[version, child]
            assert (said.dtype, said.tobytes()) == (wanted.dtype, wanted.tobytes())
        below = "".join(f" {role} {said.tolist()}" for role, said in sorted(children.items()))
        said = words_said(f"manifest {key} {shard.tolist()}{below}")
        self.memory.manifests[key] = said
        self.memory.children[key] = tuple(children)
        return said

    def _said_of_shard(self, version: int) -> np.ndarray:
        words = self.memory.shards[version, self.role]
        texts = [f"{name} {array.tobytes().hex()}" for name, array in sorted(words.items())]
        return words_said(f"shard {version} {self.role} {texts}")
