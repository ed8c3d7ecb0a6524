"""A run that is told to end ends as by an interrupt: with its roles, and its files removed.

Invariant: the first signal interrupts, and the later ones are passed over, so that what it has
    begun to put in order is put in order. A signal that whoever started the run has it ignore, as
    `nohup` does, stays ignored.
Entry: `Interrupts`.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Mapping
from types import FrameType

_TELLING = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGXCPU")
"""The signals that end a process that does nothing about them, and come from outside."""


class Interrupts:
    """As a context, the signals that end this process are interrupts."""

    def __init__(self) -> None:
        self._before: Mapping[signal.Signals, object] = {}
        self._waiting = False
        self._held = False
        self._over = False

    def __enter__(self) -> Interrupts:
        kinds = [signal.Signals[name] for name in _TELLING]
        taken = [kind for kind in kinds if signal.getsignal(kind) is signal.SIG_DFL]
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            taken.append(signal.SIGINT)
        self._before = {kind: signal.signal(kind, self._take) for kind in taken}
        return self

    def __exit__(self, *error: object) -> None:
        for kind, handler in self._before.items():
            signal.signal(kind, handler)  # pyright: ignore[reportArgumentType]

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self._over:
            return
        self._waiting = self._held
        self._over = not self._held
        if self._over:
            raise KeyboardInterrupt

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Within, nothing is interrupted; behind it, what came meanwhile interrupts.

        Raises:
            KeyboardInterrupt: a signal came.
        """
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._waiting and not self._over:
            self._over = True
            raise KeyboardInterrupt
