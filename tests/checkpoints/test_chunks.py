"""Words of a state by selection: exactly those, whoever stored them, and however many there are."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from checkpoints.makings import DTYPES, State, bits, facts_of, state_of, write
from checkpoints.tampering import Json, edited
from checkpoints.test_coordinates import made
from counted_calls import calls_of
from plain_sets.enumeration import Form, form_of, listed, random_form
from sharding.plain_maps import random_cover, roles_of

from alpha.ir.checkpoints.reading import Generation
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, Stride
from alpha.ir.sharding.maps import ShardMap


def random_pieces(random: Random, size: int) -> list[list[int]]:
    """The coordinates of each owner, by a map of some kind, or by chance."""
    owners = random.randrange(1, 7)
    kind = random.randrange(5)
    if kind == 0:
        has: list[list[int]] = [[] for _ in range(owners)]
        for at in range(size):
            has[random.randrange(owners)].append(at)
        return has
    block = 1 if kind == 1 else random.randrange(2, 6) if kind == 2 else -(-size // owners) or 1
    return [[at for at in range(size) if at // block % owners == role] for role in range(owners)]


def text_of(form: Form) -> str:
    """A form as a map says it."""
    if form[0] == "empty":
        return "empty"
    inside = [text_of(part) if isinstance(part, tuple) else str(part) for part in form[1:]]
    return f"{form[0]}({', '.join(inside)})"


def map_text(random: Random, pieces: list[list[int]]) -> str:
    return f"[{', '.join(text_of(form_of(random, piece)) for piece in pieces)}]"


@pytest.mark.parametrize("seed", range(60))
def test_random_maps_on_both_sides(seed: int, tmp_path: Path) -> None:
    """Every owner of another map finds its words, in windows of any size."""
    random = Random(seed)
    size = random.randrange(1, 200)
    stored = random_pieces(random, size)
    element = random.choice(("f64", "f32"))
    states: list[State] = [
        ("before", element, (3,), "cyclic"),
        ("w", element, (size,), map_text(random, stored)),
    ]
    facts = facts_of(states, len(stored))
    state = state_of(facts, seed)
    generation = Generation.open(write(tmp_path, facts, state))
    generation.verify()
    words = state["w"]
    for piece in random_pieces(random, size):
        wanted = words[piece]
        selection = made(form_of(random, piece))
        assert bits(generation.read_words("w", selection)) == bits(wanted)
        words_max = random.choice((1, 2, 7, 64, 10**6))
        chunks = list(generation.chunks("w", selection, words_max))
        assert all(0 < len(chunk) <= words_max for chunk in chunks)
        assert all(len(chunk) == words_max for chunk in chunks[:-1])
        assert bits(np.concatenate([words[:0], *chunks])) == bits(wanted)


@pytest.mark.parametrize("seed", range(60))
def test_random_covers_and_selections(seed: int, tmp_path: Path) -> None:
    """Maps of tiles, residues that change hands, families; and any selection of what is stored."""
    random = Random(seed)
    items, size = random_cover(random)
    owners = sum(len(roles_of(item)) for item in items)
    facts = facts_of([("w", "f64", (size,), f"[{', '.join(map(text_of, items))}]")], owners)
    state = state_of(facts, seed)
    generation = Generation.open(write(tmp_path, facts, state))
    for _ in range(6):
        form = random_form(random, random.randrange(1, 4))
        members = [at for at in listed(form) if at < size]
        selection = made(form_of(random, members))
        assert bits(generation.read_words("w", selection)) == bits(state["w"][members])
    assert bits(generation.read_words("w")) == bits(state["w"])


def test_words_of_a_shape_are_in_row_major_order(tmp_path: Path) -> None:
    facts = facts_of([("w", "f32", (3, 4, 2), "rows<2, cyclic>"), ("t", "f64", (), None)], 5)
    state = state_of(facts)
    generation = Generation.open(write(tmp_path, facts, state))
    assert bits(generation.read_words("w").reshape(3, 4, 2)) == bits(state["w"])
    assert generation.read_words("w").dtype == DTYPES["f32"]
    assert bits(generation.read_words("t", Stride(0, 1, 1))) == bits(state["t"])


def test_a_state_without_words(tmp_path: Path) -> None:
    facts = facts_of([("w", "f64", (2, 0), "cyclic"), ("c", "f32", (0,), None)], 3)
    generation = Generation.open(write(tmp_path, facts, state_of(facts)))
    for name, dtype in (("w", "f64"), ("c", "f32")):
        assert list(generation.chunks(name)) == []
        words = generation.read_words(name)
        assert (words.shape, words.dtype) == ((0,), DTYPES[dtype])


def test_no_word_beyond_the_state(tmp_path: Path) -> None:
    facts = facts_of([("w", "f64", (6,), "cyclic")], 2)
    generation = Generation.open(write(tmp_path, facts, state_of(facts)))
    with pytest.raises(Refusal) as caught:
        generation.read_words("w", Stride(4, 1, 3))
    assert caught.value.code == "select-universe"
    with pytest.raises(KeyError):
        generation.read_words("m")


LARGE = 1 << 21


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Generation, np.ndarray]:
    """A state of 2^21 words, cyclic over three owners, and its words."""
    facts = facts_of([("w", "f64", (LARGE,), "cyclic")], 3)
    words = np.arange(LARGE, dtype="<f8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        folder = write(tmp_path_factory.mktemp("large"), facts, {"w": words})
    return Generation.open(folder), words


def pieces(text: str, owners: int) -> Iterator[Selection]:
    """What the owners of a map have."""
    for role in range(owners):
        yield ShardMap.parse(text).piece(role, owners, LARGE)


@pytest.mark.parametrize("map", ["cyclic", "block", "block_cyclic<4096>", "rows<64, cyclic>"])
def test_no_step_a_word(map: str, large: tuple[Generation, np.ndarray]) -> None:
    """Python walks over windows and long gaps, and numpy over the words."""
    generation, words = large
    for piece in pieces(map, 2):
        found = np.empty(piece.size)

        def read(piece: Selection = piece, found: np.ndarray = found) -> None:
            found[:] = generation.read_words("w", piece)

        assert calls_of(read) < LARGE // 100
        assert bits(found) == bits(words[list(piece)])


@pytest.mark.parametrize("map", ["cyclic", "block", "rows<64, cyclic>"])
def test_memory_is_bounded_by_the_window(map: str, large: tuple[Generation, np.ndarray]) -> None:
    """16 MB of words in windows of 128 KiB; no whole shard, no whole piece."""
    generation, _ = large
    (piece, _) = pieces(map, 2)
    total = 0.0
    tracemalloc.start()
    try:
        for chunk in generation.chunks("w", piece, 1 << 14):
            total += float(chunk.sum())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 << 20, peak
    assert total == sum(piece)


def test_verifying_takes_no_memory(large: tuple[Generation, np.ndarray]) -> None:
    generation, _ = large
    tracemalloc.start()
    try:
        generation.verify()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 << 20, peak


def test_only_what_is_needed_is_read(
    large: tuple[Generation, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is far apart alone, and with what is between where that is near."""
    generation, words = large
    generation.read_words("w", Stride(0, 1, 3))
    reads: list[tuple[int, int]] = []
    preadv = os.preadv

    def counted(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        count = preadv(descriptor, buffers, offset)
        reads.append((offset, count))
        return count

    monkeypatch.setattr(os, "preadv", counted)
    assert generation.read_words("w", Stride(5, 1, 1)).tolist() == [5.0]
    assert [count for _, count in reads] == [8]
    reads.clear()
    far = Stride(0, 3 * 4096, LARGE // (3 * 4096))
    assert bits(generation.read_words("w", far)) == bits(words[list(far)])
    assert [count for _, count in reads] == [8] * far.size
    reads.clear()
    near = Stride(0, 3 * 4095, 30)
    assert bits(generation.read_words("w", near)) == bits(words[list(near)])
    assert [count for _, count in reads] == [8 * (29 * 4095 + 1)]
    reads.clear()
    generation.read_words("w")
    assert sum(count for _, count in reads) == 8 * LARGE
    assert max(count for _, count in reads) <= 1 << 20


def test_nothing_is_made_of_a_size_that_a_file_says(tmp_path: Path) -> None:
    """A state of 2^40 words whose shards are short: that is seen before an array is made."""
    facts = facts_of([("w", "f64", (6,), "block")], 2)
    folder = write(tmp_path, facts, state_of(facts))
    half = 1 << 39
    for role in range(2):
        os.rename(folder / f"shard-{role}.safetensors", folder / f"{role}")
    for role, file in ((1, "manifest-1.json"), (0, "manifest.json")):

        def change(manifest: Json, role: int = role) -> None:
            manifest["shard"]["bytes"] = 8 * half + 640
            manifest["shard"]["coordinates"]["w"] = f"stride({role * half}, 1, {half})"
            if not role:
                manifest["states"][0].update(shape=[2 * half], type=f"tensor<{2 * half}xf64>")

        edited(folder, file, change)
    for role in range(2):
        os.rename(folder / f"{role}", folder / f"shard-{role}.safetensors")
    generation = Generation.open(folder)
    assert generation.facts.states[0].words == 1 << 40
    with pytest.raises(Refusal) as caught:
        generation.read_words("w")
    assert caught.value.code == "checkpoint-digest"
