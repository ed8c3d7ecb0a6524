"""What a generation is, or what a folder of them holds, as text: `alpha inspect CHECKPOINT`.

Invariant: what is printed in full is a generation whose manifests fit together, and whose shards
    are there with their lengths and headers; with `verify` every byte of it was compared.
Refuses: what reading a generation refuses.
Entry: `is_checkpoint`, `print_checkpoint`, `shortened`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.checkpoints.names import ROOT_MANIFEST, version_of, version_of_partial
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import flush_stdout, write_line
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.ir.checkpoints.reading import Generation

HASHED_BYTES = 1 << 20
"""So much of a manifest is read at a time."""

TEXT_LETTERS_MAX = 60
"""A contract has a number a group, and there may be very many."""


def is_checkpoint(path: str) -> bool:
    """Whether a path is a folder that is a generation, or has one in it, finished or not."""
    try:
        names = os.listdir(path)
    except OSError:
        return False
    return any(
        name == ROOT_MANIFEST
        or version_of(name) is not None
        or version_of_partial(name) is not None
        for name in names
    )


def print_checkpoint(path: str, verify: bool) -> bool:
    """Print what is at a path, such as `is_checkpoint` knows; gives whether all of it is sound.

    Of a folder of generations that is a list, and the newest that looks whole in full; one that
    was begun and not finished is sound.

    Raises:
        Refusal: the generation isn't whole, or none is.
        InputOutputError, OutputClosed: a file can't be read, or stdout written.
    """
    from alpha.ir.checkpoints.reading import Generation
    from alpha.tools.checkpoints.paths import reading

    folder = Path(path)
    sound = True
    with reading(folder):
        if (folder / ROOT_MANIFEST).exists():
            generation = Generation.open(folder)
            verified = _look(generation, verify)
        else:
            generation, verified, sound = _print_list(folder, verify)
            write_line()
        _print_generation(generation)
        if verify:
            write_line(f"state sha256:{_state_digest(generation)}")
            write_line(f"verified {counted(verified, 'byte')}")
    return sound


def _look(generation: Generation, verify: bool) -> int:
    """See that a generation looks whole, or is; gives the bytes that were compared.

    Raises Refusal or OSError.
    """
    from alpha.tools.progress import amounts

    if not verify:
        generation.check_shards()
        return 0
    with amounts("reading") as told:
        generation.verify(told)
    shards = sum(shard.digest.bytes for shard in generation.shards.values())
    return shards + sum(size for size, _ in map(_digest_of, _manifests(generation)))


def _print_list(folder: Path, verify: bool) -> tuple[Generation, int, bool]:
    """Print which generations a folder has; gives the newest, the bytes compared, and soundness.

    Raises:
        Refusal: `checkpoint-missing` if none is whole.
        OSError: one can't be read.
    """
    from alpha.ir.checkpoints.reading import by_version, generation_named, why_not
    from alpha.ir.refusals import Refusal

    newest: Generation | None = None
    verified, sound = 0, True
    rows: list[Sequence[object]] = []
    for version, name in by_version(os.listdir(folder)):
        try:
            generation = generation_named(folder / name)
            verified += _look(generation, verify)
        except Refusal as refusal:
            sound = sound and version_of(name) is None
            rows.append((name, version, "", "", why_not(refusal)))
            continue
        newest = newest or generation
        size = sum(shard.digest.bytes for shard in generation.shards.values())
        looks = "whole" if verify else "looks whole"
        rows.append((name, version, generation.facts.owners, size, looks))
    write_line(f"{folder}: {counted(len(rows), 'generation')}")
    print_table("generations", ("name", "version", "owners", "bytes", "state"), rows)
    if newest is None:
        flush_stdout()
        raise Refusal(
            "checkpoint-missing", f"a whole generation in {folder}", f"none of {len(rows)}"
        )
    return newest, verified, sound


def _print_generation(generation: Generation) -> None:
    """Print all there is to say of a generation; raises OSError, or Refusal for another file."""
    facts = generation.facts
    sizes = (
        counted(facts.owners, "owner"),
        facts.topology,
        counted(len(facts.states), "field"),
        counted(facts.words, "word"),
    )
    write_line(f"generation {generation.version} of {facts.name}: {', '.join(sizes)}")
    if facts.resumed is not None:
        version, sha256 = facts.resumed
        write_line(f"  of a run that went on from version {version}, sha256:{sha256}")
    states = [
        (state.name, state.type, state.kind, state.words, state.words * state.word_bytes)
        for state in facts.states
    ]
    print_table("state", ("field", "type", "kind", "words", "bytes"), states)
    print_table("pieces", ("field", "role", "words", "coordinates"), _pieces(generation))
    shards = [
        (role, shard.file, shard.digest.bytes, shard.digest.sha256.hex())
        for role, shard in generation.shards.items()
    ]
    print_table("shards", ("role", "file", "bytes", "sha256"), shards)
    manifests = [
        (role, name, *_digest_of(generation.path / name))
        for role, name in generation.manifests.items()
    ]
    print_table("manifests", ("role", "file", "bytes", "sha256"), manifests)
    contracts = [(number, shortened(text)) for number, text in enumerate(facts.contracts)]
    print_table("contracts", ("sum", "contract"), contracts)
    print_table("parts of the learner", ("part", "sha256"), facts.parts.items())
    parts = ("learner", "contract", "run")
    print_table("digests", ("part", "sha256"), [(part, getattr(facts, part)) for part in parts])
    write_line(f"\ngeneration sha256:{generation.digest}")


def _state_digest(generation: Generation) -> str:
    """The digest of the logical state, as a run says it; raises Refusal or OSError."""
    from alpha.ir.digests import streamed_digest
    from alpha.ir.shapes import ELEMENTS, tensor_or_scalar
    from alpha.tools.checkpoints.storing import CHUNK_WORDS

    states = generation.facts.states
    types = {each.name: tensor_or_scalar(each.shape, ELEMENTS[each.element]) for each in states}
    return streamed_digest(types, lambda name: generation.chunks(name, None, CHUNK_WORDS))


def _pieces(generation: Generation) -> Iterator[Sequence[object]]:
    """Who has stored which words of each state."""
    facts = generation.facts
    for state in facts.states:
        if facts.is_whole(state.name):
            yield state.name, 0, state.words, "all"
            continue
        for role in generation.shards:
            piece = facts.coordinates(state.name, role)
            assert piece is not None
            yield state.name, role, piece.size, str(piece)


def shortened(text: str) -> str:
    """A contract, of which no more is shown than can be read."""
    return text if len(text) <= TEXT_LETTERS_MAX else f"{text[:TEXT_LETTERS_MAX]}..."


def _manifests(generation: Generation) -> Iterator[Path]:
    for name in generation.manifests.values():
        yield generation.path / name


def _digest_of(path: Path) -> tuple[int, str]:
    """The length and SHA-256 of a manifest, in hexadecimal; raises OSError."""
    hasher, size = hashlib.sha256(), 0
    with path.open("rb") as stream:
        while part := stream.read(HASHED_BYTES):
            hasher.update(part)
            size += len(part)
    return size, hasher.hexdigest()
