"""No test of native faults may leave a process, a socket or a thread behind, or an unseen error."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from participants.conftest import ERRORS, open_sockets


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "native_faults" in item.path.parts:
            for text in ERRORS:
                item.add_marker(pytest.mark.filterwarnings(text))


def children() -> set[int]:
    """The processes that this one has started, and that haven't been waited for."""
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # The thread has ended.
            found.update(map(int, (thread / "children").read_text().split()))
    return found


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    processes, sockets, threads = children(), open_sockets(), set(threading.enumerate())
    yield
    assert children() <= processes
    assert open_sockets() <= sockets
    assert set(threading.enumerate()) <= threads
