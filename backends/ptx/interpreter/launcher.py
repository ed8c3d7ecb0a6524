"""Launches the kernels of one text on an interpreted device.

Entry: `InterpretedLauncher`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alpha.backends.ptx.interpreter.device import Device


class InterpretedLauncher:
    """A device without other memory than what is asked of it here; see `Device` for the order."""

    def __init__(self, text: str, order: str = "forward") -> None:
        self.device = Device(order=order)
        self._module = self.device.load(text)

    def allocate(self, bytes: int) -> int:
        """Memory without words: its address."""
        return self.device.allocate(bytes)

    def free(self, address: int) -> None:
        """Give memory back."""
        self.device.free(address)

    def write(self, address: int, words: np.ndarray) -> None:
        """Copy words to the device."""
        self.device.write(address, words)

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Copy words from the device. Raises Fault for words that nobody wrote."""
        return self.device.read(address, kind, count)

    def start(self, kernel: str, blocks: int, threads: int, arguments: Sequence[int]) -> None:
        """Run a kernel to its end. Raises Fault if it does what has no meaning."""
        self.device.launch(self._module, kernel, blocks, threads, arguments)
