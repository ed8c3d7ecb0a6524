"""A machine that runs a module of placed functions, before or after they have their frames.

Without frames, every activation of a function has its slots and outgoing arguments in buffers of
their own, and the registers that it has to keep are put back for it. With frames, all of that is
the code's own doing on a stack, and it is a fault if a function returns with another stack pointer,
or without a register that it has to keep.

Invariant: what is unknown at the beginning, or lost on the way, is junk that no right code reads.
Entry: `Machine`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from alpha.backends.core.carriers import MachineCarrier
from alpha.backends.core.interpreter.compiling import (
    RETURNED,
    CompiledBlock,
    Surroundings,
    compiled,
)
from alpha.backends.core.interpreter.faults import MachineFault
from alpha.backends.core.interpreter.memory import Memory
from alpha.backends.core.names import literal_content
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.printing import Data
from alpha.backends.core.registers import Register
from alpha.backends.core.target import Target

STEPS_MAX = 50_000_000
"""Instructions of one run."""

STACK_BYTES = 1 << 20

DEPTH_MAX = 100
"""Calls within calls."""

_JUNK = 0xA5A5_A5A5_A5A5_A500
_WORD = 8


class Machine:
    """Registers, memory and the functions of a module.

    `registers` has, for each class, the contents of its registers: an integer for a general one,
    what the carrier makes of it for others. Raises ValueError of a function that has no frame
    though `framed` says so.
    """

    def __init__(
        self,
        functions: Iterable[PlacedFunction],
        target: Target,
        memory: Memory,
        data: Iterable[Data] = (),
        framed: bool = True,
        steps_max: int = STEPS_MAX,
    ) -> None:
        self.target, self.memory = target, memory
        self.carrier: MachineCarrier = memory.carrier
        self._functions = {function.name: function for function in functions}
        self._framed, self._steps_max = framed, steps_max
        for function in self._functions.values():
            if framed and (function.slots or function.bytes_out):
                raise ValueError(f"{function.name} has no frame yet")
        self._symbols: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._blocks: dict[str, list[CompiledBlock]] = {}
        self._origins: dict[Any, tuple[str, int, Mapping[int, int]]] = {}
        self.steps = 0
        self._depth = 0
        self._junk = self._unknown()
        self.registers = {
            each.name: [self._junk[each.name] for _ in range(each.count)] for each in target.classes
        }
        for each in data:
            self._symbols[each.name] = self._place(each)
        self._stack = memory.allocate(STACK_BYTES)
        self._around = Surroundings(
            target, self.carrier, memory, self.symbol, self._call, _stopped, self._junk
        )

    def _unknown(self) -> dict[str, Any]:
        """Junk for each class: integers for those as wide as a general register, else vectors."""
        general = self.target.convention.stack_pointer.of
        views = self.target.views.values()
        width = max(view.bytes for view in views if view.of.name == general)
        found: dict[str, Any] = {}
        for of in self.target.classes:
            bytes = max(view.bytes for view in views if view.of == of)
            found[of.name] = _JUNK if bytes <= width else self.carrier.unknown(bytes)
        return found

    def _place(self, data: Data) -> int:
        content = bytes(data.size) if data.content is None else data.content
        return self.memory.given(content) if data.writable else self.memory.constant(content)

    def symbol(self, name: str) -> int:
        """The address of a function, of data or of a literal. Raises MachineFault without one."""
        if name not in self._symbols:
            content = literal_content(name)
            if content is not None:
                self._symbols[name] = self.memory.constant(content)
            elif name in self._functions:
                self._symbols[name] = self.memory.allocate(0)
                self._names[self._symbols[name]] = name
            else:
                raise MachineFault(f"nothing is called {name}")
        return self._symbols[name]

    def run(
        self,
        name: str,
        registers: Mapping[Register, Any] | None = None,
        stack: Sequence[int] = (),
    ) -> None:
        """Call a function, with these contents of registers and 8 bytes each on the stack.

        Raises MachineFault, NotModelled, or Trap, with notes that say where.
        """
        convention = self.target.convention
        self.steps = 0
        for register, value in (registers or {}).items():
            self.registers[register.of][register.number] = value
        bytes = _WORD * len(stack)
        top = self._stack + STACK_BYTES - bytes
        top -= top % convention.alignment
        for at, value in enumerate(stack):
            self.memory.put_integer(top + _WORD * at, value)
        self._pointer(top)
        self._call(self.symbol(name), top)

    def _pointer(self, value: int | None = None) -> int:
        """The stack pointer, set first if a value is given."""
        of, number = self.target.convention.stack_pointer
        if value is not None:
            self.registers[of][number] = value
        return self.registers[of][number]

    def _call(self, address: int, arguments: int | None) -> None:
        """Run a function until it returns. Its arguments on the stack begin where that is said."""
        name = self._names.get(address)
        if name is None:
            raise MachineFault(f"a call of 0x{address:x}, where there is no function")
        if self._depth == DEPTH_MAX:
            raise MachineFault(f"more than {DEPTH_MAX} calls within calls")
        self._depth += 1
        try:
            kept = self._kept()
            before = self._pointer()
            if self._framed:
                if before % self.target.convention.alignment:
                    raise MachineFault(f"{name} is called with the stack pointer at 0x{before:x}")
                self._pointer(before - self.target.convention.bytes_at_entry)
                self._activate(name, [], None, None)
                self._pointer(self._pointer() + self.target.convention.bytes_at_entry)
                self._check_kept(name, before, kept)
            else:
                self._run_unframed(name, before if arguments is None else arguments)
                self._put_back(kept)
        finally:
            self._depth -= 1

    def _run_unframed(self, name: str, arguments: int) -> None:
        function = self._functions[name]
        slots = [self.memory.allocate(slot.bytes) for slot in function.slots]
        out = self.memory.allocate(function.bytes_out)
        self._activate(name, slots, out, arguments)
        for address in (*slots, out):
            self.memory.free(address)

    def _activate(
        self, name: str, slots: list[int], out: int | None, arguments: int | None
    ) -> None:
        """Run the blocks of a function until it returns."""
        blocks = self._blocks.get(name)
        if blocks is None:
            blocks = self._blocks[name] = compiled(self._functions[name], self._around)
            for number, block in enumerate(blocks):
                self._origins[block.code] = name, number, block.lines
        registers = tuple(self.registers.values())
        number = 0
        try:
            while number != RETURNED:
                block = blocks[number]
                self.steps += block.instructions
                if self.steps > self._steps_max:
                    raise MachineFault(f"more than {self._steps_max} steps")
                number = block.run(*registers, slots, out, arguments)
        except Exception as error:
            error.add_note(f"in {self._where(error, name, number)}")
            raise

    def _where(self, error: Exception, name: str, block: int) -> str:
        """The place of an instruction, from the innermost line of a block in the traceback."""
        place = f"{name}, block {block}"
        trace = error.__traceback__
        while trace is not None:
            origin = self._origins.get(trace.tb_frame.f_code)
            if origin is not None and origin[0] == name:
                at = origin[2].get(trace.tb_lineno, 0)
                step = self._functions[name].blocks[origin[1]].instructions[at]
                place = f"{name}, block {origin[1]}, instruction {at}: {step.instruction.row.name}"
                break
            trace = trace.tb_next
        return place

    # Registers that are kept

    def _kept(self) -> list[Any]:
        """What kept registers hold, as far as they are kept."""
        convention, carrier = self.target.convention, self.carrier
        found: list[Any] = []
        for of, numbers in convention.kept.items():
            width = self.target.views[convention.kept_view[of]].bytes
            for number in numbers:
                held = self.registers[of][number]
                found.append(held if isinstance(held, int) else carrier.resized(held, width))
        return found

    def _check_kept(self, name: str, pointer: int, kept: list[Any]) -> None:
        if self._pointer() != pointer:
            moved = self._pointer() - pointer
            raise MachineFault(f"{name} returns with the stack pointer {moved:+} bytes off")
        places = [(of, n) for of, numbers in self.target.convention.kept.items() for n in numbers]
        for (of, number), before, after in zip(places, kept, self._kept(), strict=True):
            if before is after:
                continue
            same = before == after if isinstance(before, int) else _same(before, after)
            if not same:
                raise MachineFault(f"{name} doesn't keep register {number} of class {of}")

    def _put_back(self, kept: list[Any]) -> None:
        values = iter(kept)
        for of, numbers in self.target.convention.kept.items():
            for number in numbers:
                self.registers[of][number] = next(values)


def _same(a: Any, b: Any) -> bool:
    """Whether two vectors hold the same, bit for bit."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.tobytes() == b.tobytes()
    return a == b


def _stopped() -> None:
    raise MachineFault("goes on behind its end")
