"""No test of faults may leave a process or a thread behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from native_faults.conftest import children


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    processes, threads = children(), set(threading.enumerate())
    yield
    assert children() <= processes
    assert set(threading.enumerate()) <= threads
