"""Selects, places and looks at words on a device: what a role does beside its programs.

Its kernels stand in `moving.mlir`. A role's coordinates are given by a table of places, which is
copied to the device once.

Entry: `Moving`, `moving_kernels`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from alpha.backends.ptx.devices import Device
from alpha.backends.ptx.running import BLOCKS_MAX
from alpha.interpreters.words import DTYPES
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context

FILE = Path(__file__).with_name("moving.mlir")
THREADS = 256

FLAG_BLOCKS_MAX = 32
"""Blocks that look at words; each thread has a flag."""

FLAG_THREADS = (16, 1)
"""Threads of one block that look at flags, again and again, until there is one flag."""

NUMBER_BYTES = 8

FLAG_BYTES = NUMBER_BYTES * (FLAG_BLOCKS_MAX * THREADS + THREADS + sum(FLAG_THREADS))
"""The memory of all flags."""

_ELEMENTS = {DTYPES["f32"]: "f32", DTYPES["f64"]: "f64"}


def moving_kernels(elements: Collection[str]) -> list[Operation]:
    """The kernels for these types of words, in no module."""
    text = FILE.read_text("utf-8")
    found: dict[str, Operation] = {}
    for element in sorted(elements):
        module = parse_text(make_context(), text.replace("f64", element), FILE.name)
        for op in list(module.body.block.ops):
            assert isinstance(op, FuncOp)
            op.detach()
            found.setdefault(op.sym_name.data, op)
    return list(found.values())


class Moving:
    """Moves words between whole values and a role's own coordinates of them."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._flags: int | None = None

    def table(self, places: np.ndarray) -> int:
        """A table of places on the device, for `select` and `place`."""
        address = self._device.allocate(max(1, NUMBER_BYTES * places.size))
        if places.size:
            self._device.write(address, np.ascontiguousarray(places, np.int64))
        return address

    def select(self, whole: int, own: int, table: int, count: int, kind: np.dtype) -> None:
        """Of a whole value, copy the words of so many places to where own ones are."""
        self._start("alpha_select", kind, count, (whole, own, table, count))

    def place(self, own: int, whole: int, table: int, count: int, kind: np.dtype) -> None:
        """Copy own words to their places in a whole value."""
        self._start("alpha_place", kind, count, (own, whole, table, count))

    def is_finite(self, address: int, count: int, kind: np.dtype) -> bool:
        """Whether all of so many words are finite; 8 bytes are copied to the host for it."""
        if not count:
            return True
        if self._flags is None:
            self._flags = self._device.allocate(FLAG_BYTES)
        blocks = min(FLAG_BLOCKS_MAX, -(-count // THREADS))
        threads = min(count, THREADS)
        flags, left = self._flags, blocks * threads
        self._device.start(
            f"alpha_finite_{_ELEMENTS[kind]}", blocks, threads, (address, flags, count)
        )
        for threads in (THREADS, *FLAG_THREADS):
            if left > threads:
                behind = flags + NUMBER_BYTES * left
                self._device.start("alpha_both", 1, threads, (flags, behind, left))
                flags, left = behind, threads
        return int(self._device.read(flags, np.int64, 1)[0]) < 0

    def _start(self, name: str, kind: np.dtype, count: int, arguments: Sequence[int]) -> None:
        if count:
            blocks = min(BLOCKS_MAX, -(-count // THREADS))
            self._device.start(f"{name}_{_ELEMENTS[kind]}", blocks, THREADS, arguments)
