"""`alpha checkpoint diff`: two generations, word by word, whoever has which."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from checkpoint_tools.calling import Alpha
from checkpoints.makings import Array, State, facts_of, state_of, write

from alpha.ir.checkpoints.facts import Facts

SHAPES = {"w": (7, 11), "t": (13,), "s": (), "none": (0, 3)}
ELEMENTS = {"w": "f64", "t": "f32", "s": "f64", "none": "f32"}
TREES = ("star", "tree<2>")
MAPS = ("cyclic", "block", "block_cyclic<3>", None)


def states(random: Random) -> list[State]:
    return [(name, ELEMENTS[name], SHAPES[name], random.choice(MAPS)) for name in SHAPES]


def written(folder: Path, facts: Facts, state: Mapping[str, Array], version: int = 7) -> Path:
    """A generation of these words in a new folder."""
    folder.mkdir()
    return write(folder, facts, state, version)


def table(out: str, title: str) -> list[list[str]]:
    """The rows of a printed table, without its heading."""
    found = re.search(rf"^{title}\n((?:  .*\n)+)", out, re.MULTILINE)
    if found is None:
        return []
    return [re.split(r"  +", line.strip()) for line in found[1].splitlines()[1:]]


@pytest.mark.parametrize("seed", range(30))
def test_each_word_that_differs_is_counted_and_the_first_named(
    alpha: Alpha, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    one = state_of(facts_of(states(random), 3), seed)
    other = {name: words.copy() for name, words in one.items()}
    changed: dict[str, list[int]] = {}
    for name in ("w", "t", "s"):
        places = random.sample(range(one[name].size), min(random.randrange(4), one[name].size))
        changed[name] = sorted(places)
        for place in places:
            bits = other[name].reshape(-1).view(f"u{one[name].itemsize}")
            bits[place] ^= 1 << random.randrange(20)
    sharings = [facts_of(states(random), random.randrange(1, 6), tree) for tree in TREES]
    left = written(tmp_path / "a", sharings[0], one)
    right = written(tmp_path / "b", sharings[1], other)
    said = alpha("checkpoint", "diff", left, right)
    assert said.err == ""
    total = sum(map(len, changed.values()))
    assert said.status == (1 if total else 0)
    wanted: list[list[str]] = []
    for name, places in changed.items():
        if places:
            first = [int(axis) for axis in np.unravel_index(places[0], SHAPES[name])]
            row = [name, str(one[name].size), str(len(places)), str(first)]
            for side in (one, other):
                word = side[name].reshape(-1)[places[0]]
                form = {8: ">d", 4: ">f"}[word.itemsize]
                row += [str(word), f"0x{struct.pack(form, word).hex()}"]
            wanted.append(row)
    assert table(said.out, "words that differ") == wanted
    last = said.out.splitlines()[-1]
    if not total:
        assert last == "equal: 91 words of 4 fields"
    else:
        words = f"{total} word" + "s" * (total > 1)
        fields = f"{len(wanted)} field" + "s" * (len(wanted) > 1)
        assert last == f"different: {words} of {fields}"


def test_zeros_of_two_signs_differ(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (3,), "cyclic"), ("t", "f32", (3,), None)]
    zeros = {"w": np.zeros(3), "t": np.zeros(3, np.float32)}
    minus = {"w": np.array([0.0, -0.0, 0.0]), "t": np.array([0, 0, -0.0], np.float32)}
    facts = facts_of(one, 3)
    left, right = written(tmp_path / "a", facts, zeros), written(tmp_path / "b", facts, minus)
    said = alpha("checkpoint", "diff", left, right)
    assert said.status == 1
    assert table(said.out, "words that differ") == [
        ["w", "3", "1", "[1]", "0.0", "0x0000000000000000", "-0.0", "0x8000000000000000"],
        ["t", "3", "1", "[2]", "0.0", "0x00000000", "-0.0", "0x80000000"],
    ]


def test_a_word_is_said_with_the_digits_that_tell_it(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (), None), ("t", "f32", (), None)]
    sides = (
        {"w": np.array(0.1), "t": np.array(0.1, np.float32)},
        {"w": np.nextafter(np.array(0.1), 1), "t": np.nextafter(np.float32(0.1), np.float32(1))},
    )
    folders = [
        written(tmp_path / name, facts_of(one, 2), {key: np.asarray(side[key]) for key in side})
        for name, side in zip("ab", sides, strict=True)
    ]
    rows = table(alpha("checkpoint", "diff", *folders).out, "words that differ")
    assert [[row[4], row[6]] for row in rows] == [
        [repr(0.1), "0.10000000000000002"],
        ["0.1", "0.10000001"],
    ]


@pytest.mark.parametrize("place", [0, (1 << 17) - 1, 1 << 17, 299_999])
def test_a_word_is_found_wherever_it_is(alpha: Alpha, tmp_path: Path, place: int) -> None:
    """More words than are compared at a time."""
    words = np.arange(300_000.0)
    changed = words.copy()
    changed[place] = -1.0
    changed[-1] -= 1.0 if place < 299_999 else 0.0
    shape = (3, 100_000)
    left = written(tmp_path / "a", facts_of([("w", "f64", shape, "cyclic")], 3), {"w": words})
    right = written(tmp_path / "b", facts_of([("w", "f64", shape, "block")], 5), {"w": changed})
    ((name, size, count, *first),) = table(
        alpha("checkpoint", "diff", left, right).out, "words that differ"
    )
    assert (name, size, count) == ("w", "300000", "2" if place < 299_999 else "1")
    assert first[0] == str([place // 100_000, place % 100_000])


def test_versions_names_and_parts_are_compared(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (3,), "cyclic")]
    words = {"w": np.arange(3.0)}
    parts = {"state w": "1" * 64, "constant rate": "3" * 64, "round": "2" * 64}
    facts = facts_of(one, 3, parts=parts)
    left = written(tmp_path / "a", facts, words, 6)
    parts = {"state w": "1" * 64, "constant pace": "3" * 64, "round": "4" * 64}
    right = written(tmp_path / "b", facts_of(one, 3, name="other", parts=parts), words)
    said = alpha("checkpoint", "diff", left, right)
    assert said.status == 1
    assert said.out.splitlines() == [
        f"{left}: version 6 of least; 3 owners, star",
        f"{right}: version 7 of other; 3 owners, star",
        "",
        "parts of the learners that differ",
        f"  part           first{' ' * 61}second",
        f"  constant rate  {'3' * 64}  -",
        f"  round          {'2' * 64}  {'4' * 64}",
        f"  constant pace  -{' ' * 65}{'3' * 64}",
        "",
        "different: versions 6 and 7, names of learners, 3 parts of the learners",
    ]


def test_fields_of_two_types_or_of_one_side_are_named(alpha: Alpha, tmp_path: Path) -> None:
    parts = {"state w": "1" * 64, "state t": "2" * 64, "state u": "5" * 64}
    left_states: list[State] = [("w", "f64", (3,), "cyclic"), ("t", "f32", (2,), None)]
    right_states: list[State] = [("w", "f64", (3, 1), "cyclic"), ("u", "f64", (), None)]
    first = {key: parts[key] for key in ("state w", "state t")}
    second = {key: parts[key] for key in ("state w", "state u")}
    left = written(
        tmp_path / "a",
        facts_of(left_states, 3, parts=first),
        {"w": np.zeros(3), "t": np.zeros(2, np.float32)},
    )
    right = written(
        tmp_path / "b",
        facts_of(right_states, 3, parts=second),
        {"w": np.ones((3, 1)), "u": np.zeros(())},
    )
    said = alpha("checkpoint", "diff", left, right)
    assert said.status == 1
    assert table(said.out, "fields that one has, or with two types") == [
        ["w", "tensor<3xf64>", "tensor<3x1xf64>"],
        ["t", "tensor<2xf32>", "-"],
        ["u", "-", "f64"],
    ]
    assert table(said.out, "words that differ") == []
    assert said.out.splitlines()[-1] == "different: 2 parts of the learners, types of 3 fields"


def test_another_run_and_contract_is_no_difference(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (3,), "cyclic")]
    words = {"w": np.arange(3.0)}
    left = written(tmp_path / "a", facts_of(one, 3), words)
    other = facts_of(one, 3, run="f" * 64, resumed=(3, "0" * 64))
    right = written(tmp_path / "b", replace(other, contract="d" * 64), words)
    said = alpha("checkpoint", "diff", left, right)
    assert said.status == 0
    assert said.out.splitlines()[2:] == [
        "",
        "two contracts: sums are rounded in different orders",
        "equal: 3 words of 1 field",
    ]


def test_the_newest_of_two_folders_are_compared(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (3,), "cyclic")]
    facts = facts_of(one, 2)
    for version in (3, 7):
        written(tmp_path / f"{version}", facts, {"w": np.arange(3.0)}, version)
    assert alpha("checkpoint", "diff", tmp_path / "3", tmp_path / "7").status == 1
    write(tmp_path / "3", facts, {"w": np.arange(3.0)}, 7)
    assert alpha("checkpoint", "diff", tmp_path / "3", tmp_path / "7").status == 0


def test_what_is_broken_is_refused_and_not_compared(alpha: Alpha, tmp_path: Path) -> None:
    one: list[State] = [("w", "f64", (3,), "cyclic")]
    left, right = (
        written(tmp_path / name, facts_of(one, 3), {"w": np.arange(3.0)}) for name in "ab"
    )
    path = right / "shard-1.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    for pair in ((left, right), (right, left)):
        said = alpha("checkpoint", "diff", *pair)
        assert (said.status, said.out, said.code) == (1, "", "checkpoint-digest")
