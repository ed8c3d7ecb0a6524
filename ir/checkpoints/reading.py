"""Generations as whoever goes on from one, or looks at one, sees them.

Invariant: a generation that is open has manifests that fit together, and every coordinate of every
    state in exactly one shard. One that is verified has every byte that was written.
Why: whether a generation is whole is decided from what is in it: not from its name, nor from a
    marker. A newer one that was torn hides no older one.
Refuses: checkpoint-missing, checkpoint-manifest, checkpoint-digest, checkpoint-shard-missing,
    checkpoint-shard, checkpoint-coverage, checkpoint-name, numeric-nonfinite.
Entry: `Generation` (`Generation.open`), `newest`, `by_version`, `generation_named`, `why_not`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alpha.ir.checkpoints.chunks import DTYPES, OpenField, StoredState
from alpha.ir.checkpoints.coverage import facts_of_tree, require_room
from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.learners import check_learner, check_states
from alpha.ir.checkpoints.manifests import NamedShard
from alpha.ir.checkpoints.names import ROOT_MANIFEST, version_of, version_of_partial
from alpha.ir.checkpoints.own_texts import check_own_texts
from alpha.ir.checkpoints.regular_files import RegularFile
from alpha.ir.checkpoints.shard_headers import check_header
from alpha.ir.checkpoints.shards import LENGTH_BYTES, ShardField, shard_fields
from alpha.ir.checkpoints.trees import Tree, check_size, read_tree
from alpha.ir.checkpoints.verifying import verify_shard
from alpha.ir.refusals import Note, Refusal
from alpha.ir.selections import Selection

__all__ = [
    "Found",
    "Generation",
    "by_version",
    "check_learner",
    "check_states",
    "generation_named",
    "newest",
    "why_not",
]

Array = np.ndarray[Any, Any]

Progress = Callable[[int, int], None]
"""Told of the bytes of shards that have been compared, and of all that there are."""

WORDS_MAX = 1 << 20
"""Words of a state that are read at a time, where nobody says how many."""


def _quietly(done: int, total: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class Generation:
    """A generation whose manifests have been read."""

    path: Path
    facts: Facts
    """What its run wrote."""
    _tree: Tree = field(repr=False)
    _fields: dict[int, tuple[ShardField, ...]] = field(default_factory=dict, repr=False)
    _begins: dict[int, int] = field(default_factory=dict, repr=False)
    """Where the words begin of the shards whose headers have been looked at."""
    _states: dict[str, StoredState] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, path: str | Path) -> Generation:
        """The generation in a folder; only its manifests are read.

        Raises:
            Refusal: they don't fit together, or don't say where each word is.
            OSError: one can't be read.
        """
        folder = Path(path)
        tree = read_tree(folder)
        generation = cls(folder, facts_of_tree(folder, tree), tree)
        check_own_texts(folder, tree, generation.facts)
        for role, shard in tree.shards.items():
            words = sum(each.bytes for each in generation._fields_of(role))
            require_room(folder, tree, shard, role, words + LENGTH_BYTES)
        return generation

    @property
    def version(self) -> int:
        """The version of the states."""
        return self._tree.root.version

    @property
    def digest(self) -> str:
        """What names the generation: the SHA-256 of its root's manifest, in hexadecimal."""
        return self._tree.digest

    @property
    def shards(self) -> Mapping[int, NamedShard]:
        """The shard of each role, ascending."""
        return self._tree.shards

    @property
    def manifests(self) -> Mapping[int, str]:
        """The name of the file of each role's manifest, ascending."""
        return self._tree.files

    def check_shards(self) -> None:
        """See that each shard is there, with the length and the header that it should have.

        Raises:
            Refusal: one isn't; what their words are is looked at by `verify` alone.
            OSError: one can't be read.
        """
        for role in self.shards:
            self._open_shard(role).close()

    def verify(self, progress: Progress = _quietly) -> None:
        """Read all shards, and compare every byte with the digests, and headers with manifests.

        Raises:
            Refusal: a shard isn't there or isn't the one that was written; `numeric-nonfinite`.
            OSError: one can't be read.
        """
        total = sum(shard.digest.bytes for shard in self.shards.values())
        done = 0

        def read(count: int) -> None:
            nonlocal done
            done += count
            progress(done, total)

        for role, shard in self.shards.items():
            manifest, fields = self._tree.files[role], self._fields_of(role)
            verify_shard(self.path, shard, manifest, self.facts, role, self.version, fields, read)

    def chunks(
        self, name: str, selection: Selection | None = None, words_max: int = WORDS_MAX
    ) -> Iterator[Array]:
        """The words of a state at these coordinates, ascending, at most `words_max` at a time.

        Without a selection all of them, in row-major order. What isn't wanted isn't read; the
        digests of shards are looked at by `verify` alone. KeyError for a name of no state.

        Raises:
            Refusal: `select-universe`; a shard isn't there, or isn't what its manifest says.
            OSError: one can't be read.
        """
        return self._stored(name).chunks(selection, words_max)

    def read_words(self, name: str, selection: Selection | None = None) -> Array:
        """The same in one array, of one axis.

        Raises: as `chunks`.
        """
        state = self.facts.state(name)
        wanted = state.all if selection is None else selection
        chunks = self._stored(name).chunks(wanted, WORDS_MAX)
        if wanted.size <= WORDS_MAX:
            return next(chunks, np.empty(0, DTYPES[state.element]))
        # Nothing is made of this size before the shards are known to have as many words.
        for role in self._stored(name).holding(wanted.min, wanted.max):
            self._open_field(role, name).file.close()
        words = np.empty(wanted.size, DTYPES[state.element])
        done = 0
        for chunk in chunks:
            words[done : done + len(chunk)] = chunk
            done += len(chunk)
        return words

    def _fields_of(self, role: int) -> Sequence[ShardField]:
        if role not in self._fields:
            self._fields[role] = shard_fields(self.facts, role)
        return self._fields[role]

    def _stored(self, name: str) -> StoredState:
        if name not in self._states:
            state = self.facts.state(name)
            pieces: dict[int, Selection] = {}
            for role in self.shards:
                piece = self.facts.coordinates(name, role)
                if piece is not None:
                    pieces[role] = piece
            self._states[name] = StoredState(
                state, pieces, lambda role: self._open_field(role, name)
            )
        return self._states[name]

    def _open_field(self, role: int, name: str) -> OpenField:
        """A role's shard, and where a state begins in it."""
        file = self._open_shard(role)
        offset = next(each.offset for each in self._fields_of(role) if each.name == name)
        return OpenField(file, self._begins[role] + offset)

    def _open_shard(self, role: int) -> RegularFile:
        """A role's shard; its header is looked at once."""
        shard, manifest = self.shards[role], self._tree.files[role]
        file = RegularFile.open(self.path / shard.file, manifest)
        try:
            check_size(file, shard.digest, manifest)
            if role not in self._begins:
                fields = self._fields_of(role)
                self._begins[role] = check_header(file, self.facts, role, self.version, fields)
        except BaseException:
            file.close()
            raise
        return file


class Found(NamedTuple):
    """The newest whole generation of a folder, and what is newer: names, and why not these."""

    generation: Generation
    passed_over: list[tuple[str, str]]


LISTINGS_MAX = 8
"""So often a folder is listed of which all generations were removed while they were read."""


def newest(path: str | Path, progress: Progress = _quietly) -> Found:
    """The generation at a path, or the newest whole one in the folder that it names; verified.

    Raises:
        Refusal: `checkpoint-missing` if there is none, with a note for each that isn't whole; what
            is wrong with the generation where the path names one itself.
        OSError: something can't be read.
    """
    folder = Path(path)
    passed_over: list[tuple[str, str]] = []
    for _ in range(LISTINGS_MAX):
        names = _listed(folder)
        if ROOT_MANIFEST in names:
            generation = Generation.open(folder)
            generation.verify(progress)
            return Found(generation, [])
        found, passed_over = _first_whole(folder, by_version(names), progress)
        if found is not None:
            # Of what has gone meanwhile there is nothing to say.
            return Found(found, [each for each in passed_over if _is_there(folder, each)])
        # Whoever removes generations has written newer ones.
        if all(_is_there(folder, each) for each in passed_over):
            break
    if not passed_over:
        raise Refusal("checkpoint-missing", _wanted_at(folder), "a folder without one")
    notes = tuple(Note(f"{name}: {why}") for name, why in passed_over)
    count = f"none of {len(passed_over)}"
    raise Refusal("checkpoint-missing", f"a whole generation in {folder}", count, notes=notes)


def _wanted_at(folder: Path) -> str:
    return f"a generation at {folder}, or a folder of generations"


def _listed(folder: Path) -> list[str]:
    """What a folder has in it."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        found = "no such file or folder"
    except NotADirectoryError:
        found = "a file"
    raise Refusal("checkpoint-missing", _wanted_at(folder), found)


def _is_there(folder: Path, passed: tuple[str, str]) -> bool:
    """Whether what was passed over is there at all."""
    return os.path.lexists(folder / passed[0])


def _first_whole(
    folder: Path, named: Sequence[tuple[int, str]], progress: Progress
) -> tuple[Generation | None, list[tuple[str, str]]]:
    """The first of some generations that is whole, if one is; names before it, and why not these.

    Raises OSError.
    """
    passed_over: list[tuple[str, str]] = []
    for _, name in named:
        try:
            generation = generation_named(folder / name)
            generation.verify(progress)
        except Refusal as refusal:
            passed_over.append((name, why_not(refusal)))
        else:
            return generation, passed_over
    return None, passed_over


def why_not(refusal: Refusal) -> str:
    """Why a generation of several isn't whole: the code, the file and the message, on one line."""
    place = f"{refusal.place}: " if refusal.place else ""
    return f"[{refusal.code}] {place}{refusal.message}"


def by_version(names: Sequence[str]) -> list[tuple[int, str]]:
    """The names of generations, finished or not, from the newest on; others are left out."""
    found: list[tuple[int, bool, str]] = []
    for name in names:
        for read in (version_of, version_of_partial):
            version = read(name)
            if version is not None:
                found.append((version, read is version_of, name))
    return [(version, name) for version, _, name in sorted(found, reverse=True)]


def generation_named(folder: Path) -> Generation:
    """The generation of a folder that has the name of one; only its manifests are read.

    Raises:
        Refusal: `checkpoint-missing` if it was never finished, or is no folder of its own;
            `checkpoint-manifest` if it is of another version; and as `Generation.open`.
        OSError: a manifest can't be read.
    """
    version = version_of(folder.name)
    if version is None:
        wanted = f"a generation in {folder}"
        raise Refusal("checkpoint-missing", wanted, "one that was begun and not finished")
    wanted = f"a generation of version {version} in {folder}"
    if folder.is_symlink() or not folder.is_dir():
        raise Refusal("checkpoint-missing", wanted, "no folder of its own")
    generation = Generation.open(folder)
    if generation.version != version:
        raise Refusal("checkpoint-manifest", wanted, f"one of version {generation.version}")
    return generation
