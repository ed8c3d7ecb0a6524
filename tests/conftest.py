"""The suite begins alike however it was started: in the background too, an interrupt interrupts."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A shell has what it starts in the background ignore interrupts, and children inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
