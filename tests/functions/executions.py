"""Runs functions of the code level in every way and compares what they do by its bits.

The interpreter of the code level is the reference: it runs the text as it was written. Beside it
are run the code by what its rows mean, with its frames on a stack of its own, and the assembled
code by the processor or its emulator.

Entry: `differences`, `Built`, `built`, `Rows`, `Outcome`, `Change`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from selection.compiled import TARGETS, canonical, read
from selection.compiled import Target as Machinery
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase
from alpha.backends.core.dialect.reading import read_data, read_placed
from alpha.backends.core.emission import remaining_passes
from alpha.backends.core.frame_checker import check_frame
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.memory import WordsMemory
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.printing import Data, print_module
from alpha.backends.core.registers import Register
from alpha.backends.core.target import Target
from alpha.backends.core.targets import features_of, instruction_set
from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import BITS, Buffer, Call, word_of
from alpha.interpreters.code import Code
from alpha.interpreters.words import Words

STEPS_MAX = 100_000
"""Operations of a call: many more than a random function does."""

SECONDS_MAX = 120.0
"""Of all calls on a processor or emulator together."""

HIGH = 0x7FF4_5A5A_A5A5_3C3C
"""What lies above a float in its register or place on the stack: it means nothing."""


class Outcome(NamedTuple):
    """What a call returned, and what each of its buffers held then, by bits with one NaN."""

    returned: bytes
    buffers: tuple[bytes, ...]

    @staticmethod
    def of(call: Call, bits: int, buffers: Sequence[np.ndarray]) -> Outcome:
        """The outcome of a call, whose result is the lowest of these bits."""
        returned = b""
        if call.returns is not None:
            width = BITS[call.returns]
            returned = (bits & ((1 << width) - 1)).to_bytes(8, "little")
            if call.returns[0] == "f":
                returned = canonical(np.frombuffer(returned[: width // 8], f"<f{width // 8}"))
        return Outcome(returned, tuple(canonical(each) for each in buffers))


@dataclass(frozen=True)
class Built:
    """A module on one instruction set: its functions with frames, its data, its text."""

    machinery: Machinery
    target: Target
    functions: Sequence[PlacedFunction]
    data: Sequence[Data]
    text: str


Change = Callable[[PlacedFunction, Target], PlacedFunction]
"""What is done to a function between its allocation and its frame."""


def built(
    module: ModuleOp, targets: Sequence[Machinery] = TARGETS, change: Change | None = None
) -> Iterator[Built]:
    """A module of functions or programs for each target; they share the passes they all have."""
    ways = [remaining_passes(module, each.dialect, each.features) for each in targets]
    shared = 0
    while all(each[shared : shared + 1] == ways[0][shared : shared + 1] != [] for each in ways):
        shared += 1
    lowered = _through(ways[0][:shared], module)
    for machinery, passes in zip(targets, ways, strict=True):
        placed_module = _through(passes[shared:], lowered)
        target = instruction_set(machinery.dialect, features_of(machinery.features)).target
        ops = list(placed_module.body.block.ops)
        placed = [read_placed(op) for op in ops if isinstance(op, FuncOpBase)]
        data = [read_data(op) for op in ops if isinstance(op, DataOpBase)]
        if change is not None:
            placed = [change(each, target) for each in placed]
        framed = [add_frame(each, target) for each in placed]
        for before, after in zip(placed, framed, strict=True):
            check_frame(before, after, target)
        yield Built(machinery, target, framed, data, print_module(framed, data, target))


def _through(passes: Sequence[ModulePass], module: ModuleOp) -> ModuleOp:
    """What passes make of a module, which stays as it is."""
    made = module.clone()
    for each in passes:
        each.apply(Context(), made)
    return made


def interpreted(module: ModuleOp, calls: Sequence[Call]) -> list[Outcome]:
    """The outcomes by the interpreter of the code level. Raises CodeFault."""
    code = Code(module, Words(), steps_max=STEPS_MAX * max(len(calls), 1))
    return [_interpreted(code, call) for call in calls]


def _interpreted(code: Code, call: Call) -> Outcome:
    held: dict[int, np.ndarray] = {}
    given: list[Any] = [
        held.setdefault(id(each), each.words.copy()) if isinstance(each, Buffer) else each
        for each in call.arguments
    ]
    returned = code.call(call.name, given)
    buffers = [each for each in given if isinstance(each, np.ndarray)]
    if call.returns is None:
        return Outcome.of(call, 0, buffers)
    if call.returns[0] == "f":
        word = np.array(returned[0], f"<f{BITS[call.returns] // 8}").tobytes()
        return Outcome.of(call, int.from_bytes(word, "little"), buffers)
    return Outcome.of(call, int(returned[0]), buffers)


class Rows:
    """A module that is run by what its rows mean."""

    def __init__(self, made: Built, steps_max: int = STEPS_MAX) -> None:
        self._memory = WordsMemory(MachineWords())
        self._machine = Machine(
            made.functions, made.target, self._memory, made.data, steps_max=steps_max
        )
        self._target = made.target

    def outcome(self, call: Call) -> Outcome:
        """What a call does. Raises MachineFault."""
        returned, buffers = self.call(call)
        return Outcome.of(call, returned, buffers)

    def call(self, call: Call) -> tuple[int, list[np.ndarray]]:
        """The bits of what a call returns, and what its buffers hold then. Raises MachineFault."""
        places: dict[int, int] = {}
        for each in call.arguments:
            if isinstance(each, Buffer) and id(each) not in places:
                places[id(each)] = self._memory.given(each.words.tobytes(), each.offset)
        registers, stack = self._passed(call, places)
        with np.errstate(all="ignore"):
            self._machine.run(call.name, registers, stack)
        buffers: list[np.ndarray] = []
        for each in call.arguments:
            if isinstance(each, Buffer):
                content = self._memory.load(places[id(each)], each.words.nbytes)
                words = content.view(np.uint8).view(each.words.dtype)
                buffers.append(words.reshape(each.words.shape))
        for address in places.values():
            self._memory.free(address)
        return self._returned(call), buffers

    def _passed(self, call: Call, places: dict[int, int]) -> tuple[dict[Register, Any], list[int]]:
        """Where the convention has the arguments: in registers, and the rest on the stack."""
        convention, carrier = self._target.convention, self._memory.carrier
        left = {of: list(numbers) for of, numbers in convention.arguments.items()}
        registers: dict[Register, Any] = {}
        stack: list[int] = []
        for each in call.arguments:
            kind, bits = ("i64", places[id(each)]) if isinstance(each, Buffer) else word_of(each)
            of = "vec" if kind[0] == "f" else "gpr"
            if kind == "f32":
                bits |= (HIGH & 0xFFFF_FFFF) << 32
            if not left[of]:
                stack.append(bits)
            elif of == "gpr":
                registers[Register(of, left[of].pop(0))] = bits
            else:
                lanes = np.array([bits, HIGH], np.uint64)
                registers[Register(of, left[of].pop(0))] = carrier.of_integers(lanes)
        return registers, stack

    def _returned(self, call: Call) -> int:
        if call.returns is None:
            return 0
        of = "vec" if call.returns[0] == "f" else "gpr"
        held = self._machine.registers[of][self._target.convention.results[of][0]]
        if of == "gpr":
            return held
        carrier = self._memory.carrier
        return int(carrier.integers(carrier.resized(held, 8), 64)[0])


def differences(
    module: ModuleOp,
    calls: Sequence[Call],
    targets: Sequence[Machinery] = TARGETS,
    change: Change | None = None,
    seconds: float = SECONDS_MAX,
) -> Iterator[str]:
    """What each execution does otherwise than the interpreter, by call.

    Raises what compiling raises, CallFailed and ToolFailure.
    """
    wanted = interpreted(module, calls)
    for made in built(module, targets, change):
        name = made.machinery.name
        rows = Rows(made)
        for call, outcome in zip(calls, wanted, strict=True):
            yield from _compared(f"{name} by rows", call, outcome, _by_rows(rows, call))
        with Caller(made.text, made.machinery.machine) as caller:
            results = caller.call(calls, seconds)
        for call, outcome, result in zip(calls, wanted, results, strict=True):
            found = Outcome.of(call, result.bits or 0, result.buffers)
            yield from _compared(name, call, outcome, found)


def _by_rows(rows: Rows, call: Call) -> Outcome | str:
    """The outcome, or why there is none."""
    try:
        return rows.outcome(call)
    except Exception as error:  # a fault is a finding, whatever its class
        notes = "; ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {error} {notes}"


def _compared(name: str, call: Call, wanted: Outcome, found: Outcome | str) -> Iterator[str]:
    if isinstance(found, str):
        yield f"@{call.name} {name}: {found}"
        return
    if found.returned != wanted.returned:
        yield f"@{call.name} {name}: returns {found.returned.hex()}, not {wanted.returned.hex()}"
    for number, (one, other) in enumerate(zip(wanted.buffers, found.buffers, strict=True)):
        if one != other:
            at = next(n for n in range(len(one)) if one[n] != other[n])
            yield (
                f"@{call.name} {name}: buffer {number}, byte {at}: "
                f"{other[at : at + 8].hex()}, not {one[at : at + 8].hex()}"
            )


def module_of(texts: Sequence[str]) -> ModuleOp:
    """A verified module of functions that are given as texts."""
    return read("".join(texts))
