"""The cache: what was put is given or nothing, whatever has happened to its files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alpha.tools.building import cache as module
from alpha.tools.building.cache import Cache, key_of

KEY, OTHER = key_of("one"), key_of("other")


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_put_is_given(tmp_path: Path) -> None:
    for data in (b"", b"\0" * 1000, bytes(range(256))):
        Cache(tmp_path).put(KEY, data)
        assert Cache(tmp_path).get(KEY) == data
        assert Cache(tmp_path).get(OTHER) is None
    assert len(files(tmp_path)) == 1


def test_keys_differ_with_what_they_are_of() -> None:
    parts = [("a", "bc"), ("ab", "c"), ("abc",), ("abc", ""), (1,), ("1",), (b"1",), (("1",),)]
    assert len({key_of(*each) for each in parts}) == len(parts)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0), bit=st.integers(0, 7))
def test_a_bit_that_has_changed_is_noticed(at: int, bit: int, tmp_path: Path) -> None:
    Cache(tmp_path).put(KEY, b"some bytes")
    (file,) = files(tmp_path)
    data = bytearray(file.read_bytes())
    data[at % len(data)] ^= 1 << bit
    file.write_bytes(data)
    assert Cache(tmp_path).get(KEY) is None
    assert files(tmp_path) == []


@pytest.mark.parametrize("left", [0, 1, 20, 80])
def test_a_file_that_is_too_short_or_too_long_is_noticed(left: int, tmp_path: Path) -> None:
    Cache(tmp_path).put(KEY, b"some bytes")
    (file,) = files(tmp_path)
    data = file.read_bytes()
    for wrong in (data[:left], data + b"x"):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(wrong)
        assert Cache(tmp_path).get(KEY) is None


def test_the_entry_of_another_key_is_noticed(tmp_path: Path) -> None:
    Cache(tmp_path).put(KEY, b"some bytes")
    (file,) = files(tmp_path)
    target = tmp_path / OTHER[:2] / OTHER[2:]
    target.parent.mkdir(exist_ok=True)
    file.rename(target)
    assert Cache(tmp_path).get(OTHER) is None


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for folder in (tmp_path / "file", tmp_path / "file" / "in", Path("/proc/none"), Path("a\0b")):
        held = Cache(folder)
        held.put(KEY, b"some bytes")
        held.trim()
        assert held.get(KEY) is None
    assert Cache(None).get(KEY) is None


def test_an_entry_that_is_a_folder_is_no_error(tmp_path: Path) -> None:
    (tmp_path / KEY[:2] / KEY[2:]).mkdir(parents=True)
    Cache(tmp_path).put(KEY, b"some bytes")
    assert Cache(tmp_path).get(KEY) is None
    assert [path.name for path in (tmp_path / KEY[:2]).iterdir()] == [KEY[2:]]


def test_what_was_used_last_stays(tmp_path: Path) -> None:
    keys = [key_of(number) for number in range(6)]
    for number, key in enumerate(keys):
        Cache(tmp_path).put(key, bytes(1000))
        os.utime(tmp_path / key[:2] / key[2:], (number, number))
    assert Cache(tmp_path).get(keys[0]) is not None
    held = Cache(tmp_path)
    held.trim(0)  # nothing was written by this one
    assert len(files(tmp_path)) == 6
    held.put(keys[3], bytes(1000))
    held.trim(3 * 1100)
    stays = [key for key in keys if Cache(tmp_path).get(key) is not None]
    assert stays == [keys[0], keys[3], keys[5]]


def test_what_is_very_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ENTRY_BYTES_MAX", 10)
    Cache(tmp_path).put(KEY, bytes(11))
    assert Cache(tmp_path).get(KEY) is None
    Cache(tmp_path).put(KEY, bytes(10))
    assert Cache(tmp_path).get(KEY) == bytes(10)


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"ALPHA_CACHE": "A", "XDG_CACHE_HOME": "X", "HOME": "H"}, "A"),
        ({"ALPHA_CACHE": "", "XDG_CACHE_HOME": "X", "HOME": "H"}, "X/alpha"),
        ({"XDG_CACHE_HOME": "X", "HOME": "H"}, "X/alpha"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "H"}, "H/.cache/alpha"),
        ({"HOME": "H"}, "H/.cache/alpha"),
        ({"HOME": ""}, None),
        ({}, None),
    ],
)
def test_the_environment_says_where(
    environment: dict[str, str], place: str | None, tmp_path: Path
) -> None:
    absolute = {name: str(tmp_path / value) for name, value in environment.items()}
    given = {
        name: absolute[name] if len(value) == 1 else value for name, value in environment.items()
    }
    Cache.of(given).put(KEY, b"some bytes")
    wanted = [] if place is None else [tmp_path / place / KEY[:2] / KEY[2:]]
    assert files(tmp_path) == wanted
