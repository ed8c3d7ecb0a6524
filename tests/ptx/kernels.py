"""Kernels of programs, run from their text by the interpreter of kernels, or on another device.

Entry: `run_case`, `compare_kernels`, `ORDERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from code_level.running import Case, case, differences, in_place, programs_of, varies, words_maker
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.ptx.devices import Device
from alpha.backends.ptx.equality import Emitted, emitted_kernels
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.interpreters.words import Words

BLOCKS_MAX = (1024, 3, 1)
"""The most blocks of a launch, in turn: many, and so few that threads take several points."""

ORDERS = ("forward", "backward")


def run_case(
    kernels: Emitted,
    made: Case,
    results: Sequence[np.ndarray],
    device: Device,
    offset: int,
    blocks_max: int,
) -> list[np.ndarray]:
    """The results of a case; arrays that are one are one memory, `offset` bytes behind 256.

    The device has the kernels.
    """
    addresses: dict[int, int] = {}
    for array in (*made.arguments, *results):
        if id(array) in addresses:
            continue
        held = offset if offset % array.itemsize == 0 else 0
        addresses[id(array)] = device.allocate(array.nbytes + held + 1) + held
    for array in made.arguments:
        if array.size:
            device.write(addresses[id(array)], np.ascontiguousarray(array))
    buffers = Buffers(device, kernels.plan(made.name), made.extents)
    inputs = [addresses[id(array)] for array in made.arguments]
    outputs = [addresses[id(array)] for array in results]
    run_plan(device, buffers, inputs, outputs, blocks_max)
    return [
        device.read(addresses[id(array)], array.dtype, array.size).reshape(array.shape)
        if array.size
        else np.empty(array.shape, array.dtype)
        for array in results
    ]


@dataclass
class Found:
    """How many runs were compared, and what differed."""

    runs: int = 0
    wrong: list[str] = field(default_factory=list)


def compare_kernels(
    module: ModuleOp,
    counts: Sequence[int],
    seed: int | Callable[[object], int] = 0,
    orders: Sequence[str] = ORDERS,
    words_max: int = 10_000_000,
    open: Callable[[str, str], Device] = InterpretedLauncher,
) -> Found:
    """Every program of a module with each number of samples or coordinates, in both orders.

    `open` gives a device with the kernels of a text, which runs them in an order if it can choose.
    """
    kernels = emitted_kernels(module)
    found = Found()
    for program in programs_of(module):
        own = seed if isinstance(seed, int) else seed(program)
        for at, count in enumerate(counts if varies(program) else counts[:1]):
            special = 0.2 if (own + count) % 3 == 0 else 0.0
            made = case(program, count, Words(), words_maker(own * 1000 + count, special))
            if sum(array.size for array in made.arguments) > words_max:
                continue
            for number, (results, what) in enumerate(_ways(made)):
                order = orders[(at + number) % len(orders)]
                offset = (0, 8, 4)[(at + number) % 3]
                blocks = BLOCKS_MAX[(at + number) % len(BLOCKS_MAX)]
                device = open(kernels.text, order)
                given = run_case(kernels, made, results, device, offset, blocks)
                found.runs += 1
                found.wrong += [f"{what}: {text}" for text in differences(made, given)]
    return found


def _ways(made: Case) -> Iterator[tuple[list[np.ndarray], str]]:
    yield made.results(), "apart"
    again = in_place(made)
    if again is not None:
        yield again, "in place"
