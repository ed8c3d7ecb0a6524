"""No test of deployments may leave a process behind, here or on a host: all carry its mark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import pytest
from deployment.servers import Server
from native_runs.folders import MARK, marked

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "tests" / "cache"
"""Kept between runs, so that the runtime is compiled once."""

MakeServer = Callable[..., Server]


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The mark of what this test starts, of which nothing may be left."""
    text = uuid4().hex
    monkeypatch.setenv(MARK, text)
    yield text
    until = time.monotonic() + 5
    while (left := marked(text)) and time.monotonic() < until:
        time.sleep(0.02)
    assert left == []


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a run makes its folder on this machine; nothing is left there."""
    # Sockets have short paths, however long those of tests are.
    with TemporaryDirectory(prefix="t-", dir="/tmp") as name:
        folder = Path(name)
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr("tempfile.tempdir", None)
        monkeypatch.setenv("ALPHA_CACHE", str(CACHE))
        yield folder
        assert list(folder.iterdir()) == []


@pytest.fixture
def server(tmp_path: Path, mark: str, temporary: Path) -> Iterator[MakeServer]:
    """Makes hosts by name. Behind the test nothing may be left on any that was reached."""
    made: list[Server] = []
    with ExitStack() as stack:

        def make(name: str, *settings: str, **given: object) -> Server:
            one = Server(tmp_path / name, mark, settings, **given)  # pyright: ignore
            made.append(stack.enter_context(one))
            return one

        yield make
        until = time.monotonic() + 5
        while any(each.left() for each in made) and time.monotonic() < until:
            time.sleep(0.02)
        assert [each.left() for each in made] == [[] for _ in made]
