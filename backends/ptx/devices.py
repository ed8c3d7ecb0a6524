"""The devices on which a role's kernels may run, by the names that `--device` takes.

A GPU is named by its UUID, which is the same whatever other devices there are. `interpreter` is no
GPU: it runs kernels from their text, with every check, and so slowly. It stands in for one only
where it is asked for by its name.

Refuses: target-unsupported.
Entry: `Device`, `open_device`, `check_device`, `INTERPRETER`.
"""

from __future__ import annotations

import re
from typing import Any, Protocol

import numpy as np

from alpha.backends.ptx.running import Launcher
from alpha.ir.refusals import Refusal

INTERPRETER = "interpreter"

_UUID = re.compile("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Device(Launcher, Protocol):
    """What launches the kernels of one text, with copies between its memory and the host's."""

    def write(self, address: int, words: np.ndarray) -> None:
        """Copy words to the device, in row-major order."""
        ...

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Copy so many words of a dtype from the device, when all launches before have ended."""
        ...


def check_device(name: str) -> None:
    """See that there is a device of this name, and that it runs the kernels of this version.

    Raises:
        Refusal: `target-unsupported` for another name, and for a GPU that isn't here.
    """
    if name == INTERPRETER:
        return
    if not _UUID.fullmatch(name):
        wanted = f"{INTERPRETER} or the UUID of a GPU, as GPU-8-4-4-4-12 digits, with --device"
        raise Refusal("target-unsupported", wanted, name)
    from alpha.backends.ptx.driver import find_gpu

    find_gpu(name)


def open_device(name: str, text: str) -> Device:
    """A device with the kernels of a text.

    Raises:
        Refusal: as `check_device`.
        OSError, MemoryError: the device can't be used with them.
    """
    if name != INTERPRETER:
        from alpha.backends.ptx.driver import CudaDevice

        return CudaDevice(name, text)
    from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher

    return InterpretedLauncher(text)
