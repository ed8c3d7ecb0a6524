"""Runs programs in four ways and compares the words by their bits.

The interpreter of programs is the reference. Beside it are run: the emitted code by what its rows
mean, and the assembled code by the processor or its emulator, on every instruction set that the
host can run. Updates are also run in place.

Entry: `Compared`, `compare`, `instruction_sets_here`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from code_level.running import Case, case, differences, in_place, programs_of, varies, words_maker
from native.programs import INSTRUCTION_SETS
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.backends.core.emitted import EmittedPrograms
from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.interpreters.words import Words
from alpha.ir.frontend.registry import make_context
from alpha.ir.shapes import element_name

MACHINES = {"x64": "x86-64", "a64": "aarch64"}
WIDE = frozenset({"avx512f", "avx512dq", "avx512bw", "avx512vl"})
OFFSETS = (0, 8, 4, 24)
"""Bytes by which buffers lie behind a multiple of 64; 4 only where a word has 4 bytes."""


@cache
def instruction_sets_here() -> tuple[tuple[str, str], ...]:
    """Dialects and features that can be run here; AArch64 always, by QEMU where need be."""
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as stream:
        flags = {word for line in stream if line.startswith("flags") for word in line.split()}
    return tuple(each for each in INSTRUCTION_SETS if each[1] != "avx512" or flags >= WIDE)


@dataclass
class Compared:
    """How many runs were compared, and what differed."""

    runs: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        """One more run of a kind."""
        self.runs[what] = self.runs.get(what, 0) + 1


def _assembly(module: ModuleOp, dialect: str, features: str) -> str:
    lowered = module.clone()
    for each in remaining_passes(lowered, dialect, features):
        each.apply(make_context(), lowered)
    return assembly_of(lowered, dialect)


def compare(
    name: str, module: ModuleOp, counts: Sequence[int], steps_max: int, seed: int = 0
) -> Compared:
    """Every program of a module with each number of samples or coordinates, in all ways.

    Rows are interpreted where that takes about `steps_max` steps or fewer, which is estimated from
    the words that are read and written.
    """
    found = Compared()
    made: list[Case] = []
    for program in programs_of(module):
        for count in counts if varies(program) else counts[:1]:
            special = 0.2 if (seed + count) % 3 == 0 else 0.0
            made.append(case(program, count, Words(), words_maker(seed * 1000 + count, special)))
    for dialect, features in instruction_sets_here():
        what = f"{name} {dialect} {features}".rstrip()
        emitted = EmittedPrograms(module, dialect, features)
        for each in made:
            if _words(each) <= steps_max:
                _note(found, f"{what} by rows", each, _by_rows(emitted, each))
        with Caller(_assembly(module, dialect, features), MACHINES[dialect]) as caller:
            for position, each in enumerate(made):
                _note(found, what, each, _by_processor(caller, each, position))
                results = in_place(each)
                if results is not None:
                    outcome = _by_processor(caller, each, position, results)
                    _note(found, f"{what} in place", each, outcome)
    return found


def _words(made: Case) -> int:
    return sum(array.size for array in (*made.arguments, *made.wanted))


def _note(found: Compared, what: str, made: Case, results: Sequence[np.ndarray]) -> None:
    found.count(what)
    found.wrong += [f"{what}: {text}" for text in differences(made, results)]


def _by_rows(emitted: EmittedPrograms, made: Case) -> list[np.ndarray]:
    elements = [element_name(value.type) for value in made.program.body.block.args]
    outputs = made.program.function_type.outputs.data
    results = [
        (array.shape, element_name(type)) for array, type in zip(made.wanted, outputs, strict=True)
    ]
    with np.errstate(all="ignore"):
        return emitted.call(
            made.name, MachineWords(), made.arguments, results, made.extents, elements
        )


def _by_processor(
    caller: Caller, made: Case, position: int, results: Sequence[np.ndarray] | None = None
) -> list[np.ndarray]:
    """Buffers at odd places, or at the end of a page; a result that is an input is one buffer."""
    arrays = [*made.arguments, *(made.results() if results is None else results)]
    buffers: dict[int, Buffer] = {}
    for number, array in enumerate(arrays):
        offset = OFFSETS[(position + number) % len(OFFSETS)]
        offset = offset if offset % array.itemsize == 0 else 0
        fenced = (position + number) % 5 == 0
        flat = np.ascontiguousarray(array).reshape(-1)
        made_buffer = Buffer(flat, 0 if fenced else offset, fenced)
        buffers.setdefault(id(array), made_buffer)
    arguments = [*(buffers[id(array)] for array in arrays), *made.extents]
    (result,) = caller.call([Call(made.name, arguments)], seconds=600.0)
    after = [each for each in result.buffers if each is not None]
    first = len(made.arguments)
    return [after[first + number].reshape(array.shape) for number, array in enumerate(made.wanted)]
