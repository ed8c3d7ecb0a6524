"""`alpha checkpoint export`: the whole state as one file, as `--save` writes it."""

from __future__ import annotations

import errno
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from checkpoint_tools.calling import DIABETES, Alpha
from checkpoints.makings import Array, State, bits, facts_of, state_of, write
from safetensors import safe_open
from safetensors.numpy import load_file, save

# Names of several scripts, with what JSON writes in another way, in an order that isn't theirs.
STATES: tuple[State, ...] = (
    ("z", "f32", (3, 5), "cyclic"),
    ("w", "f64", (10,), "block"),
    ('a"\\b', "f32", (), None),
    ("größe \U0001d54f", "f64", (2, 2, 2), "cyclic"),
    ("none", "f64", (2, 0), "cyclic"),
    ("p", "f64", (), None),
)


def exported(alpha: Alpha, source: Path, file: Path) -> bytes:
    alpha.done("checkpoint", "export", source, file)
    return file.read_bytes()


def by_the_library(data: bytes, state: dict[str, Array], metadata: dict[str, str]) -> bool:
    """Whether the library may write this: which of its metadata comes first is chance."""
    return any(data == save(state, metadata) for _ in range(64))


@pytest.mark.parametrize("owners", [1, 2, 5])
def test_it_is_what_the_library_writes(alpha: Alpha, tmp_path: Path, owners: int) -> None:
    facts = facts_of(STATES, owners, name="kleinste Quadrate")
    state = state_of(facts)
    source = write(tmp_path, facts, state, 12)
    data = exported(alpha, source, tmp_path / "all.safetensors")
    assert by_the_library(data, state, {"learner": "kleinste Quadrate", "version": "12"})
    found = load_file(tmp_path / "all.safetensors")
    assert {name: (bits(words), words.shape) for name, words in found.items()} == {
        name: (bits(words), words.shape) for name, words in state.items()
    }


def test_a_part_of_the_state_goes_behind_the_other(alpha: Alpha, tmp_path: Path) -> None:
    """More words than are read at a time."""
    facts = facts_of([("w", "f64", (300_001,), "cyclic"), ("t", "f32", (290_000,), "block")], 3)
    generator = np.random.default_rng(0)
    state = {"w": generator.random(300_001), "t": generator.random(290_000, np.float32)}
    data = exported(alpha, write(tmp_path, facts, state), tmp_path / "all.safetensors")
    assert by_the_library(data, state, {"learner": "least", "version": "7"})


@pytest.mark.parametrize("level", ["learner", "shard"])
def test_it_is_what_save_writes(alpha: Alpha, tmp_path: Path, level: str) -> None:
    run = ("run", DIABETES, f"--interpret={level}", "--rounds=3")
    more = ("--partition=optimizer,parameters",) if level == "shard" else ()
    saved = tmp_path / "saved.safetensors"
    alpha.done(*run, *more, f"--checkpoint={tmp_path / 'x'}", f"--save={saved}")
    assert exported(alpha, tmp_path / "x", tmp_path / "all.safetensors") == saved.read_bytes()
    with safe_open(saved, "numpy") as file:
        assert file.metadata() == {"learner": "diabetes_adam", "version": "3"}
    data = saved.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    assert [*json.loads(data[8 : 8 + length])["__metadata__"]] == ["learner", "version"]


def test_what_is_saved_of_any_array_is_its_words(alpha: Alpha, tmp_path: Path) -> None:
    """A transposed matrix and a scalar; the interpreter leaves the first one in another order."""
    learner = DIABETES.parents[1] / "lit_tests" / "tools" / "Inputs" / "transposing.mlir"
    saved = tmp_path / "saved.safetensors"
    run = ("run", learner, "--interpret=learner", "--rounds=3", f"--save={saved}")
    alpha.done(*run, f"--checkpoint={tmp_path / 'x'}")
    assert load_file(saved)["w"].tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert exported(alpha, tmp_path / "x", tmp_path / "all.safetensors") == saved.read_bytes()


def test_what_it_says(alpha: Alpha, tmp_path: Path) -> None:
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts))
    file = tmp_path / "all.safetensors"
    said = f"{file}: version 7 of least; 6 fields, 35 words\n"
    assert alpha.done("checkpoint", "export", source, file) == said


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    alpha: Alpha, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts))
    file = tmp_path / "all.safetensors"
    file.write_text("kept")
    before = sorted(path.name for path in tmp_path.iterdir())
    preadv, left = os.preadv, [9]

    def failing(descriptor: int, buffers: list[memoryview], offset: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.EIO, "Input/output error")
        return preadv(descriptor, buffers, offset)

    seen: set[str] = set()
    said = alpha("--version")
    for calls in range(40):
        with monkeypatch.context() as patch:
            patch.setattr(os, "preadv", failing)
            left[0] = calls
            said = alpha("checkpoint", "export", source, file)
        if said.status == 0:
            break
        assert said.status == 1
        assert said.err.startswith(f"alpha: error: cannot read {source}/"), said
        seen.add(said.err)
        assert file.read_text() == "kept"
        assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert said.status == 0 and len(seen) > 3
    wanted = {"learner": "least", "version": "7"}
    assert by_the_library(file.read_bytes(), state_of(facts), wanted)


def test_a_device_is_written_as_it_is(alpha: Alpha, tmp_path: Path) -> None:
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts))
    alpha.done("checkpoint", "export", source, "/dev/null")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gen-7/shard-1.safetensors", "it is in a generation, which is never changed"),
        ("gen-7/manifest.json", "it is in a generation, which is never changed"),
        ("gen-7/sub/other", "it is in a generation, which is never changed"),
        ("gen-7", "that is the name of a generation"),
        ("gen-9", "that is the name of a generation"),
        (".gen-9.0123456789abcdef", "that is the name of a generation"),
        ("folder", "it is a folder"),
        ("none/all.safetensors", "there is no folder {}/none"),
    ],
)
def test_where_it_cannot_be_written(alpha: Alpha, tmp_path: Path, name: str, why: str) -> None:
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts))
    (source / "sub").mkdir()
    (tmp_path / "folder").mkdir()
    said = alpha("checkpoint", "export", source, tmp_path / name)
    wanted = f"alpha: error: cannot write {tmp_path / name}: {why.format(tmp_path)}\n"
    assert said == (1, "", wanted)


def test_a_generation_under_another_name_is_not_written_into(alpha: Alpha, tmp_path: Path) -> None:
    """One that is read is known as one; also by way of a link."""
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts)).rename(tmp_path / "best")
    (tmp_path / "link").symlink_to(source)
    for file in (source / "manifest.json", source / "all", tmp_path / "link" / "all"):
        said = alpha("checkpoint", "export", tmp_path / "link", file)
        why = "it is in a generation, which is never changed"
        assert said == (1, "", f"alpha: error: cannot write {file}: {why}\n")


def test_the_name_of_a_stream_is_no_file(
    alpha: Alpha, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(STATES, 2)
    source = write(tmp_path, facts, state_of(facts))
    monkeypatch.chdir(tmp_path)
    said = alpha("checkpoint", "export", source, "-")
    why = "expected the name of a file; one of this is ./-"
    assert said == (1, "", f"alpha: error: cannot write -: {why}\n")
    alpha.done("checkpoint", "export", source, "./-")
    assert (tmp_path / "-").exists()
