"""States of every size and type: none, one and fewer words than owners, both types, no words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from cases.texts import fields, means, squares
from resuming.plain_learner import versions_of
from resuming.runs import LEVELS, Side, Store, difference, run
from resuming.stored_files import read_header
from safetensors.numpy import load_file
from sharding.product import SUBSETS

STOP, ENDS = 2, 4

VALUES = [float(np.float32(value)) for value in np.linspace(-3.0, 5.0, 3 * 11)]

TEXTS = {
    "scalars": squares([1.0, 2.0, 3.0, 10.0], [1.0, 1.0, -1.0, 0.0]),
    "scalars of binary32": squares([1.0, 2.0, 3.0], [1.0, 1.0, -1.0], element="f32"),
    "one word": means(VALUES[:3], [1]),
    "two words": means(VALUES[:6], [2], "f32"),
    "no words": means([], [0]),
    "no words in two axes": means([], [3, 0], "f32"),
    "a square": means(VALUES[:12], [2, 2]),
    "both types": fields(
        [("d", 5, "f64"), ("s", 11, "f32"), ("e", 1, "f64"), ("t", 3, "f32")],
        {"d": VALUES[:15], "s": VALUES[:33], "e": VALUES[:3], "t": VALUES[:9]},
    ),
}

SIDES = (
    Side("shard", 5, "tree<2>", SUBSETS[7], "cyclic"),
    Side("protocol", 7, "star", SUBSETS[4], "block"),
    Side("role", 4, "tree<3>", SUBSETS[1], "block_cyclic<2>"),
    Side("learner"),
)


@pytest.fixture(params=TEXTS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A learner whose samples are one group."""
    path = tmp_path / "learner.mlir"
    text = TEXTS[request.param]
    path.write_text(text.replace(" over @data", f" over @data {group(text)}"), encoding="utf-8")
    return path


def group(text: str) -> str:
    """The contract of one group of all samples; so it stays, whoever the owners are."""
    count = text.partition("@data[")[2].partition("]")[0]
    return f"contract #region.contract<groups = [{count}], combine = left>"


def test_every_level_goes_on_from_every_other(file: Path, tmp_path: Path) -> None:
    wanted = versions_of(file, ENDS)
    for number, writer in enumerate(SIDES):
        store = Store(tmp_path / f"generations-{number}")
        found = run(file, writer, STOP, tmp_path, store=store)
        assert difference(found, wanted.outcome(0, STOP)) is None, str(writer)
        for reader in (SIDES[number - 1], SIDES[number - 2]):
            found = run(file, reader, ENDS, tmp_path, resume=store.path)
            assert difference(found, wanted.outcome(STOP, ENDS)) is None, str(reader)


def test_both_libraries_open_every_shard(file: Path, tmp_path: Path) -> None:
    """Those of owners that have nothing, too: there is nothing in them, or a tensor of no words."""
    state = versions_of(file, STOP).at(STOP)
    for number, side in enumerate(SIDES[:3]):
        store = Store(tmp_path / f"generations-{number}")
        run(file, side, STOP, tmp_path, store=store)
        totals = dict.fromkeys(state, 0)
        for role in range(side.owners or 1):
            path = store.path / f"gen-{STOP}" / f"shard-{role}.safetensors"
            header, begin = read_header(path)
            assert begin % 64 == 0
            tensors = load_file(path)
            assert set(tensors) == set(header) - {"__metadata__"}
            assert set(json.loads(header["__metadata__"]["coordinates"])) == set(tensors)
            for name, words in tensors.items():
                assert words.dtype == state[name].dtype
                totals[name] += words.size
            assert path.stat().st_size == begin + sum(each.nbytes for each in tensors.values())
        assert totals == {name: words.size for name, words in state.items()}


def test_owners_without_words_or_samples_store_nothing(tmp_path: Path) -> None:
    """Two words among seven owners: five have none, and their shards say so."""
    file = tmp_path / "learner.mlir"
    text = means(VALUES[:6], [2])
    file.write_text(text.replace(" over @data", f" over @data {group(text)}"), encoding="utf-8")
    store = Store(tmp_path / "generations")
    for level in ("shard", "protocol", "role"):
        side = Side(level, 7, "tree<2>", ("optimizer", "parameters"), "cyclic")
        run(file, side, 2, tmp_path, store=store._replace(path=tmp_path / level))
        for role in range(7):
            path = tmp_path / level / "gen-2" / f"shard-{role}.safetensors"
            sizes = {name: words.size for name, words in load_file(path).items()}
            assert sizes == {"w": int(role < 2), "mean": int(role < 2)}
            said = json.loads(read_header(path)[0]["__metadata__"]["coordinates"])
            wanted = f"stride({role}, 7, 1)" if role < 2 else ""
            assert all(("stride" in each) == bool(wanted) for each in said.values())


@pytest.mark.parametrize("name", ["both types", "no words", "scalars of binary32"])
def test_native_roles_store_and_go_on(name: str, tmp_path: Path) -> None:
    """Each role on the other instruction set."""
    text, file = TEXTS[name], tmp_path / "learner.mlir"
    file.write_text(text.replace(" over @data", f" over @data {group(text)}"), encoding="utf-8")
    wanted = versions_of(file, ENDS)
    store = Store(tmp_path / "generations")
    side = Side(LEVELS[-1], 3, "star", SUBSETS[4], "block", targets="x86-64,aarch64")
    found = run(file, side, STOP, tmp_path, store=store)
    assert difference(found, wanted.outcome(0, STOP)) is None
    reader = side._replace(targets="aarch64,x86-64", modes=SUBSETS[6], map="cyclic")
    found = run(file, reader, ENDS, tmp_path, store=store, resume=store.path)
    assert difference(found, wanted.outcome(STOP, ENDS)) is None
