"""Headers of shards that don't fit the manifests, although every digest fits.

Each flaw is made alone, and the generation signed again. A shard's header is looked at when all of
it is verified, and also when words of it are wanted without that.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoints.makings import bits, facts_of, state_of, write
from checkpoints.tampering import Json, edited_header, signed

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.refusals import Refusal

STATES = (
    ("w", "f64", (2, 3), "cyclic"),
    ("m", "f32", (6,), "block"),
    ("n", "f32", (6,), "block"),
    ("t", "f64", (), None),
)
OTHER = "7" * 64


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation of two roles."""
    facts = facts_of(STATES, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return write(tmp_path_factory.mktemp("whole"), facts, state_of(facts))


@pytest.fixture
def generation(whole: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(whole, tmp_path / "gen-7")
    return tmp_path / "gen-7"


def refusals_of(folder: Path) -> list[Refusal]:
    """How a generation is refused when it is verified, and when words are wanted."""
    found: list[Refusal] = []
    opened = Generation.open(folder)
    for ask in (opened.verify, lambda: opened.read_words("w")):
        with pytest.raises(Refusal) as caught:
            ask()
        found.append(caught.value)
    return found


def assert_refused(folder: Path, role: int, said: str) -> None:
    """See that a shard is refused, by its name and with what it is about."""
    for refusal in refusals_of(folder):
        text = "\n".join(refusal.lines())
        assert refusal.code == "checkpoint-shard", text
        assert refusal.place is not None
        assert refusal.place.file == str(folder / f"shard-{role}.safetensors")
        assert said in text, text


def test_the_generation_as_it_was_is_accepted(generation: Path) -> None:
    for role in range(2):
        edited_header(generation, role, lambda header: None)
    assert newest(generation).generation.version == 7


METADATA = {
    "format": ("alpha-shard-2", ""),
    "learner": (OTHER, "", OTHER + "0"),
    "contract": (OTHER,),
    "run": (OTHER,),
    "facts": (OTHER, "é" * 300),
    "role": ("0", "01", "1.0", ""),
    "owners": ("3", " 2"),
    "version": ("8", "07", "+7", "7 "),
    "fields": ("", "[]", '["w","n","m"]', '["w","m","n","t"]', '{"w":1}', '["w","m","n"', "[1]"),
    "coordinates": (
        "",
        "{}",
        "[]",
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)"}',
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)","n":"stride(3, 1, 2)"}',
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)","n":"stride(3, 1, 3)","t":""}',
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)","n":"join(stride(3, 1, 3))"}',
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)","n":"stride(3,1, 3)"}',
        '{"w":"stride(1, 2, 3)","m":"stride(3, 1, 3)","n":3}',
    ),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in METADATA.items() for value in values]
)
def test_metadata_that_dont_fit(name: str, value: str, generation: Path) -> None:
    edited_header(generation, 1, lambda header: header["__metadata__"].update({name: value}))
    assert_refused(generation, 1, f"__metadata__.{name} to be ")


@pytest.mark.parametrize("name", METADATA)
def test_metadata_that_are_missing(name: str, generation: Path) -> None:
    edited_header(generation, 1, lambda header: header["__metadata__"].pop(name))
    assert_refused(generation, 1, f"an object with the field {name}, found none")


@pytest.mark.parametrize("value", [7, None, ["7"], {}, 7.0])
def test_metadata_are_texts(value: object, generation: Path) -> None:
    """As readers of the format want it, also what isn't known here."""
    for name in ("version", "later"):
        folder = generation.with_name(name)
        shutil.copytree(generation, folder)
        edited_header(folder, 0, lambda header, at=name: header["__metadata__"].update({at: value}))
        assert_refused(folder, 0, f"__metadata__.{name} to be a text")


def test_further_metadata_are_passed_over(generation: Path) -> None:
    edited_header(generation, 1, lambda header: header["__metadata__"].update({"later": "?"}))
    assert newest(generation).generation.version == 7


def change(name: str, key: str, value: Any) -> Callable[[Json], None]:
    """A change of what a header says of a tensor."""

    def changed(header: Json) -> None:
        header[name][key] = value

    return changed


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dtype", "F32"),
        ("dtype", "I64"),
        ("dtype", "f64"),
        ("dtype", None),
        ("shape", []),
        ("shape", [1, 3]),
        ("shape", [2]),
        ("shape", [3.0]),
        ("shape", [True]),
        ("shape", "[3]"),
        ("shape", [-3]),
        ("shape", 3),
        ("data_offsets", [0, 16]),
        ("data_offsets", [8, 32]),
        ("data_offsets", [0, 24, 24]),
        ("data_offsets", [0, 1 << 70]),
        ("data_offsets", [24, 0]),
        ("data_offsets", [0.0, 24]),
        ("data_offsets", None),
    ],
)
def test_a_tensor_that_doesnt_fit(key: str, value: object, generation: Path) -> None:
    edited_header(generation, 1, change("w", key, value))
    assert_refused(generation, 1, f"w.{key} to be ")


def test_tensors_in_each_others_places(generation: Path) -> None:
    """Two fields of one type and length: their words would change places."""

    def swapped(header: Json) -> None:
        one, other = header["m"], header["n"]
        one["data_offsets"], other["data_offsets"] = other["data_offsets"], one["data_offsets"]

    edited_header(generation, 1, swapped)
    assert_refused(generation, 1, "m.data_offsets to be [24, 36], found [36, 48]")


def test_a_tensor_that_is_missing(generation: Path) -> None:
    for gone in ("w", "m", "__metadata__"):
        folder = generation.with_name(gone)
        shutil.copytree(generation, folder)
        edited_header(folder, 1, lambda header, name=gone: header.pop(name))
        assert_refused(folder, 1, f"an object with the field {gone}")


def test_a_tensor_too_many(generation: Path) -> None:
    more = {"dtype": "F32", "shape": [0], "data_offsets": [48, 48]}
    edited_header(generation, 1, lambda header: header.update({"more": more}))
    assert_refused(generation, 1, "expected more to be none of a state")


def rewritten(generation: Path, text: bytes, length: int | None = None) -> None:
    """Put another text in place of shard 1's JSON, and sign the generation again."""
    path = generation / "shard-1.safetensors"
    data = path.read_bytes()
    (old,) = struct.unpack("<Q", data[:8])
    number = struct.pack("<Q", len(text) if length is None else length)
    path.write_bytes(number + text + data[8 + old :])
    signed(generation)


def json_of(generation: Path, role: int = 1) -> bytes:
    """The JSON of a shard, with its spaces."""
    data = (generation / f"shard-{role}.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    return data[8 : 8 + length]


@pytest.mark.parametrize("length", [0, 1, -1, -8, 8, (1 << 63) - 1, (1 << 64) - 1, 100_000_001])
def test_a_length_that_isnt_the_headers(length: int, generation: Path) -> None:
    """Nothing is read, or made, of a length that a file says."""
    text = json_of(generation)
    said = len(text) + length if abs(length) == 8 or length == -1 else length
    rewritten(generation, text, said)
    assert_refused(generation, 1, f"a header of {len(text)} bytes before 48 bytes of words")


def test_words_that_dont_begin_where_they_should(generation: Path) -> None:
    """A header whose spaces were left out, so that words begin at no multiple of 64."""
    rewritten(generation, json_of(generation).rstrip(b" "))
    assert_refused(generation, 1, "a multiple of 64 bytes")


def test_words_that_begin_anywhere_in_a_long_file(tmp_path: Path) -> None:
    """The parts in which the file is read would cut words."""
    facts = facts_of([("w", "f64", (300_001,), "cyclic")], 2)
    folder = write(tmp_path, facts, state_of(facts))
    rewritten(folder, json_of(folder)[:-3])
    assert_refused(folder, 1, "a multiple of 64 bytes")


def test_the_limit_of_headers(generation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = max(len(json_of(generation, role)) for role in range(2))
    monkeypatch.setattr("alpha.ir.checkpoints.shard_headers.HEADER_JSON_MAX", size)
    Generation.open(generation).verify()
    monkeypatch.setattr("alpha.ir.checkpoints.shard_headers.HEADER_JSON_MAX", size - 1)
    assert_refused(generation, 0, "expected a header")


def test_a_header_of_nothing_but_spaces(generation: Path) -> None:
    rewritten(generation, b" " * 56)
    assert_refused(generation, 1, "before the first brace")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"a":1,"a":2}', "names 'a' twice"),
        (b'{"a":', "no JSON"),
        (b'{"a":NaN}', "no JSON: NaN"),
        (b'{"a":"\xff"}', "no UTF-8 at byte 14"),
        (b'{"a":' * 2000, "very deep brackets"),
        (b"{}", "an object with the field __metadata__"),
        (b'{"__metadata__":[]}', "__metadata__ to be an object"),
        (b' {"__metadata__":{}}', "before the first brace"),
    ],
)
def test_a_header_that_is_no_json_of_a_shard(text: bytes, said: str, generation: Path) -> None:
    rewritten(generation, text + b" " * (-(8 + len(text)) % 64))
    assert_refused(generation, 1, said)


def test_a_shard_without_any_room_for_a_header(generation: Path) -> None:
    """As long as the words that it should have, and no longer than a number before them."""
    for size in (56, 57, 63):
        (generation / "shard-1.safetensors").write_bytes(bytes(size))
        signed(generation)
        assert_refused(generation, 1, "bytes in all")


@pytest.mark.parametrize("word", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(("role", "name"), [(0, "w"), (1, "w"), (1, "m"), (1, "n"), (0, "t")])
def test_every_word_has_to_be_finite(
    name: str, role: int, word: float, whole: Path, generation: Path
) -> None:
    """The first of them is named by its coordinate in the state."""
    path = generation / f"shard-{role}.safetensors"
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<Q", data[:8])
    tensor = json.loads(data[8 : 8 + length])[name]
    low, high = tensor["data_offsets"]
    dtype = {"F64": "<f8", "F32": "<f4"}[tensor["dtype"]]
    words = np.frombuffer(data, dtype, offset=8 + length + low, count=(high - low) // int(dtype[2]))
    words[-1] = word
    path.write_bytes(data)
    signed(generation)
    with pytest.raises(Refusal) as caught:
        newest(generation)
    where = {(0, "w"): [1, 1], (1, "w"): [1, 2], (1, "m"): [5], (1, "n"): [5]}.get((role, name))
    assert caught.value.code == "numeric-nonfinite"
    assert caught.value.expected == f"finite words of @{name} at version 7"
    assert caught.value.found == (f"{word} at coordinate {where}" if where else f"{word}")
    assert caught.value.place is not None and caught.value.place.file == str(path)
    other = newest(whole).generation
    assert bits(other.read_words(name)) != bits(Generation.open(generation).read_words(name))


def test_the_first_word_that_isnt_finite_is_named(tmp_path: Path) -> None:
    """Far into a file of several parts, in the second field, and not the last of two."""
    facts = facts_of([("a", "f64", (150_001,), None), ("b", "f32", (300_000,), "cyclic")], 2)
    state = state_of(facts)
    state["b"][[280_001, 299_999]] = np.inf
    folder = write(tmp_path, facts, state)
    with pytest.raises(Refusal, match=r"finite words of @b .* found inf at coordinate \[280001\]"):
        newest(folder)
    state["b"][280_002] = np.nan
    state["a"][150_000] = np.nan
    folder = write(tmp_path, facts, state, version=8)
    with pytest.raises(Refusal, match=r"finite words of @a .* found nan at coordinate \[150000\]"):
        newest(folder)
    state["a"][7] = -np.inf
    folder = write(tmp_path, facts, state, version=9)
    with pytest.raises(Refusal, match=r"finite words of @a .* found -inf at coordinate \[7\]"):
        newest(folder)
