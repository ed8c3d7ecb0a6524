"""Tests of generations don't wait for disks, and leave no descriptor behind."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


def _descriptors() -> set[str]:
    return {
        os.readlink(f"/proc/self/fd/{name}")
        for name in os.listdir("/proc/self/fd")
        if os.path.lexists(f"/proc/self/fd/{name}")
    }


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """That a sync is made, and when, is what tests look at; no power is lost here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture(autouse=True)
def no_descriptor_is_left(tmp_path: object) -> Iterator[None]:
    yield
    assert not [path for path in _descriptors() if path.startswith(f"{tmp_path}/")]
