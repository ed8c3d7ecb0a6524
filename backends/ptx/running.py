"""Runs a program by its plan on a device that holds its words.

Invariant: nothing moves between host and device here; a caller says where inputs and results lie.
Entry: `Launcher`, `Buffers`, `run_plan`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from alpha.backends.ptx.plans import Memory, Plan, Wide
from alpha.passes.kernels.wide import ACCESS_BYTES

BLOCKS_MAX = 1024
"""Blocks of a launch: enough for any device of SM86; a thread takes several points then."""


class Launcher(Protocol):
    """What launches kernels: a driver, or the interpreter of kernels."""

    def allocate(self, bytes: int) -> int:
        """So many bytes of the device's memory: their address."""
        ...

    def free(self, address: int) -> None:
        """Give memory back."""
        ...

    def start(self, kernel: str, blocks: int, threads: int, arguments: Sequence[int]) -> None:
        """Launch a kernel by its name; launches run in their order."""
        ...


class Buffers:
    """The buffers of a plan on a device, kept from one run to the next for the same extents."""

    def __init__(self, launcher: Launcher, plan: Plan, extents: Sequence[int]) -> None:
        self._launcher = launcher
        self.plan = plan
        self.extents = tuple(extents)
        self._addresses = {
            number: launcher.allocate(max(1, memory.bytes(extents)))
            for number, memory in plan.buffers.items()
        }

    def address(self, number: int) -> int:
        """Where a buffer lies."""
        return self._addresses[number]


def run_plan(
    launcher: Launcher,
    buffers: Buffers,
    inputs: Sequence[int],
    results: Sequence[int],
    blocks_max: int = BLOCKS_MAX,
) -> None:
    """Launch the kernels of a plan, for the extents that its buffers were made for.

    `inputs` and `results` are addresses in the order of the program.
    """
    extents = buffers.extents

    def address(memory: Memory) -> int:
        match memory.kind:
            case "input":
                return inputs[memory.number]
            case "result":
                return results[memory.number]
            case _:
                return buffers.address(memory.number)

    for launch in buffers.plan.launches:
        blocks = launch.blocks(extents, blocks_max)
        if not blocks:
            continue
        # Only what has words for each point is accessed several words at once.
        places = [address(a) for a in launch.arguments if isinstance(a, Memory) and a.shape]
        aligned = all(place % ACCESS_BYTES == 0 for place in places)
        arguments: list[int] = []
        for argument in launch.arguments:
            match argument:
                case Memory():
                    arguments.append(address(argument))
                case Wide(words):
                    arguments.append(launch.count(extents) // words if aligned else 0)
                case _:
                    arguments.append(extents[argument])
        launcher.start(launch.kernel, blocks, launch.threads, arguments)
