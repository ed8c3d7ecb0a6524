"""No test of runs may leave a socket or a thread behind, or an error that nobody saw."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from participants.conftest import ERRORS, open_sockets


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "runs" in item.path.parts:
            for text in ERRORS:
                item.add_marker(pytest.mark.filterwarnings(text))


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    sockets, threads = open_sockets(), set(threading.enumerate())
    yield
    assert open_sockets() <= sockets
    assert set(threading.enumerate()) <= threads
