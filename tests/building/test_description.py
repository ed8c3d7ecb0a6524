"""`run.json`: what is written is read back; what describes no run is refused at its place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from building.descriptions import DIGEST, described, role, write

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Stride
from alpha.tools.building.description import DataFile, RunDescription
from alpha.tools.driver.output import InputOutputError


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write(tmp_path, described().text())
    assert RunDescription.read(tmp_path) == described()
    alone = replace(described(), learner=None, topology=None, states=(), observations=())
    pieces: dict[str, str | None] = {}
    alone = replace(alone, roles=tuple(replace(each, pieces=pieces) for each in alone.roles))
    alone = replace(alone, start=None)
    write(tmp_path, alone.text())
    assert RunDescription.read(tmp_path) == alone


def test_the_text_is_json_with_sorted_names_and_an_indent_of_one() -> None:
    text = described().text()
    value = json.loads(text)
    assert value["format"] == 1
    assert text == json.dumps(value, indent=1, sort_keys=True) + "\n"


def test_coordinates_are_selections() -> None:
    first, second = described().roles
    assert first.coordinates("w") == Stride(0, 1, 4)
    assert second.coordinates("w") == Empty()
    assert first.coordinates("s") is None
    assert (described().states[0].words, described().states[0].word_bytes) == (4, 8)
    assert (described().states[1].words, described().states[1].word_bytes) == (1, 4)


def test_what_is_unknown_is_passed_over(tmp_path: Path) -> None:
    value = json.loads(described().text())
    value["later"] = value["roles"][0]["later"] = [1]
    write(tmp_path, json.dumps(value))
    assert RunDescription.read(tmp_path) == described()


def _set(*way: str | int, to: object) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for step in way[:-1]:
            value = value[step]
        value[way[-1]] = to

    return change


def _drop(*way: str | int) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for step in way[:-1]:
            value = value[step]
        del value[way[-1]]

    return change


WRONG: list[tuple[Callable[[Any], None], str, str]] = [
    (_set("format", to=2), "format to be 1", "2"),
    (_set("format", to=True), "format to be 1", "true"),
    (_set("learner", to=3), "learner to be a text", "3"),
    (_set("rounds", to=-1), "rounds to be a number from 0", "-1"),
    (_set("rounds", to=1.0), "rounds to be a number from 0", "1.0"),
    (_set("rounds", to=1 << 63), "rounds to be a number from 0", str(1 << 63)),
    (_set("owners", to=0), "owners to be a number from 1", "0"),
    (_set("digests", "run", to=DIGEST[1:]), "digests.run to be 64 hexadecimal", DIGEST[1:]),
    (_set("digests", "run", to=DIGEST.upper()), "digests.run to be 64 hexadecimal", "A"),
    (_set("states", 0, "element", to="f16"), "states[0].element to be f64 or f32", "f16"),
    (_set("states", 0, "shape", 1, to="2"), "states[0].shape[1] to be a number", '"2"'),
    (_set("states", 1, "name", to="w"), "states[1] to be each state once", "state w again"),
    (_set("roles", to=[]), "roles to be at least one role", "none"),
    (_set("roles", to={}), "roles to be a list", "an object"),
    (_set("roles", 1, "role", to=0), "roles[1].role to be a role above 0", "0"),
    (_set("roles", 1, "executable", to="../x"), "the name of a file of this folder", "../x"),
    (_set("roles", 1, "executable", to="/bin/sh"), "the name of a file of this folder", "/bin/sh"),
    (_set("roles", 1, "executable", to=".."), "the name of a file of this folder", ".."),
    (_set("roles", 1, "executable", to="x\n"), "the name of a file of this folder", "x"),
    (_set("roles", 1, "data", "file", to="a/b"), "the name of a file of this folder", "a/b"),
    (_set("roles", 1, "edges", to=[]), "roles[0].edges to be peers", "role 1"),
    (_set("roles", 0, "edges", to=[2]), "roles[0].edges to be peers", "role 2"),
    (_set("roles", 0, "edges", to=[0]), "roles[0].edges to be peers", "role 0"),
    (_set("roles", 0, "edges", to=[1, 1]), "peers in ascending order", "[1, 1]"),
    (_set("roles", 0, "address", to="127.0.0.256"), "an IPv4 address", "127.0.0.256"),
    (_set("roles", 0, "address", to="127.0.0.01"), "an IPv4 address", "127.0.0.01"),
    (_set("roles", 0, "address", to="localhost"), "an IPv4 address", "localhost"),
    (_set("roles", 0, "pieces", to={}), "an object with the fields s, w", "an object"),
    (_set("roles", 0, "pieces", "w", to="stride(0"), "pieces.w to be a selection", "stride(0"),
    (
        _set("roles", 0, "pieces", "w", to="stride(0, 1, 5)"),
        "coordinates 0 to 3",
        "1, 5)",
    ),
    (_set("roles", 0, "pieces", "w", to="stride(0, 1, 3)"), "pieces of w of 4 words", "3"),
    (_set("roles", 0, "pieces", "w", to=None), "some of the coordinates", "null"),
    (_set("tools", "x86-64", "name", to=None), "tools.x86-64.name to be a text", "null"),
    (_drop("roles", 1, "target"), "roles[1] to be an object with the field target", "none"),
    (_drop("digests"), "an object with the field digests", "none"),
]


EDITED = [
    _set("rounds", to=4),
    _set("start", to=None),
    _set("start", "version", to=2),
    _set("checkpoints", to=False),
    _set("ends_stored", to=True),
    _set("learner", to="other"),
    _set("title", to="other"),
    _set("digests", "run", to="0" * 64),
    _set("samples", to=7),
    _set("states", 0, "name", to="v"),
    _set("states", 0, "shape", to=[4]),
    _set("states", 1, "element", to="f64"),
    _set("observations", to=[]),
    _set("observations", 0, to="gain"),
    _set("roles", 1, "data", to=None),
    _set("roles", 0, "memory_bytes", to=1),
    _set("roles", 0, "bytes", to=11),
    _set("tools", "x86-64", "version", to="2.41"),
    _set("sha256", to="0" * 64),
]


@pytest.mark.parametrize("change", EDITED)
def test_what_was_edited_is_refused(change: Callable[[Any], None], tmp_path: Path) -> None:
    """What could be a run's, and isn't the one that was built."""
    value = json.loads(described().text())
    change(value)
    if "v" in (state["name"] for state in value["states"]):
        for role in value["roles"]:
            role["pieces"]["v"] = role["pieces"].pop("w")
    write(tmp_path, json.dumps(value, indent=1))
    with pytest.raises(Refusal) as refused:
        RunDescription.read(tmp_path)
    assert refused.value.code == "build-description"
    assert "sha256 to be" in refused.value.expected
    assert "the digest of all that is described" in refused.value.expected


@pytest.mark.parametrize(("change", "expected", "found"), WRONG)
def test_what_describes_no_run_is_refused(
    change: Callable[[Any], None], expected: str, found: str, tmp_path: Path
) -> None:
    value = json.loads(described().text())
    change(value)
    write(tmp_path, json.dumps(value, indent=1))
    with pytest.raises(Refusal) as refused:
        RunDescription.read(tmp_path)
    assert refused.value.code == "build-description"
    assert expected in refused.value.expected
    assert found in refused.value.found
    assert refused.value.place is not None
    assert refused.value.place.file == str(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("text", "line", "column", "found"),
    [
        ("", 1, 1, "no JSON: Expecting value"),
        ('{\n "a": }', 2, 7, "no JSON: Expecting value"),
        ("[]", 1, 1, "a list of 0"),
        ('{"format": 1, "format": 1}', 1, 1, "an object that names 'format' twice"),
        ("[" * 100_000, 1, 1, "very deep brackets"),
        ('{"format": ' + "1" * 5_000 + "}", 1, 1, "a number of very many digits"),
    ],
)
def test_what_is_no_description_at_all_is_refused(
    text: str, line: int, column: int, found: str, tmp_path: Path
) -> None:
    write(tmp_path, text)
    with pytest.raises(Refusal) as refused:
        RunDescription.read(tmp_path)
    assert found in refused.value.found
    place = refused.value.place
    assert place is not None and (place.line, place.column) == (line, column)


def test_other_bytes_than_a_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(Refusal, match="no UTF-8 at byte 7"):
        RunDescription.read(tmp_path)


def test_the_place_is_that_of_the_value(tmp_path: Path) -> None:
    text = described().text().replace('"role-1"', '"/role-1"')
    write(tmp_path, text)
    with pytest.raises(Refusal) as refused:
        RunDescription.read(tmp_path)
    before = text[: text.index('"/role-1"')]
    place = refused.value.place
    assert place is not None
    assert place.line == before.count("\n") + 1
    assert place.column == len(before) - before.rindex("\n")


def test_a_folder_without_a_description_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputOutputError, match=r"cannot read .*run\.json: No such file"):
        RunDescription.read(tmp_path)


def _with_files(folder: Path) -> RunDescription:
    """A description of files that are there."""
    files = {"role-0": b"one", "role-1": b"two", "role-1.data": bytes(64)}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    data = DataFile("role-1.data", 64, digests["role-1.data"])
    roles = (
        replace(role(0, "stride(0, 1, 4)"), bytes=3, sha256=digests["role-0"]),
        replace(role(1, "", data), bytes=3, sha256=digests["role-1"]),
    )
    return replace(described(), roles=roles)


def test_files_are_those_that_are_described(tmp_path: Path) -> None:
    _with_files(tmp_path).check_files(tmp_path)


@pytest.mark.parametrize("name", ["role-0", "role-1", "role-1.data"])
def test_another_file_than_the_one_described_is_refused(name: str, tmp_path: Path) -> None:
    made = _with_files(tmp_path)
    file = tmp_path / name
    for data in (file.read_bytes() + b"x", file.read_bytes()[:-1], b"\x01" + file.read_bytes()[1:]):
        file.write_bytes(data)
        with pytest.raises(Refusal) as refused:
            made.check_files(tmp_path)
        assert refused.value.code == "build-file-differs"
        assert refused.value.place is not None and refused.value.place.file == str(file)
    file.unlink()
    with pytest.raises(InputOutputError, match=name):
        made.check_files(tmp_path)
