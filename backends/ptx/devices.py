"""The devices on which a role's kernels may run, by the names that `--device` takes.

`interpreter` is no GPU: it runs kernels from their text, with every check, and so slowly. It stands
in for one only where it is asked for by its name.

Refuses: target-unsupported.
Entry: `Device`, `open_device`, `check_device`, `INTERPRETER`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from alpha.ir.refusals import Refusal

INTERPRETER = "interpreter"


class Device(Protocol):
    """Memory, copies between it and the host, and launches of the kernels of one text."""

    def allocate(self, bytes: int) -> int:
        """So many bytes, at least one, without words: their address, a multiple of 256."""
        ...

    def free(self, address: int) -> None:
        """Give memory back."""
        ...

    def write(self, address: int, words: np.ndarray) -> None:
        """Copy words to the device, in row-major order."""
        ...

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Copy so many words of a dtype from the device, when all launches before have ended."""
        ...

    def start(self, kernel: str, blocks: int, threads: int, arguments: Sequence[int]) -> None:
        """Launch a kernel by its name; launches run in their order."""
        ...


def check_device(name: str) -> None:
    """See that there is a device of this name.

    Raises:
        Refusal: `target-unsupported` for another one than the interpreter: no driver is built in.
    """
    if name != INTERPRETER:
        wanted = f"--device {INTERPRETER}, the only one that this version drives"
        raise Refusal("target-unsupported", wanted, name)


def open_device(name: str, text: str) -> Device:
    """A device with the kernels of a text.

    Raises:
        Refusal: as `check_device`.
    """
    check_device(name)
    from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher

    return InterpretedLauncher(text)
