"""No test of participants may leave a socket behind, or an error that nobody saw."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

# A warning in a destructor, or an error in a thread, reaches a test in one of the last two ways.
ERRORS = (
    "error::ResourceWarning",
    "error::pytest.PytestUnraisableExceptionWarning",
    "error::pytest.PytestUnhandledThreadExceptionWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "participants" in item.path.parts:
            for text in ERRORS:
                item.add_marker(pytest.mark.filterwarnings(text))


def open_sockets() -> set[str]:
    """The sockets of this process, without waiting for a collection of garbage."""
    found: set[str] = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:  # that of the listing itself
            continue
    return {target for target in found if target.startswith("socket:")}


@pytest.fixture(autouse=True)
def no_socket_is_left() -> Iterator[None]:
    before = open_sockets()
    yield
    assert open_sockets() <= before
