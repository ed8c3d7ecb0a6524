"""What a function does, with hashes for the meanings of its rows: before and after allocation.

An instruction gives a hash of its row, its extras and what it reads, so two executions that read
anything different do something different from there on. Memory is a hash of how much has happened.
What is told is every store, call, branch and return with what it reads. Which way a branch goes is
decided by what it reads and by a schedule, so that every way is taken.

A placed function runs on registers and slots that hold junk until they are written. It reads what
the text would make the processor read: a tied use is read from the register of its def, a fixed
operand from its register, an early def is overwritten before anything is read.

Why: it knows nothing of the checker's reasons, so it says which wrong allocations matter.
Entry: `Oracle`, `Fault`.
"""

from __future__ import annotations

from random import Random
from zlib import crc32

from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Function, Instruction
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory
from alpha.backends.core.target import Target

Event = tuple[int, ...]
Trace = list[Event]

STEPS_MAX = 50
"""Blocks that are run."""


class Fault(Exception):
    """A placed function names something that isn't there."""


def _mixed(key: tuple[int, ...], bytes: int) -> int:
    """So many pseudorandom bytes that depend on the key alone."""
    word = hash(key) & 0xFFFF_FFFF_FFFF_FFFF
    if bytes > 8:
        word |= _mixed((*key, 1), bytes - 8) << 64
    return word & ((1 << 8 * bytes) - 1)


def _low(value: int, bytes: int) -> int:
    return value & ((1 << 8 * bytes) - 1)


class _Shape:
    """What has to be known of an instruction many times."""

    def __init__(self, instruction: Instruction, views: list[View], pointer: int) -> None:
        row = instruction.row
        self.key = crc32(repr((row.name, instruction.extras)).encode())
        self.uses = [views[value].bytes for value in instruction.uses]
        self.use_classes = [views[value].of.name for value in instruction.uses]
        self.fixed_uses: list[int | None] = [None] * len(self.uses)
        places: dict[str, int] = {}
        for slot, at, number in instruction.read_slots():
            places[slot.name] = at
            for register in range(at, at + number):
                self.uses[register] = slot.kind.bytes if isinstance(slot.kind, View) else pointer
                if isinstance(slot.kind, View) and slot.fixed is not None:
                    self.fixed_uses[register] = slot.kind.number(slot.fixed)
        self.defs = [views[value].bytes for value in instruction.defs]
        self.def_classes = [views[value].of.name for value in instruction.defs]
        self.fixed_defs: list[int | None] = [None] * len(self.defs)
        for at, slot in enumerate(row.defs):
            assert isinstance(slot.kind, View)
            self.defs[at] = slot.kind.bytes
            if slot.fixed is not None:
                self.fixed_defs[at] = slot.kind.number(slot.fixed)
        for fixed, of in (
            (self.fixed_uses, instruction.fixed_uses),
            (self.fixed_defs, instruction.fixed_defs),
        ):
            for at, number in enumerate(of):
                if fixed[at] is None:
                    fixed[at] = number
        self.whole = len(row.defs)
        self.tied = [(d, u) for d, u in instruction.tied()]
        self.early = [at for at, slot in enumerate(row.defs) if slot.early and not slot.tied]
        self.early_tied = [at for at, slot in enumerate(row.defs) if slot.early and slot.tied]
        self.commuting: tuple[int, int] | None = None
        if row.commutes is not None and all(row.slot(name).is_register for name in row.commutes):
            self.commuting = places[row.commutes[0]], places[row.commutes[1]]
        self.told = (
            row.role in ("call", "return", "stop", "branch")
            or bool(instruction.edges)
            or any(isinstance(slot.kind, Memory) for slot in row.writes)
        )
        memory = row.memory
        self.reads_memory = memory is not None and memory in row.reads and row.role != "constant"

    def operands(self, values: list[int]) -> tuple[int, ...]:
        """What is read, in an order that doesn't tell operands that commute."""
        if self.commuting is not None:
            a, b = self.commuting
            if values[a] > values[b]:
                values[a], values[b] = values[b], values[a]
        return tuple(values)


class Oracle:
    """The shapes of a function's instructions, made once for many executions."""

    def __init__(self, function: Function, target: Target) -> None:
        self.function, self.target = function, target
        general = target.convention.stack_pointer.of
        self._pointer = max(v.bytes for v in target.views.values() if v.of.name == general)
        self._shapes: dict[int, _Shape] = {}
        self._held: list[Instruction] = []
        self._widths = {
            of.name: max(v.bytes for v in target.views.values() if v.of == of)
            for of in target.classes
        }

    def _shape(self, instruction: Instruction) -> _Shape:
        shape = self._shapes.get(id(instruction))
        if shape is None:
            shape = _Shape(instruction, self.function.views, self._pointer)
            self._shapes[id(instruction)] = shape
            self._held.append(instruction)  # so that no other one gets its id
        return shape

    def trace_of_values(self, seed: int) -> Trace:
        """What the function does before allocation."""
        function, views = self.function, self.function.views
        trace: Trace = []
        values: dict[int, int] = {}
        for at, value in enumerate(function.blocks[0].parameters):
            values[value] = _mixed((seed, at), views[value].bytes)
        number = 0
        for turn in range(STEPS_MAX):
            block = function.blocks[number]
            key = 0
            for instruction in block.instructions:
                shape = self._shape(instruction)
                read = [
                    _low(values[value], bytes)
                    for value, bytes in zip(instruction.uses, shape.uses, strict=True)
                ]
                key = self._happens(shape, shape.operands(read), trace, seed)
                for at, value in enumerate(instruction.defs):
                    values[value] = _mixed((key, at), shape.defs[at])
            edges = block.edges
            if not edges:
                break
            edge = edges[_taken(key, seed, turn, len(edges))]
            parameters = function.blocks[edge.block].parameters
            brought = [values[argument] for argument in edge.arguments]
            values.update(zip(parameters, brought, strict=True))
            number = edge.block
        return trace

    @staticmethod
    def _happens(shape: _Shape, read: tuple[int, ...], trace: Trace, seed: int) -> int:
        """Tell what an instruction does; gives what its results depend on."""
        if shape.told:
            trace.append((shape.key, *read))
            return hash((shape.key, len(trace), seed, *read))
        if shape.reads_memory:
            return hash((shape.key, len(trace), *read))
        return hash((shape.key, *read))

    def trace_of_registers(
        self, placed: PlacedFunction, seed: int, expected: Trace | None = None
    ) -> Trace:
        """What it does after allocation; no more than the first block that isn't as expected.

        Raises Fault.
        """
        machine = _Machine(self._widths, Random(seed), len(placed.slots))
        views = self.function.views
        trace: Trace = []
        arrivals = zip(self.function.blocks[0].parameters, self.function.arrivals, strict=True)
        for at, (value, register) in enumerate(arrivals):
            bytes = views[value].bytes
            machine.put(register.of, register.number, _mixed((seed, at), bytes), bytes, False)
        number, turn = 0, 0
        while turn < STEPS_MAX:
            block = placed.blocks[number]
            key, told = 0, len(trace)
            for step in block.instructions:
                if step.kind == "original":
                    key = self._original(step, machine, trace, seed)
                else:
                    self._inserted(step, machine)
            if not block.targets or (expected and trace[told:] != expected[told : len(trace)]):
                break
            if block.source is None:
                number = block.targets[0]
            else:
                number = block.targets[_taken(key, seed, turn, len(block.targets))]
                turn += 1
        return trace

    def _original(self, step: Placed, machine: _Machine, trace: Trace, seed: int) -> int:
        instruction = step.instruction
        shape = self._shape(instruction)
        count = len(instruction.defs)
        to, of = list(step.registers[:count]), list(step.registers[count:])
        for at, number in enumerate(shape.fixed_defs):
            to[at] = to[at] if number is None else number
        for at, number in enumerate(shape.fixed_uses):
            of[at] = of[at] if number is None else number
        for at, use in shape.tied:
            of[use] = to[at]
        early = {(shape.def_classes[at], to[at]) for at in shape.early}
        own = {use for at, use in shape.tied if at in shape.early_tied}
        spoiled = {(shape.def_classes[at], to[at]) for at in shape.early_tied}
        read: list[int] = []
        for at, (name, number, bytes) in enumerate(
            zip(shape.use_classes, of, shape.uses, strict=True)
        ):
            if (name, number) in early or ((name, number) in spoiled and at not in own):
                read.append(machine.random.getrandbits(8 * bytes))
            else:
                read.append(machine.get(name, number, bytes))
        key = self._happens(shape, shape.operands(read), trace, seed)
        if instruction.row.role == "call":
            machine.call(self.target)
        for free in (True, False):  # what isn't fixed is lost if it is clobbered too
            for at, name in enumerate(shape.def_classes):
                if (shape.fixed_defs[at] is None) == free:
                    bytes = shape.defs[at]
                    machine.put(name, to[at], _mixed((key, at), bytes), bytes, at < shape.whole)
            if free:
                for register in instruction.row.clobbers + instruction.clobbers:
                    machine.spoil(register.of, register.number)
        return key

    def _inserted(self, step: Placed, machine: _Machine) -> None:
        registers, row = step.registers, step.instruction.row
        kinds = [slot.kind for slot in row.slots if isinstance(slot.kind, View)]
        names, widths = [kind.of.name for kind in kinds], [kind.bytes for kind in kinds]
        match step.kind:
            case "move":
                moved = machine.get(names[1], registers[1], widths[1])
                machine.put(names[0], registers[0], moved, widths[0], True)
            case "swap":
                a = machine.get(names[2], registers[2], widths[2])
                b = machine.get(names[3], registers[3], widths[3])
                machine.put(names[0], registers[0], b, widths[0], True)
                machine.put(names[1], registers[1], a, widths[1], True)
            case "store":
                slot, bytes = _spilled(step)
                machine.store(slot, machine.get(names[0], registers[0], bytes), bytes)
            case "load":
                loaded = machine.load(*_spilled(step))
                machine.put(names[0], registers[0], loaded, widths[0], True)
            case "again":
                key = hash((crc32(repr((row.name, step.instruction.extras)).encode()),))
                machine.put(names[0], registers[0], _mixed((key, 0), widths[0]), widths[0], True)


def _spilled(step: Placed) -> tuple[int, int]:
    """The slot of a load or store, and how many bytes."""
    address, memory = step.instruction.extras[0], step.instruction.row.memory
    assert isinstance(address, Address) and memory and isinstance(memory.kind, Memory)
    return address.number, memory.kind.bytes


def _taken(key: int, seed: int, turn: int, ways: int) -> int:
    """Which way is taken, by what the branch read and by the schedule of this execution."""
    return hash((key, seed, turn)) % ways


class _Machine:
    """Registers and slots as integers; what was never written is junk."""

    def __init__(self, widths: dict[str, int], random: Random, slots: int) -> None:
        self.random = random
        self._widths = widths
        self._registers: dict[tuple[str, int], int] = {}
        self._slots: dict[int, int] = {}
        self._count = slots

    def get(self, of: str, number: int, bytes: int) -> int:
        """The low bytes of a register."""
        held = self._registers.get((of, number))
        if held is None:
            held = self.spoil(of, number)
        return _low(held, bytes)

    def put(self, of: str, number: int, value: int, bytes: int, zeroes: bool) -> None:
        """Write the low bytes of a register; the others become zero, or junk."""
        value = _low(value, bytes)
        if not zeroes:
            value |= self.random.getrandbits(8 * self._widths[of]) >> 8 * bytes << 8 * bytes
        self._registers[of, number] = value

    def spoil(self, of: str, number: int) -> int:
        """Put junk into a register."""
        junk = self.random.getrandbits(8 * self._widths[of])
        self._registers[of, number] = junk
        return junk

    def call(self, target: Target) -> None:
        """Spoil what kept registers don't keep."""
        convention = target.convention
        for of, numbers in convention.kept.items():
            bytes = target.views[convention.kept_view[of]].bytes
            for number in numbers:
                self.put(of, number, self.get(of, number, bytes), bytes, False)

    def store(self, slot: int, value: int, bytes: int) -> None:
        """Write the low bytes of a slot."""
        self._slots[slot] = self._slot(slot) >> 8 * bytes << 8 * bytes | _low(value, bytes)

    def load(self, slot: int, bytes: int) -> int:
        """Read the low bytes of a slot."""
        return _low(self._slot(slot), bytes)

    def _slot(self, slot: int) -> int:
        if not 0 <= slot < self._count:
            raise Fault(f"no slot {slot}")
        if slot not in self._slots:
            self._slots[slot] = self.random.getrandbits(512)
        return self._slots[slot]
