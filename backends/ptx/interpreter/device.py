"""A device that runs kernels from their text: memory, modules and launches.

Invariant: a launch gives the same bits in each order of blocks, or is a fault.
Why: kernels are tested without a GPU, and more is checked than a GPU would.
Entry: `Device`, `Module`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.ptx.interpreter.faults import BadAccess, Fault
from alpha.backends.ptx.interpreter.machine import Chunk, Launch
from alpha.backends.ptx.interpreter.memory import Region, Space
from alpha.backends.ptx.interpreter.parsing import parsed
from alpha.backends.ptx.interpreter.programs import Kernel, Program, Variable
from alpha.backends.ptx.interpreter.races import BLOCKS_MAX, EPOCHS_MAX

ALIGNMENT = 256
_FIRST = 0x7F00_0000_0000
_FIRST_SHARED = 0x1_0000
_RED_ZONE = 512
_LANES = 8192
ORDERS = ("forward", "backward")


@dataclass(frozen=True)
class Module:
    """A program on a device, and where its variables are: by kernel those that blocks share."""

    program: Program
    addresses: Mapping[str, int]
    shared: Mapping[str, Mapping[str, int]]


class Device:
    """Blocks run in the order that is asked for; a chunk of blocks may run so many steps.

    Raises ValueError for another order than `forward` and `backward`, and for more steps than
    barriers can be counted.
    """

    def __init__(self, order: str = "forward", steps: int = EPOCHS_MAX - 1) -> None:
        if order not in ORDERS or not 0 < steps < EPOCHS_MAX:
            raise ValueError(f"no order {order}, or {steps} steps")
        self._backward = order == "backward"
        self._steps = steps
        self._memory = Space()
        self._next = _FIRST

    def allocate(self, bytes: int) -> int:
        """The address of so many new bytes, a multiple of 256. Raises ValueError for none."""
        if bytes <= 0:
            raise ValueError(f"an allocation of {bytes} bytes")
        return self._region(bytes, 0)

    def free(self, address: int) -> None:
        """End an allocation. Raises Fault if none starts there."""
        try:
            self._memory.remove(address)
        except BadAccess as bad:
            raise _of_caller(bad) from None

    def write(self, address: int, data: np.ndarray | bytes) -> None:
        """Bring words or bytes to the device, in C order. Raises Fault if they don't fit."""
        flat = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else _bytes(data)
        try:
            self._memory.region(address, len(flat)).host_write(address, flat)
        except BadAccess as bad:
            raise _of_caller(bad) from None

    def read(self, address: int, kind: Any, count: int) -> np.ndarray:
        """Words of a dtype from the device. Raises Fault if they aren't there, or not written."""
        bytes = np.dtype(kind).itemsize * count
        try:
            return self._memory.region(address, bytes).host_read(address, bytes).view(kind)
        except BadAccess as bad:
            raise _of_caller(bad) from None

    def load(self, text: str) -> Module:
        """Read a module and make its variables. Raises UnknownText."""
        program = parsed(text)
        addresses = {}
        for variable in program.variables:
            address = self._region(variable.bytes, variable.alignment)
            self.write(address, variable.data)
            addresses[variable.name] = address
        shared = {name: _laid_out(kernel.shared) for name, kernel in program.kernels.items()}
        return Module(program, MappingProxyType(addresses), MappingProxyType(shared))

    def launch(
        self, module: Module, name: str, grid: int, block: int, arguments: Sequence[int]
    ) -> None:
        """Run a kernel in `grid` blocks of `block` threads; arguments are words of 64 bits.

        Raises Fault for what the kernel does wrong, KeyError if there is no such kernel, and
        ValueError for a launch that the kernel isn't made for.
        """
        kernel = module.program.kernels[name]
        _check(kernel, grid, block, arguments)
        for region in self._memory:
            region.forget_accesses()
        launch = Launch(
            kernel,
            grid,
            block,
            tuple(arguments),
            self._memory,
            {**module.addresses, **module.shared[name]},
            self._backward,
            self._steps,
        )
        with np.errstate(all="ignore"):
            for blocks in self._chunks(grid, block):
                Chunk(launch, blocks).run()

    def _chunks(self, grid: int, block: int) -> Iterator[np.ndarray]:
        at_once = max(1, _LANES // block)
        starts = range(0, grid, at_once)
        for start in reversed(starts) if self._backward else starts:
            blocks = np.arange(start, min(start + at_once, grid))
            yield blocks[::-1] if self._backward else blocks

    def _region(self, bytes: int, alignment: int) -> int:
        """New memory, at an address with no more than this alignment where there is one."""
        start = self._next + alignment % ALIGNMENT
        self._next = (start + bytes + _RED_ZONE + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        self._memory.add(Region(start, bytes, "race-global"))
        return start


def _laid_out(variables: Sequence[Variable]) -> Mapping[str, int]:
    """Addresses of shared variables: apart, and with no more than their alignment."""
    addresses, start = {}, _FIRST_SHARED
    for variable in variables:
        addresses[variable.name] = start + variable.alignment
        start += (variable.bytes + 2 * _RED_ZONE) // ALIGNMENT * ALIGNMENT
    return MappingProxyType(addresses)


def _check(kernel: Kernel, grid: int, block: int, arguments: Sequence[int]) -> None:
    if len(arguments) != len(kernel.parameters):
        raise ValueError(f"{len(arguments)} arguments for {len(kernel.parameters)} parameters")
    if not all(0 <= each < 1 << 64 for each in arguments):
        raise ValueError("an argument has 64 bits")
    if not 0 < grid < BLOCKS_MAX or not 0 < block <= kernel.threads:
        raise ValueError(f"{grid} blocks of {block} threads, of at most {kernel.threads}")
    if kernel.exact and block != kernel.threads:
        raise ValueError(f"blocks of {block} threads, not {kernel.threads}")


def _bytes(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _of_caller(bad: BadAccess) -> Fault:
    return Fault(bad.kind, 0, "", "", None, bad.detail)
