"""No test of native runs may leave a process behind: all of its own carry its mark."""

from __future__ import annotations

import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from native_runs.folders import MARK, marked


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
