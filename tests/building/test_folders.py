"""The folder of a build: it is there as a whole or not at all, and replaces only earlier builds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from building.descriptions import described, write

from alpha.tools.building import folders as module
from alpha.tools.building.folders import check_folder, new_folder
from alpha.tools.driver.output import InputOutputError


def earlier(folder: Path) -> Path:
    folder.mkdir()
    write(folder, described().text())
    for name in ("role-0", "role-1", "role-1.data", "run.mlir"):
        (folder / name).write_bytes(b"earlier")
    return folder


def build(folder: Path, file: str = "-") -> None:
    with new_folder(str(folder), file) as made:
        (made / "role-0").write_bytes(b"new")
        assert made.parent == Path(os.path.realpath(folder)).parent


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_is_made(tmp_path: Path) -> None:
    build(tmp_path / "out")
    assert contents(tmp_path / "out") == {"role-0": b"new"}
    assert os.listdir(tmp_path) == ["out"]
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o777 & ~mask


def test_an_empty_one_and_an_earlier_build_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", earlier(tmp_path / "out")):
        check_folder(str(folder), "-")
        build(folder)
        assert contents(folder) == {"role-0": b"new"}
    assert sorted(os.listdir(tmp_path)) == ["empty", "out"]


def test_it_is_replaced_where_names_cannot_be_changed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_exchange", lambda one, other: False)
    build(earlier(tmp_path / "out"))
    assert contents(tmp_path / "out") == {"role-0": b"new"}
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(earlier(tmp_path / "out"))
    build(tmp_path / "link")
    assert contents(tmp_path / "out") == {"role-0": b"new"}
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_build_that_fails_leaves_what_was_there(
    error: type[BaseException], tmp_path: Path
) -> None:
    before = contents(earlier(tmp_path / "out"))
    with pytest.raises(error), new_folder(str(tmp_path / "out"), "-") as made:
        (made / "role-0").write_bytes(b"new")
        raise error
    assert contents(tmp_path / "out") == before
    assert os.listdir(tmp_path) == ["out"]


def refused(folder: Path | str, file: str = "-") -> str:
    """What is said of a folder before a build, and of one that became so during it."""
    with pytest.raises(InputOutputError) as error:
        check_folder(str(folder), file)
    assert str(error.value).startswith(f"cannot write {folder}: ")
    return str(error.value).partition(": ")[2]


def test_what_nothing_built_is_kept(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear")
    assert refused(tmp_path) == "it holds letter and no run.json of an earlier build"
    out = earlier(tmp_path / "out")
    (out / "role-0.txt").write_text("notes")
    assert refused(out) == "it holds role-0.txt, which no build has written"
    with pytest.raises(InputOutputError, match="which no build has written"):
        build(out)
    assert (out / "role-0.txt").read_text() == "notes"
    (out / "role-0.txt").unlink()
    for text in ("{}", "[]", "no JSON", '{"format": 1}', "[" * 100_000):
        write(out, text)
        assert refused(out) == "its run.json isn't that of a build"
    assert refused(tmp_path / "letter") == "it isn't a folder"
    assert refused(tmp_path / "none" / "out") == f"there is no folder {tmp_path / 'none'}"


def test_what_came_during_a_build_is_kept(tmp_path: Path) -> None:
    out = earlier(tmp_path / "out")
    with (
        pytest.raises(InputOutputError, match="which no build has written"),
        new_folder(str(out), "-"),
    ):
        (out / "letter").write_text("dear")
    assert (out / "letter").read_text() == "dear"
    assert os.listdir(tmp_path) == ["out"]


def test_the_input_is_kept(tmp_path: Path) -> None:
    out = earlier(tmp_path / "out")
    (tmp_path / "link.mlir").symlink_to(out / "run.mlir")
    for file in (out / "run.mlir", tmp_path / "link.mlir"):
        assert refused(out, str(file)) == f"it holds {file}, which is an input"


def test_a_build_of_a_later_version_is_replaced(tmp_path: Path) -> None:
    out = earlier(tmp_path / "out")
    write(out, described().text().replace('"format": 1', '"format": 77'))
    build(out)
    assert contents(out) == {"role-0": b"new"}


def test_no_room_is_said_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(self: Path, *given: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "mkdir", no_room)
    with pytest.raises(InputOutputError, match="cannot write .*out: No space left on device"):
        build(tmp_path / "out")
    assert os.listdir(tmp_path) == []
