"""Tests of builds keep what they build in a folder of this project, and leave no process behind."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

CACHE = ROOT / "build" / "tests" / "cache"
"""Kept between runs, so that the runtime is compiled once."""


@pytest.fixture(autouse=True)
def kept_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALPHA_CACHE", str(CACHE))


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
