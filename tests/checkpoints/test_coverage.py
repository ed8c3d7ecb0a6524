"""Every coordinate of every state in exactly one shard: decided from what the manifests say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest
from checkpoints.makings import State, facts_of, state_of, write
from checkpoints.tampering import Json, edited
from counted_calls import calls_of
from plain_sets.enumeration import form_of, listed

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.refusals import Refusal

ROOT = "manifest.json"


def with_pieces(folder: Path, name: str, pieces: list[str]) -> None:
    """Let the manifests of a generation say these pieces of a state, in role order."""
    for role, piece in enumerate(pieces):
        file = f"manifest-{role}.json" if role else ROOT

        def change(manifest: Json, piece: str = piece) -> None:
            manifest["shard"]["coordinates"][name] = piece

        edited(folder, file, change)


def refusal_of(folder: Path) -> Refusal:
    with pytest.raises(Refusal) as caught:
        Generation.open(folder)
    return caught.value


CASES = [
    # C12, as it was reported: words 2 and 3 are nowhere, or twice.
    (6, ["stride(0, 1, 2)", "stride(4, 1, 2)"], "none for coordinate 2"),
    (6, ["stride(0, 1, 4)", "stride(2, 1, 4)"], "owners 0 and 1 for coordinate 2"),
    # Totals agree: what is twice stands against what is missing.
    (8, ["stride(0, 1, 4)", "stride(2, 1, 4)"], "owners 0 and 1 for coordinate 2"),
    (8, ["stride(0, 2, 4)", "stride(0, 2, 4)"], "owners 0 and 1 for coordinate 0"),
    (8, ["stride(1, 1, 4)", "stride(4, 1, 4)"], "none for coordinate 0"),
    (8, ["stride(0, 1, 4)", "stride(3, 1, 4)"], "owners 0 and 1 for coordinate 3"),
    # The end is missing, all of it, or too much.
    (8, ["stride(0, 1, 4)", "stride(4, 1, 3)"], "none for coordinate 7"),
    (8, ["", ""], "none for coordinate 0"),
    (8, ["stride(0, 1, 4)", "stride(4, 1, 5)"], "coordinate 8 of owner 1"),
    (8, ["stride(0, 1, 8)", "stride(9223372036854775806, 1, 1)"], "coordinate 9223372036854775806"),
    # As many coordinates as nobody could list.
    (
        10**12,
        ["stride(0, 2, 500000000000)", "stride(1, 2, 499999999999)"],
        "coordinate 999999999999",
    ),
    (10**12, ["stride(0, 2, 500000000000)", "stride(1, 3, 3)"], "none for coordinate 3"),
]


@pytest.mark.parametrize(("size", "pieces", "found"), CASES)
def test_C12_a_gap_or_an_overlap(size: int, pieces: list[str], found: str, tmp_path: Path) -> None:
    """DCP load takes [0,2) and [4,6) for [0,6), and [0,4) with [2,6) as well."""
    facts = facts_of([("w", "f64", (4,), "block")], 2)
    folder = write(tmp_path, facts, state_of(facts))
    with_pieces(folder, "w", pieces)

    def grown(manifest: Json) -> None:
        manifest["states"][0].update(shape=[size], type=f"tensor<{size}xf64>")

    edited(folder, ROOT, grown)
    refusal = refusal_of(folder)
    assert refusal.code == "checkpoint-coverage", refusal.lines()
    assert found in refusal.found
    assert "'w'" in refusal.expected
    assert refusal.place is not None and refusal.place.file == str(folder / ROOT)


def test_C12_pieces_that_fit(tmp_path: Path) -> None:
    """The twin that is accepted, one edit away."""
    facts = facts_of([("w", "f64", (6,), "[stride(0, 1, 3), stride(3, 1, 3)]")], 2)
    state = state_of(facts)
    folder = write(tmp_path, facts, state)
    found = newest(folder).generation
    assert found.read_words("w").tobytes() == state["w"].tobytes()


@pytest.mark.parametrize("seed", range(60))
def test_random_pieces(seed: int, tmp_path: Path) -> None:
    """Shared out by chance, in random words; then one coordinate is given away, or to another."""
    random = Random(seed)
    size, owners = random.randrange(1, 30), random.randrange(2, 6)
    has: list[list[int]] = [[] for _ in range(owners)]
    for at in range(size):
        has[random.randrange(owners)].append(at)
    flaw = random.choice(("missing", "twice"))
    at = random.randrange(size)
    owner = next(role for role in range(owners) if at in has[role])
    if flaw == "missing":
        has[owner].remove(at)
    else:
        other = random.choice([role for role in range(owners) if role != owner])
        has[other] = sorted([*has[other], at])
    facts = facts_of([("w", "f64", (size,), "cyclic")], owners)
    folder = write(tmp_path, facts, state_of(facts))
    forms = [form_of(random, each) for each in has]
    assert [listed(form) for form in forms] == has
    with_pieces(folder, "w", [text_of(form) for form in forms])
    refusal = refusal_of(folder)
    assert refusal.code == "checkpoint-coverage"
    wanted = "none for" if flaw == "missing" else "for"
    assert refusal.found.endswith(f"{wanted} coordinate {at}")


def text_of(form: tuple[object, ...]) -> str:
    """A form as a manifest says it."""
    if form[0] == "empty":
        return ""
    inside = [text_of(part) if isinstance(part, tuple) else str(part) for part in form[1:]]
    return f"{form[0]}({', '.join(inside)})"


def test_C10_a_shard_without_words_is_named(tmp_path: Path) -> None:
    """pytorch #108869: six words over four owners; the last one has none, and says so."""
    facts = facts_of([("w", "f64", (6,), "[2, 2, 2, 0]")], 4)
    folder = write(tmp_path, facts, state_of(facts))
    assert newest(folder).generation.facts.coordinates("w", 3) is not None
    edited(folder, "manifest-3.json", lambda manifest: manifest["shard"]["coordinates"].clear())
    refusal = refusal_of(folder)
    assert refusal.code == "checkpoint-manifest"
    assert refusal.place is not None
    assert refusal.place.file == str(folder / "manifest-3.json")


STATES: list[State] = [("w", "f64", (6,), "cyclic"), ("c", "f64", (6,), None)]


def test_a_state_that_no_manifest_knows(tmp_path: Path) -> None:
    facts = facts_of(STATES, 2)
    folder = write(tmp_path, facts, state_of(facts))
    with_pieces(folder, "other", ["", ""])
    refusal = refusal_of(folder)
    assert (refusal.code, refusal.found) == ("checkpoint-manifest", "coordinates of 'other'")


def test_a_copy_is_role_0s_alone(tmp_path: Path) -> None:
    """Two roles with all words of a state are an overlap; a role without is asked for them."""
    facts = facts_of(STATES, 3)
    folder = write(tmp_path, facts, state_of(facts))
    with_pieces(folder, "c", ["stride(0, 1, 6)", "stride(0, 1, 6)"])
    refusal = refusal_of(folder)
    assert refusal.code == "checkpoint-manifest"
    assert refusal.place is not None
    assert refusal.place.file == str(folder / "manifest-2.json")
    with_pieces(folder, "c", ["stride(0, 1, 6)", "stride(0, 1, 6)", ""])
    assert refusal_of(folder).found == "owners 0 and 1 for coordinate 0"


def test_a_state_that_nobody_stores(tmp_path: Path) -> None:
    facts = facts_of(STATES, 2)
    folder = write(tmp_path, facts, state_of(facts))
    edited(folder, ROOT, lambda manifest: manifest["shard"]["coordinates"].pop("c"))
    assert refusal_of(folder).code == "checkpoint-manifest"


@pytest.mark.parametrize("text", ["stride(0, 2, 1)", "join(stride(0, 1, 1))"])
def test_all_coordinates_are_said_in_one_way(text: str, tmp_path: Path) -> None:
    """Else a byte of the root's manifest could change that no shard says again."""
    facts = facts_of([("t", "f64", (1,), None)], 2)
    folder = write(tmp_path, facts, state_of(facts))
    with_pieces(folder, "t", [text])
    refusal = refusal_of(folder)
    assert (refusal.code, refusal.found) == ("checkpoint-manifest", repr(text))


def test_a_question_that_would_take_too_long_is_refused(tmp_path: Path) -> None:
    """As nobody writes it: strides whose steps have nothing in common."""
    facts = facts_of([("w", "f64", (4,), "block")], 4)
    folder = write(tmp_path, facts, state_of(facts))
    primes = (1_000_003, 1_000_033, 1_000_037, 1_000_039)
    with_pieces(
        folder, "w", [f"stride({at}, {step}, 900000000000)" for at, step in enumerate(primes)]
    )

    def grown(manifest: Json) -> None:
        manifest["states"][0].update(shape=[1 << 59], type=f"tensor<{1 << 59}xf64>")

    edited(folder, ROOT, grown)
    assert refusal_of(folder).code == "checkpoint-coverage"


def test_the_time_doesnt_grow_with_the_coordinates(tmp_path: Path) -> None:
    """The same map of 6 words and of 10^15; also its shards are as long as they say."""
    counts: list[int] = []
    for size in (6, 10**15):
        facts = facts_of([("w", "f64", (6,), "cyclic")], 3)
        (tmp_path / str(size)).mkdir()
        folder = write(tmp_path / str(size), facts, state_of(facts))
        pieces = [f"stride({role}, 3, {(size - role + 2) // 3})" for role in range(3)]
        with_pieces(folder, "w", pieces)

        def grown(manifest: Json, size: int = size) -> None:
            manifest["states"][0].update(shape=[size], type=f"tensor<{size}xf64>")

        edited(folder, ROOT, grown)
        for role in range(3):
            _claim(folder, role, 8 * size + 1024)
        counts.append(calls_of(lambda folder=folder: Generation.open(folder)))
    assert counts[1] < 1.2 * counts[0], counts


def _claim(folder: Path, role: int, size: int) -> None:
    """Let a manifest say another length of its shard, and sign those above."""
    file = f"manifest-{role}.json" if role else ROOT
    shard = folder / f"shard-{role}.safetensors"
    os.rename(shard, shard.with_suffix(".aside"))
    edited(folder, file, lambda manifest: manifest["shard"].update(bytes=size))
    assert json.loads((folder / file).read_text())["shard"]["bytes"] == size
