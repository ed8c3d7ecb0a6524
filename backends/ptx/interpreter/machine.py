"""Some whole blocks of a launch, run at once: a lane a thread, an array a register.

Threads that are at one instruction run it together. Where they part, those at the lowest
instruction run first, so that they meet again; in the order `backward`, those at the highest. At a
barrier a thread waits for its block, at a shuffle for its warp.

Invariant: a register that isn't wholly defined has a mask, so a lane never reads what it hasn't
    written. An array that a register holds is never written to, since others may hold it too.
Entry: `Chunk`, `Launch`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.core.rows import Memory
from alpha.backends.ptx.interpreter.faults import BadAccess, Fault, Thread
from alpha.backends.ptx.interpreter.lanes import WARP, LaneWords
from alpha.backends.ptx.interpreter.memory import Accesses, Region, Space
from alpha.backends.ptx.interpreter.programs import Held, Instruction, Kernel, Operand, Place
from alpha.backends.ptx.interpreter.races import EPOCH, access

Lanes = np.ndarray
Chosen = np.ndarray | None
"""Some lanes by their numbers, in order, or all of them."""

KINDS: Mapping[str, np.dtype] = MappingProxyType(
    {
        "p": np.dtype(np.bool_),
        "w": np.dtype(np.uint32),
        "x": np.dtype(np.uint64),
        "s": np.dtype(np.float32),
        "d": np.dtype(np.float64),
    }
)
"""What holds the words of a view."""


@dataclass(frozen=True)
class Launch:
    """What all blocks of a launch share; `addresses` are those of variables by name.

    `shared` has the address of each variable that blocks have for themselves. `steps` is how many
    instructions a chunk may run.
    """

    kernel: Kernel
    blocks: int
    threads: int
    arguments: tuple[int, ...]
    memory: Space
    addresses: Mapping[str, int]
    backward: bool
    steps: int


class Chunk:
    """The threads of some blocks, whose numbers are in `blocks`."""

    def __init__(self, launch: Launch, blocks: Lanes) -> None:
        self._launch = launch
        self._kernel = launch.kernel
        self._instructions = launch.kernel.instructions
        threads = launch.threads
        self._count = len(blocks) * threads
        self._thread = np.tile(np.arange(threads, dtype=np.uint32), len(blocks))
        self._block = np.repeat(blocks.astype(np.uint32), threads)
        self._copy = np.repeat(np.arange(len(blocks)), threads)
        warps = (threads + WARP - 1) // WARP
        self._warp = self._copy * warps + self._thread // WARP
        self._accesses = access(self._block, self._thread)
        self._carrier = LaneWords(self._specials())
        self._shared = Space()
        for variable in launch.kernel.shared:
            start = launch.addresses[variable.name]
            self._shared.add(Region(start, variable.bytes, "race-shared", len(blocks)))
        self._words: list[Lanes | None] = [None] * len(launch.kernel.registers)
        self._defined: list[Lanes | None] = [None] * len(launch.kernel.registers)
        self._ready: dict[int, Chosen] = {0: None}
        self._waiting: dict[int, Chosen] = {}
        self._steps = 0

    def _specials(self) -> dict[str, Lanes]:
        def same(value: int) -> Lanes:
            return np.full(self._count, value, np.uint32)

        return {
            "%tid.x": self._thread,
            "%ntid.x": same(self._launch.threads),
            "%ctaid.x": self._block,
            "%nctaid.x": same(self._launch.blocks),
            "%laneid": self._thread % np.uint32(WARP),
        }

    def run(self) -> None:
        """Run all threads to their end. Raises Fault."""
        first = max if self._launch.backward else min
        while self._ready:
            at = first(self._ready)
            self._advance(at, self._ready.pop(at))
        if self._waiting:
            at = min(self._waiting)
            self._stuck(self._instructions[at], self._waiting[at])

    # Where threads are.

    def _advance(self, at: int, lanes: Chosen) -> None:
        """Run these lanes until they part, wait, end, or others are to run."""
        while True:
            if self._ready and (at in self._ready or self._others_first(at)):
                self._put(self._ready, at, lanes)
                return
            instruction = self._instructions[at]
            self._steps += 1
            if self._steps > self._launch.steps:
                detail = f"more than {self._launch.steps} instructions"
                raise self._fault("step-limit", instruction, lanes, 0, detail)
            row = instruction.row
            if row.role == "jump":
                assert instruction.target is not None
                at = instruction.target
            elif row.role == "branch":
                taken = self._taken(instruction, lanes)
                if taken.all():
                    assert instruction.target is not None
                    at = instruction.target
                elif not taken.any():
                    at += 1
                else:
                    self._part(instruction, at + 1, lanes, taken)
                    return
            elif row.role == "return":
                remaining = self._returned(instruction, lanes)
                if remaining is not None and not len(remaining):
                    return
                lanes, at = remaining, at + 1
            elif row.name == "barrier" or row.name.startswith("shuffle"):
                together = self._together(at, row.name == "barrier", lanes)
                if together is not None and not len(together):
                    return
                lanes = together
                if row.name == "barrier":
                    self._pass_barrier(lanes)
                else:
                    self._plain(instruction, lanes)
                at += 1
            else:
                self._guarded(instruction, lanes)
                at += 1

    def _others_first(self, at: int) -> bool:
        return max(self._ready) > at if self._launch.backward else min(self._ready) < at

    def _put(self, groups: dict[int, Chosen], at: int, lanes: Chosen) -> None:
        """Lanes come to where others may be already."""
        if at in groups:
            others = groups[at]
            assert lanes is not None and others is not None, "a lane is in one place"
            lanes = np.sort(np.concatenate([lanes, others]))
            if len(lanes) == self._count:
                lanes = None
        groups[at] = lanes

    def _numbers(self, lanes: Chosen) -> Lanes:
        return np.arange(self._count) if lanes is None else lanes

    def _part(self, instruction: Instruction, behind: int, lanes: Chosen, taken: Lanes) -> None:
        assert instruction.target is not None
        numbers = self._numbers(lanes)
        self._put(self._ready, instruction.target, numbers[taken])
        self._put(self._ready, behind, numbers[~taken])

    def _returned(self, instruction: Instruction, lanes: Chosen) -> Chosen:
        """The lanes that don't return."""
        if instruction.guard is None:
            return np.zeros(0, np.int64)
        ending = self._holding(instruction, lanes)
        if not ending.any():
            return lanes
        return self._numbers(lanes)[~ending]

    def _together(self, at: int, whole_block: bool, lanes: Chosen) -> Chosen:
        """The lanes whose block or warp has wholly arrived; the others wait."""
        if at in self._waiting:
            self._put(self._waiting, at, lanes)
            lanes = self._waiting.pop(at)
        if lanes is None and (whole_block or self._launch.threads % WARP == 0):
            return None
        numbers = self._numbers(lanes)
        of, wanted = (self._copy, self._launch.threads) if whole_block else (self._warp, WARP)
        arrived = np.bincount(of[numbers])[of[numbers]] == wanted
        if arrived.all():
            return lanes
        self._waiting[at] = numbers[~arrived]
        return numbers[arrived]

    def _pass_barrier(self, lanes: Chosen) -> None:
        self._accesses = self._accesses.copy()
        self._accesses[slice(None) if lanes is None else lanes] += EPOCH

    def _stuck(self, instruction: Instruction, lanes: Chosen) -> None:
        """Raise that threads wait for others that don't come."""
        lane = int(self._numbers(lanes)[0])
        barrier = instruction.row.name == "barrier"
        of = self._copy if barrier else self._warp
        mates = set(np.flatnonzero(of == of[lane]).tolist())
        mates -= set(self._numbers(lanes).tolist())
        detail = "its warp has fewer threads than a shuffle needs"
        for at, others in self._waiting.items():
            elsewhere = mates & set(self._numbers(others).tolist())
            if elsewhere:
                other = self._who(min(elsewhere))
                detail = f"thread {other.thread} waits at line {self._instructions[at].line}"
                break
        else:
            if mates:
                detail = f"thread {self._who(min(mates)).thread} has returned"
        kind = "divergent-barrier" if barrier else "divergent-shuffle"
        raise self._fault(kind, instruction, lanes, 0, detail)

    # What instructions do.

    def _taken(self, instruction: Instruction, lanes: Chosen) -> Lanes:
        self._carrier.chosen = lanes
        operands = [self._value(each, instruction, lanes) for each in instruction.reads]
        return np.asarray(instruction.row.meaning(self._carrier, *operands))

    def _holding(self, instruction: Instruction, lanes: Chosen) -> Lanes:
        """Which lanes the instruction concerns, by its guard."""
        assert instruction.guard is not None
        truths = self._read(instruction.guard.number, instruction, lanes)
        return truths if instruction.guard.wanted else ~truths

    def _guarded(self, instruction: Instruction, lanes: Chosen) -> None:
        if instruction.guard is not None:
            holding = self._holding(instruction, lanes)
            if not holding.any():
                return
            if not holding.all():
                lanes = self._numbers(lanes)[holding]
        self._plain(instruction, lanes)

    def _plain(self, instruction: Instruction, lanes: Chosen) -> None:
        row = instruction.row
        self._carrier.chosen = lanes
        operands: list[Any] = []
        for slot, operand in zip(row.reads, instruction.reads, strict=True):
            if isinstance(slot.kind, Memory):
                operands.append(self._loaded(instruction, slot.kind.bytes, lanes))
            else:
                operands.append(self._value(operand, instruction, lanes))
        made = row.meaning(self._carrier, *operands)
        results = made if isinstance(made, tuple) else (made,)
        if row.writes and isinstance(row.writes[0].kind, Memory):
            self._store(instruction, lanes, results)
            return
        for operand, result in zip(instruction.writes, results, strict=True):
            assert isinstance(operand, Held)
            self._write(operand.number, lanes, result)

    def _value(self, operand: Operand, instruction: Instruction, lanes: Chosen) -> Any:
        if isinstance(operand, Held):
            return self._read(operand.number, instruction, lanes)
        return operand

    def _read(self, number: int, instruction: Instruction, lanes: Chosen) -> Lanes:
        words, defined = self._words[number], self._defined[number]
        if words is None:
            self._undefined(number, instruction, lanes, 0)
        assert words is not None
        if defined is not None:
            held = defined if lanes is None else defined[lanes]
            if not held.all():
                self._undefined(number, instruction, lanes, int(np.argmin(held)))
        return words if lanes is None else words[lanes]

    def _undefined(self, number: int, instruction: Instruction, lanes: Chosen, at: int) -> None:
        detail = f"{self._kernel.registers[number]} was never written"
        raise self._fault("uninitialized-register", instruction, lanes, at, detail)

    def _write(self, number: int, lanes: Chosen, value: Any) -> None:
        kind = KINDS[self._kernel.views[number]]
        value = np.asarray(value)
        if value.dtype != kind:
            raise TypeError(f"a meaning gives {value.dtype}, not {kind}")
        count = self._count if lanes is None else len(lanes)
        if value.shape != (count,):
            value = np.full(count, value)
        if lanes is None:
            self._words[number], self._defined[number] = value, None
            return
        before, defined = self._words[number], self._defined[number]
        if before is None:
            words, defined = np.zeros(self._count, kind), np.zeros(self._count, np.bool_)
        else:
            words = before.copy()
        words[lanes] = value
        if defined is not None:
            defined[lanes] = True
        self._words[number], self._defined[number] = words, defined

    # Memory.

    def _loaded(self, instruction: Instruction, bytes: int, lanes: Chosen) -> Any:
        """What the meaning of a load is given: words, or the address itself."""
        (place,) = (each for each in instruction.reads if isinstance(each, Place))
        count = self._count if lanes is None else len(lanes)
        if bytes == 0:
            return np.full(count, self._launch.addresses[place.symbol], np.uint64)
        views = [self._kernel.views[each.number] for each in _held(instruction.writes)]
        kind = KINDS[views[0]]
        space = _space(instruction)
        if space == "param":
            return self._parameter(instruction, place, kind, lanes)
        accesses = self._addressed(place, instruction, lanes)
        words = self._touch(
            instruction, lanes, lambda: self._of(space).load(accesses, kind, len(views))
        )
        return words[0] if len(words) == 1 else tuple(words)

    def _parameter(
        self, instruction: Instruction, place: Place, kind: np.dtype, lanes: Chosen
    ) -> Lanes:
        if place.offset % kind.itemsize:
            detail = f"an offset of {place.offset} in a parameter"
            raise self._fault("misaligned", instruction, lanes, 0, detail)
        if not 0 <= place.offset <= 8 - kind.itemsize:
            detail = f"an offset of {place.offset} in a parameter of 8 bytes"
            raise self._fault("out-of-bounds", instruction, lanes, 0, detail)
        number = self._kernel.parameters.index(place.symbol)
        words = np.array([self._launch.arguments[number]], np.uint64).view(kind)
        count = self._count if lanes is None else len(lanes)
        return np.full(count, words[place.offset // kind.itemsize])

    def _store(self, instruction: Instruction, lanes: Chosen, words: tuple[Lanes, ...]) -> None:
        (place,) = (each for each in instruction.writes if isinstance(each, Place))
        accesses = self._addressed(place, instruction, lanes)
        space = self._of(_space(instruction))
        self._touch(instruction, lanes, lambda: space.store(accesses, words))

    def _of(self, space: str) -> Space:
        return self._shared if space == "shared" else self._launch.memory

    def _addressed(self, place: Place, instruction: Instruction, lanes: Chosen) -> Accesses:
        if place.register is None:
            count = self._count if lanes is None else len(lanes)
            start = np.full(count, self._launch.addresses[place.symbol], np.uint64)
        else:
            start = self._read(place.register, instruction, lanes)
        if place.offset:
            start = start + np.uint64(place.offset & ((1 << 64) - 1))
        copies = self._copy if _space(instruction) == "shared" else None
        if lanes is None:
            return Accesses(start, self._accesses, copies)
        return Accesses(start, self._accesses[lanes], None if copies is None else copies[lanes])

    def _touch(self, instruction: Instruction, lanes: Chosen, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except BadAccess as bad:
            raise self._fault(bad.kind, instruction, lanes, bad.at, bad.detail) from None

    def _who(self, lane: int) -> Thread:
        return Thread(int(self._block[lane]), int(self._thread[lane]))

    def _fault(
        self, kind: str, instruction: Instruction, lanes: Chosen, at: int, detail: str
    ) -> Fault:
        """The fault of one of these lanes, which is number `at` of them."""
        lane = at if lanes is None else int(lanes[at])
        return Fault(
            kind, instruction.line, instruction.text, self._kernel.name, self._who(lane), detail
        )


def _held(operands: tuple[Operand, ...]) -> list[Held]:
    return [each for each in operands if isinstance(each, Held)]


def _space(instruction: Instruction) -> str:
    return instruction.row.text.split(".")[1]
