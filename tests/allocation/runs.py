"""Runs functions before and after allocation, and records what each instruction reads and writes.

What a toy instruction computes is a hash of its name, extras and operands. A placed function is run
on registers and slots that hold words with their widths; whatever is clobbered becomes junk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Function, Instruction
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import register
from alpha.backends.core.target import Target

Word = int
Event = tuple[str, tuple[object, ...], tuple[Word, ...], tuple[Word, ...]]
MASK = (1 << 61) - 1


def mixed(*parts: Any) -> Word:
    """A hash that is the same in every process."""
    found = 1469598103934665603
    for part in parts:
        for piece in part if isinstance(part, (tuple, list)) else (part,):
            if isinstance(piece, str):
                piece = int.from_bytes(piece.encode())
            found = (found * 1099511628211 + int(piece) + 12345) % MASK
            found ^= found >> 29
    return found


def computed(
    instruction: Instruction, words: Sequence[Word], memory: dict[int, Word]
) -> list[Word]:
    """The words that an instruction writes."""
    row = instruction.row
    slots = [each for each in instruction.extras if isinstance(each, Address)]
    if row.name == "poke":
        memory[slots[0].number] = words[-1]
        return []
    if row.name == "peek":
        return [memory.get(slots[0].number, 0)]
    words = list(words)
    if row.commutes is not None:
        first, second = (instruction.use_position(name) for name in row.commutes)
        if words[first] > words[second]:
            words[first], words[second] = words[second], words[first]
    extras = [each for each in instruction.extras if not isinstance(each, Address)]
    return [mixed(row.name, extras, words, at) for at in range(len(instruction.defs))]


def taken(instruction: Instruction, words: Sequence[Word], edges: int, step: int) -> int:
    """Which edge is taken: by a hash too, and of the time, so that loops end."""
    return mixed(words, step) % edges if edges else -1


def run_function(function: Function, arguments: Sequence[Word], steps: int) -> list[Event]:
    """What each instruction reads and writes, up to so many instructions."""
    values = dict(zip(function.blocks[0].parameters, arguments, strict=True))
    memory: dict[int, Word] = {}
    events: list[Event] = []
    block = function.blocks[0]
    while True:
        for instruction in block.instructions:
            words = tuple(values[each] for each in instruction.uses)
            made = computed(instruction, words, memory)
            values.update(zip(instruction.defs, made, strict=True))
            events.append(_event(instruction, words, made))
            if len(events) >= steps:
                return events
        edges = block.edges
        if not edges:
            return events
        last = block.instructions[-1]
        edge = edges[taken(last, events[-1][2], len(edges), len(events))]
        block = function.blocks[edge.block]
        brought = [values[each] for each in edge.arguments]
        values.update(zip(block.parameters, brought, strict=True))


def _event(instruction: Instruction, words: Sequence[Word], made: Sequence[Word]) -> Event:
    words = tuple(words)
    if instruction.row.commutes is not None:
        first, second = (instruction.use_position(name) for name in instruction.row.commutes)
        if words[first] > words[second]:
            swapped = list(words)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            words = tuple(swapped)
    extras = tuple(each for each in instruction.extras if not isinstance(each, Address))
    return instruction.row.name, extras, words, tuple(made)


def _fixed_by(
    instruction: Instruction, target: Target, views: Sequence[View]
) -> Iterator[Register]:
    for slot in instruction.row.slots:
        if slot.fixed is not None:
            yield register(target.views, slot.fixed)
    for values, numbers in (
        (instruction.uses, instruction.fixed_uses),
        (instruction.defs, instruction.fixed_defs),
    ):
        for at, number in enumerate(numbers):
            if number is not None:
                yield Register(views[values[at]].of.name, number)


class Machine:
    """Runs a placed function; asserts first that every constraint is met in all its blocks."""

    def __init__(
        self,
        function: Function,
        placed: PlacedFunction,
        target: Target,
        limits: Mapping[str, int] | None = None,
    ) -> None:
        self.function, self.placed, self.target = function, placed, target
        self.junk = (-each for each in count(1))
        self.registers: dict[Register, tuple[Word, int]] = {}
        self.slots: dict[int, tuple[Word, int]] = {}
        self.memory: dict[int, Word] = {}
        self.fixed: set[Register] = set()
        self.allowed = {
            Register(of, number)
            for of, numbers in target.convention.free.items()
            for number in numbers[: (limits or {}).get(of, len(numbers))]
        }
        for block in function.blocks:
            for each in block.instructions:
                self.fixed.update(_fixed_by(each, target, function.views))
        for each in (each for block in placed.blocks for each in block.instructions):
            if each.original:
                self._check(each)

    def run(self, arguments: Sequence[Word], steps: int) -> list[Event]:
        """The events of the original instructions."""
        parameters = self.function.blocks[0].parameters
        for place, value, word in zip(self.function.arrivals, parameters, arguments, strict=True):
            self.registers[place] = word, self.function.views[value].bytes
        events: list[Event] = []
        block, moves = self.placed.blocks[0], 0
        while True:
            for each in block.instructions:
                if not each.original:
                    self._other(each)
                    moves += 1
                    assert moves < 100 * (steps + 10), "moves for ever"
                    continue
                events.append(self._original(each))
                if len(events) >= steps:
                    return events
            if not block.targets:
                return events
            last = block.instructions[-1]
            at = 0
            if last.original:
                at = taken(last.instruction, events[-1][2], len(block.targets), len(events))
            else:
                assert last.kind == "jump" and len(block.targets) == 1
            block = self.placed.blocks[block.targets[at]]

    def _get(self, view: View, number: int) -> Word:
        word, bytes = self.registers.get(Register(view.of.name, number), (next(self.junk), 0))
        assert bytes >= view.bytes, f"{view.spelled[number]} holds {bytes} bytes"
        return word

    def _set(self, view: View, number: int, word: Word) -> None:
        self.registers[Register(view.of.name, number)] = word, view.bytes

    def _original(self, placed: Placed) -> Event:
        instruction, views = placed.instruction, self.function.views
        row = instruction.row
        words = [self._get(views[v], n) for v, n in zip(instruction.uses, placed.read, strict=True)]
        made = computed(instruction, words, self.memory)
        for place in (*row.clobbers, *instruction.clobbers):
            self.registers[place] = next(self.junk), 64
        if row.role == "call":
            convention = self.target.convention
            for of, numbers in convention.kept.items():
                whole = self.target.views[convention.kept_view[of]].bytes
                for place in (Register(of, number) for number in numbers):
                    if self.registers.get(place, (0, 0))[1] > whole:
                        self.registers[place] = next(self.junk), 64
        for value, number, word in zip(instruction.defs, placed.written, made, strict=True):
            self._set(views[value], number, word)
        return _event(instruction, words, made)

    def _check(self, placed: Placed) -> None:
        """Asserts that the operands of an original instruction are where they may be."""
        instruction, views = placed.instruction, self.function.views
        name, row = instruction.row.name, instruction.row
        uses = zip(instruction.uses, placed.read, strict=True)
        defs = zip(instruction.defs, placed.written, strict=True)
        places = [Register(views[value].of.name, number) for value, number in uses]
        results = [Register(views[value].of.name, number) for value, number in defs]
        clobbers = {*row.clobbers, *instruction.clobbers}
        fixed_uses, fixed_defs = self._fixed(instruction)
        for at, place in enumerate(places):
            wanted = fixed_uses.get(at)
            assert wanted in (None, place.number), f"{name}: use {at} isn't where it has to be"
            if wanted is None:
                assert place in self.allowed | self.fixed, f"{name}: use {at} in {place}"
                assert place not in clobbers, f"{name}: use {at} in a clobbered register"
        for at, place in enumerate(results):
            wanted = fixed_defs.get(at)
            assert wanted in (None, place.number), f"{name}: def {at} isn't where it has to be"
            if wanted is None:
                assert place in self.allowed, f"{name}: def {at} in {place}"
                assert place not in clobbers, f"{name}: def {at} in a clobbered register"
        assert len(set(results)) == len(results), f"{name}: two results in one register"
        tied = dict(instruction.tied())
        for at, use in tied.items():
            assert results[at] == places[use], f"{name}: tied operands are apart"
        for at, slot in enumerate(row.defs):
            if slot.early:
                others = [p for use, p in enumerate(places) if use != tied.get(at)]
                assert results[at] not in others, f"{name}: early result over an operand"

    def _fixed(self, instruction: Instruction) -> tuple[dict[int, int], dict[int, int]]:
        """The numbers of the registers that uses and defs have to be in, by position."""
        views = self.target.views
        uses = {at: n for at, n in enumerate(instruction.fixed_uses) if n is not None}
        defs = {at: n for at, n in enumerate(instruction.fixed_defs) if n is not None}
        for slot, at, _ in instruction.read_slots():
            if slot.fixed is not None:
                uses[at] = register(views, slot.fixed).number
        for at, slot in enumerate(instruction.row.defs):
            if slot.fixed is not None:
                defs[at] = register(views, slot.fixed).number
        for at, use in instruction.tied():
            if at in defs or use in uses:
                defs[at] = uses[use] = defs.get(at, uses.get(use, -1))
        return uses, defs

    def _other(self, placed: Placed) -> None:
        instruction, kind = placed.instruction, placed.kind
        row, moves = instruction.row, self.target.moves
        view = row.defs[0].kind if row.defs else None
        if kind == "jump":
            assert row.role == "jump"
            return
        if view is not None:
            assert isinstance(view, View)
            for number in placed.written:
                place = Register(view.of.name, number)
                assert place in self.allowed or place in self.fixed, f"{kind} to {number}"
        if kind == "again":
            assert row.role == "constant" and isinstance(view, View)
            self._set(view, placed.written[0], computed(instruction, (), self.memory)[0])
        elif kind == "move":
            assert row in moves.move.values() and isinstance(view, View)
            self._set(view, placed.written[0], self._get(view, placed.read[0]))
        elif kind == "swap":
            assert row in moves.swap.values() and isinstance(view, View)
            assert placed.written == placed.read and placed.read[0] != placed.read[1]
            one, other = (Register(view.of.name, number) for number in placed.read)
            registers = self.registers
            registers[one], registers[other] = registers[other], registers[one]
        else:
            self._memory(placed)

    def _memory(self, placed: Placed) -> None:
        """A store or a load of a spilled value."""
        instruction = placed.instruction
        address = instruction.extras[0]
        assert isinstance(address, Address) and address.area == "slot" and not address.registers
        assert address.number >= len(self.function.slots), "a slot of the function"
        slot = self.placed.slots[address.number]
        if placed.kind == "store":
            view = instruction.row.reads[0].kind
            assert isinstance(view, View) and view.bytes == slot.bytes
            self.slots[address.number] = self._get(view, placed.read[0]), view.bytes
        else:
            assert placed.kind == "load"
            view = instruction.row.defs[0].kind
            assert isinstance(view, View)
            word, bytes = self.slots.get(address.number, (next(self.junk), 0))
            assert bytes == view.bytes, "a load of what was never stored"
            self._set(view, placed.written[0], word)
