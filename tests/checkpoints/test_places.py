"""Where a path leads: into a generation, or to a name that only one may have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from alpha.ir.checkpoints.places import generation_around, names_generation, passes

BEGUN = ".gen-3.0123456789abcdef"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a generation, one that has lost its manifest, and a file of the same name."""
    for name in ("gen-7/deep/er", "gen-8", BEGUN, "best", "other"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("gen-7", "best"):
        (tmp_path / name / "manifest.json").touch()
    (tmp_path / "in").symlink_to("gen-7/deep")
    (tmp_path / "to").symlink_to("gen-9")
    (tmp_path / "gen-5").symlink_to("other/file")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "around"),
    [
        ("gen-7/x", "gen-7"),
        ("./other/../gen-7/x", "gen-7"),
        ("gen-7/deep/er/x", "gen-7"),
        ("gen-7/none/x", "gen-7"),
        ("in/x", "gen-7"),
        ("in/er/x", "gen-7"),
        (f"{BEGUN}/x", BEGUN),
        (".gen-3.removed/x/y", ".gen-3.removed"),
        ("gen-7", None),
        ("gen-8/x", None),
        ("best/x", None),
        ("other/x", None),
        ("x" * 300 + "/y", None),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_a_generation_around(here: Path, path: str, around: str | None, absolute: bool) -> None:
    given = here / path if absolute and not path.startswith(".") else path
    assert generation_around(given) == (None if around is None else here / around)


def test_one_that_is_known_as_one(here: Path) -> None:
    """Its name may be any; a folder of generations is none."""
    for known in ("best", here / "best", "other/../best"):
        assert generation_around("best/x", known) == here / "best"
        assert generation_around("other/x", known) is None
    assert generation_around("other/x", "other") is None
    (here / "link").symlink_to("best")
    assert generation_around("link/x", "link") == here / "best"
    assert generation_around("best/x", "link") == here / "best"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *((name, True) for name in ("gen-7", "gen-0", "other/gen-12", BEGUN, ".gen-1.removed")),
        *((name, True) for name in ("to", "gen-5")),
        *((name, False) for name in ("gen-07", "gen", "other", "gen-7/x", ".gen-1", "gen-7.old")),
    ],
)
def test_the_name_of_a_generation(name: str, wanted: bool) -> None:
    """Also of what a link leads to, or is called itself."""
    assert names_generation(name) is wanted
    assert passes(name) is (os.path.basename(name).startswith(".") and wanted)
