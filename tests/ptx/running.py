"""Kernels of the folder `texts`, and arrays on a device.

Entry: `kernel`, `placed`, `bits`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from alpha.backends.ptx.interpreter.device import Device

FOLDER = Path(__file__).parent / "texts"


def kernel(name: str) -> str:
    """The text of a kernel."""
    return (FOLDER / f"{name}.ptx").read_text()


def placed(device: Device, *arrays: np.ndarray) -> list[int]:
    """The addresses of copies on the device."""
    addresses = []
    for array in arrays:
        addresses.append(device.allocate(array.nbytes))
        device.write(addresses[-1], array)
    return addresses


def bits(value: float, kind: type) -> int:
    """The bits of a float as an argument of a kernel."""
    return int.from_bytes(kind(value).tobytes(), "little")
