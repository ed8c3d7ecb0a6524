"""A generation shared out anew: among other owners, by another map, under another partitioning.

Invariant: words are moved and never computed with; the learner, its parts, contracts, version and
    start stay what they are. No whole state and no whole shard is in memory at once.
Why: who owns what is no part of what a learner is. What a cluster of one size has stored goes on
    one of another size, or lies in fewer files.
Refuses: checkpoint-exists, checkpoint-path, shard-owner-range, target-unsupported; what maps and
    reading a generation refuse.
Entry: `reshard`, `Sharing`, `idle_modes`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from alpha.ir.canonical import digest
from alpha.ir.checkpoints.names import generation_name, partial_name
from alpha.ir.checkpoints.reading import Generation
from alpha.ir.checkpoints.writing import write_generation
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.state_kinds import partitioned
from alpha.ir.topologies import Topology
from alpha.tools.checkpoints.folder import check_learners, clean, owning
from alpha.tools.checkpoints.paths import reading
from alpha.tools.checkpoints.storing import CHUNK_WORDS
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.checkpoints.facts import Facts

OWNERS_MAX = 4096
"""As many as have an executable, or run in one process."""

_SHARED_OUT: Mapping[str, str] = MappingProxyType(
    {"optimizer": "optimizer state", "parameters": "parameters"}
)

Told = Callable[[int, int], None]


@dataclass(frozen=True)
class Sharing:
    """Among whom a generation is shared out, and how."""

    owners: int
    topology: Topology
    modes: Sequence[str]
    """Some of `optimizer`, `parameters` and `gradients`; the last one moves no state."""
    map: ShardMap

    def __post_init__(self) -> None:
        if self.owners > OWNERS_MAX:
            wanted = f"at most {OWNERS_MAX} owners of a generation"
            raise Refusal("target-unsupported", wanted, f"{self.owners}")
        self.topology.tree(self.owners)


def reshard(generation: Generation, path: Path, sharing: Sharing, told: Told) -> Generation:
    """Write a generation's words into the folder `path`, shared out anew; gives the new one.

    `told` hears of the words that are written, and of all.

    Raises:
        Refusal: the folder has a generation of this version or of another learner, or is one, or
            another run writes to it; a map that doesn't fit a state.
        InputOutputError: a file can't be read or written.
    """
    facts = _facts_of(generation, sharing)
    version = generation.version
    with owning(path, make=True):
        name = path / generation_name(version)
        if os.path.lexists(name):
            wanted = f"no generation of version {version} in {path}"
            raise Refusal("checkpoint-exists", wanted, f"{name}")
        resumed = () if facts.resumed is None else (facts.resumed[1],)
        check_learners(path, (facts.learner,), resumed)
        clean(path)
        tree = sharing.topology.tree(sharing.owners)
        words = _Words(generation, facts, told)
        with _given_up(path / partial_name(version, facts.run)):
            write_generation(path, facts, version, words.of, tree)
    with reading(name):
        return Generation.open(name)


def idle_modes(generation: Generation, modes: Sequence[str]) -> list[str]:
    """What states the generation has none of, though these partitionings would share them out."""
    kinds = generation.facts.kinds
    asked = [mode for mode in modes if mode in _SHARED_OUT]
    return [_SHARED_OUT[mode] for mode in asked if not partitioned(mode, kinds)]


def _facts_of(generation: Generation, sharing: Sharing) -> Facts:
    """What is known of the new generation."""
    facts = generation.facts
    chosen = [name for mode in sharing.modes for name in partitioned(mode, facts.kinds)]
    for name in chosen:
        try:
            sharing.map.check(sharing.owners, facts.state(name).words)
        except Refusal as flaw:
            wanted = f"{flaw.expected} of @{name}"
            raise Refusal(flaw.code, wanted, flaw.found, notes=flaw.notes) from None
    maps = {state.name: sharing.map if state.name in chosen else None for state in facts.states}
    topology = str(sharing.topology)
    # No frame names it: it tells the generations of one source from one another.
    how = [(name, None if map is None else str(map)) for name, map in maps.items()]
    run = digest(("resharded", generation.digest, sharing.owners, topology, how))
    return replace(facts, owners=sharing.owners, topology=topology, maps=maps, run=run)


class _Words:
    """The words of a generation as the roles of another one ask for them."""

    def __init__(self, generation: Generation, facts: Facts, told: Told) -> None:
        self._generation = generation
        self._facts = facts
        self._told = told
        self._done = 0

    def of(self, role: int, name: str) -> Iterator[np.ndarray]:
        """The words of a state that a role stores, some at a time."""
        piece = self._facts.coordinates(name, role)
        with reading(self._generation.path):
            for chunk in self._generation.chunks(name, piece, CHUNK_WORDS):
                yield chunk
                self._done += chunk.size
                self._told(self._done, self._facts.words)


@contextlib.contextmanager
def _given_up(partial: Path) -> Iterator[None]:
    """Leave nothing behind of a generation that can't be written within.

    Raises InputOutputError in place of OSError.
    """
    try:
        yield
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        name = error.filename or partial
        raise InputOutputError(f"cannot write {name}: {reason_of(error)}") from None
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
