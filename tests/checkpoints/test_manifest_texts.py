"""Texts that are no manifest, or a longer one than any: refused with the place in the file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checkpoints.makings import SMALL, State, facts_of, state_of, write
from checkpoints.tampering import edited

from alpha.ir.checkpoints.manifests import Manifest
from alpha.ir.checkpoints.reading import Generation
from alpha.ir.refusals import Refusal

ROOT = "manifest.json"
STATES: tuple[State, ...] = (*SMALL, ("m", "f64", (5,), "block"))


@pytest.fixture
def generation(tmp_path: Path) -> Path:
    """A generation of three roles."""
    facts = facts_of(STATES, 3)
    return write(tmp_path, facts, state_of(facts))


TEXTS = {
    "no JSON": "",
    "no JSON: ": "{",
    "an object that names 'format' twice": '{"format": "alpha-manifest-1", "format": 1}',
    "no JSON: NaN": '{"version": NaN}',
    "no JSON: -Infinity": '{"a": -Infinity}',
    "a number of very many digits": '{"version": ' + "9" * 5000 + "}",
    "very deep brackets": "[" * 100_000,
    "very deep": '{"a":' * 100_000,
    "no UTF-8 at byte 1": b"{\xff}",
    "half of a surrogate pair": '{"a": "\\ud800"}',
    "half of": '{"\\udc00\\ud800": 1}',
    "no JSON: Unexpected UTF-8 BOM": "\ufeff{}",
    "where alpha writes": '{"version": 1e999}',
    "' ' where alpha writes": "{ }",
    "no JSON: Invalid control": '{"a": "\n"}',
}


@pytest.mark.parametrize("found", TEXTS)
def test_texts_that_are_no_manifest(found: str, generation: Path) -> None:
    text = TEXTS[found]
    data = text if isinstance(text, bytes) else text.encode()
    (generation / ROOT).write_bytes(data)
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert caught.value.code == "checkpoint-manifest"
    assert found in caught.value.found
    assert caught.value.place is not None and caught.value.place.file == str(generation / ROOT)


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_other_blanks_than_those_that_are_written(indent: int | None, generation: Path) -> None:
    """Else a byte of it could change and nobody notice."""
    value = json.loads((generation / ROOT).read_text())
    (generation / ROOT).write_text(json.dumps(value, indent=indent) + "\n")
    with pytest.raises(Refusal, match="where alpha writes"):
        Generation.open(generation)


def test_a_manifest_that_is_too_long(generation: Path) -> None:
    """It is looked at before any of it is read; a child's has the length that its parent says."""
    os.truncate(generation / "manifest-1.json", 1 << 40)
    with pytest.raises(Refusal) as caught:
        Generation.open(generation)
    assert (caught.value.code, caught.value.found) == ("checkpoint-digest", f"{1 << 40} bytes")
    os.truncate(generation / ROOT, (256 << 20) + 1)
    with pytest.raises(Refusal, match=f"at most {256 << 20} bytes, found {(256 << 20) + 1}"):
        Generation.open(generation)


@pytest.mark.parametrize("name", [ROOT, "manifest-1.json"])
def test_the_limit_of_manifests(
    name: str, generation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of as many bytes is read, and none of more; a child's is made longer than the root's."""
    if name != ROOT:
        edited(generation, name, lambda manifest: manifest.update(later="?" * 4000))
    size = (generation / name).stat().st_size
    monkeypatch.setattr("alpha.ir.checkpoints.trees.MANIFEST_BYTES_MAX", size)
    if name == ROOT:
        assert Generation.open(generation).facts.owners == 3
    else:
        with pytest.raises(Refusal, match="as alpha writes it"):
            Generation.open(generation)
    monkeypatch.setattr("alpha.ir.checkpoints.trees.MANIFEST_BYTES_MAX", size - 1)
    with pytest.raises(Refusal, match=f"at most {size - 1} bytes, found {size}") as caught:
        Generation.open(generation)
    assert caught.value.place is not None and caught.value.place.file == str(generation / name)


def test_a_place_is_a_line_and_a_column(generation: Path) -> None:
    text = (generation / ROOT).read_text().replace('"kind": "optimizer"', '"kind": "optimiser"')
    with pytest.raises(Refusal) as caught:
        Manifest.parse(text.encode(), "some/manifest.json")
    place = caught.value.place
    assert place is not None
    line = text.splitlines()[place.line - 1]
    assert line[place.column - 1 :].startswith('"optimiser"')
