"""The devices on which a role's kernels may run, by the names that `--device` takes.

`interpreter` is no GPU: it runs kernels from their text, with every check, and so slowly. It stands
in for one only where it is asked for by its name.

Refuses: target-unsupported.
Entry: `Device`, `open_device`, `check_device`, `INTERPRETER`.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from alpha.backends.ptx.running import Launcher
from alpha.ir.refusals import Refusal

INTERPRETER = "interpreter"


class Device(Launcher, Protocol):
    """What launches the kernels of one text, with copies between its memory and the host's."""

    def write(self, address: int, words: np.ndarray) -> None:
        """Copy words to the device, in row-major order."""
        ...

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Copy so many words of a dtype from the device, when all launches before have ended."""
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
