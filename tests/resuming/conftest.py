"""Tests of resumed runs don't wait for disks, keep what is built, and leave no socket behind."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from levels.natively import CACHE
from participants.conftest import open_sockets

from alpha.tools.building.cache import VARIABLE


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power is lost here; when files are synchronized is tested elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setenv(VARIABLE, str(CACHE))


@pytest.fixture(autouse=True)
def no_socket_is_left() -> Iterator[None]:
    before = open_sockets()
    yield
    assert open_sockets() <= before
