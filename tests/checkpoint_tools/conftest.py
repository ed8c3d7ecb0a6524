"""Tests of the tools for generations call them in this process, and don't wait for disks."""

from __future__ import annotations

import os

import pytest
from checkpoint_tools.calling import Alpha


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power is lost here; when files are synchronized is tested elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@pytest.fixture
def alpha(capsys: pytest.CaptureFixture[str]) -> Alpha:
    return Alpha(capsys)
