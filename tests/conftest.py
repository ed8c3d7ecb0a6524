"""The suite begins alike however it was started, and keeps what it compiles in one place."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest

CACHE = Path(__file__).resolve().parents[1] / "build" / "tests" / "cache"


def pytest_configure() -> None:
    """A shell has what it starts in the background ignore interrupts, and children inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Also of what tests start: the runtime is compiled once for all of them.
    os.environ.setdefault("ALPHA_CACHE", str(CACHE))


def pytest_collection() -> None:
    """What is collected stays, so that looking for what doesn't only takes time."""
    gc.disable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of a GPU aren't run unless they are asked for: other processes may use it."""
    if "gpu" in (config.getoption("markexpr") or ""):
        return
    left_out = pytest.mark.skip(reason="on a GPU alone, by pytest -m gpu")
    for item in items:
        if item.get_closest_marker("gpu") is not None:
            item.add_marker(left_out)


def pytest_collection_finish() -> None:
    """Nor is it looked at again and again while the tests run."""
    gc.freeze()
    gc.enable()
