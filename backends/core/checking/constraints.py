"""What an original instruction must be like, whatever the state: I1 and I3 to I9 of `checker`.

What depends on the state, I2, is left to the flow as the needs of a `Step`.

Entry: `Constraints`.
"""

from __future__ import annotations

from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.checking.operands import Form, Operand, Operands
from alpha.backends.core.checking.steps import ALL, Location, Made, Need, Step
from alpha.backends.core.checking.values import Values
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Function, Instruction
from alpha.backends.core.rows import Memory
from alpha.backends.core.target import Convention


class Constraints:
    """Makes a step of each instruction; `allowed` are the registers that may be allocated."""

    def __init__(
        self,
        function: Function,
        values: Values,
        operands: Operands,
        allowed: set[Location],
        convention: Convention,
    ) -> None:
        self._function, self._values, self._operands = function, values, operands
        self._allowed = allowed
        self._at, self._text = operands.locations.register, operands.locations.text
        widths = {of: operands.views[view].bytes for of, view in convention.kept_view.items()}
        self._kept = tuple(
            (self._at(of, number), widths[of])
            for of, numbers in convention.kept.items()
            for number in numbers
        )

    def step(self, want: Instruction, got: Placed, place: Place) -> Step:
        """The step of an instruction of the function. Raises AllocationError."""
        form, registers, count = self._operands.form(want), got.registers, len(want.defs)
        if len(registers) != count + len(want.uses):
            expected = f"{count + len(want.uses)} registers"
            raise AllocationError(place, "operands", expected, str(len(registers)))
        written, read = self._operands.written(want), self._operands.read(want)
        to = self._places(written, registers[:count], want.defs, place)
        of = self._places(read, registers[count:], want.uses, place)
        lost = self._operands.clobbers(want)
        self._check_defs(form, written, to, of, lost, place)
        if want.extras:
            self._check_addresses(want, place)
        step = Step(place.instruction, self._needs(want, read, of), lost=lost)
        if want.row.role == "call":
            step.kept = self._kept
        if form.commuting is not None:
            a, b = form.commuting
            of[a], of[b] = of[b], of[a]
            step.exchanged = self._needs(want, read, of)
        names = self._values.names
        step.made = tuple(
            [
                Made(to[at], names[value], ALL if written[at].zeroes else written[at].bytes)
                for at, value in enumerate(want.defs)
            ]
        )
        return step

    def _needs(
        self, want: Instruction, read: list[Operand], of: list[Location]
    ) -> tuple[Need, ...]:
        names, uses = self._values.names, want.uses
        return tuple(
            [
                Need(location, names[uses[at]], read[at].bytes, uses[at])
                for at, location in enumerate(of)
            ]
        )

    def _places(
        self, operands: list[Operand], numbers: tuple[int, ...], values: list[int], place: Place
    ) -> list[Location]:
        """I1, I4, I5."""
        found: list[Location] = []
        for (of, _, fixed, _), number, value in zip(operands, numbers, values, strict=True):
            own = self._function.views[value].of.name
            if own != of:
                raise AllocationError(place, f"%{value}", f"a value of class {of}", own)
            location = self._at(of, number)
            if fixed is None:
                if location not in self._allowed:
                    found_text = self._text(location)
                    raise AllocationError(place, f"%{value}", "a register to allocate", found_text)
            elif number != fixed:
                fixed_text = self._text(self._at(of, fixed))
                raise AllocationError(place, f"%{value}", fixed_text, self._text(location))
            found.append(location)
        return found

    def _check_defs(
        self,
        form: Form,
        written: list[Operand],
        to: list[Location],
        of: list[Location],
        lost: tuple[Location, ...],
        place: Place,
    ) -> None:
        """I3, I6, I7, I8."""
        for at, use in form.tied:
            if to[at] != of[use]:
                raise AllocationError(place, f"def {at}", self._text(of[use]), self._text(to[at]))
        if len(to) > 1 and len(set(to)) != len(to):
            found = ", ".join(map(self._text, to))
            raise AllocationError(place, "defs", "different registers", found)
        for at in form.early:
            ties = {use for each, use in form.tied if each == at}
            for use, location in enumerate(of):
                if location == to[at] and use not in ties:
                    expected = f"no use beside the early def {at}"
                    raise AllocationError(place, self._text(location), expected, f"use {use}")
        if lost:
            for operand, location in zip(written, to, strict=True):
                if operand.fixed is None and location in lost:
                    text = self._text(location)
                    raise AllocationError(place, text, "no clobber of what is written", "one")

    def _check_addresses(self, want: Instruction, place: Place) -> None:
        """I9."""
        for extra in want.extras:
            if not isinstance(extra, Address) or extra.area not in ("slot", "out"):
                continue
            room = self._function.bytes_out
            if extra.area == "slot":
                slots = self._function.slots
                if not 0 <= extra.number < len(slots):
                    expected = f"one of the function's {len(slots)} slots"
                    raise AllocationError(place, "address", expected, f"slot {extra.number}")
                room = slots[extra.number].bytes
            memory = want.row.memory
            width = memory.kind.bytes if memory and isinstance(memory.kind, Memory) else 0
            if memory and memory.partial:
                width = 1  # only lanes that a mask names, and those aren't known here
            if not extra.registers and not 0 <= extra.offset <= room - width:
                expected = f"within {room} bytes of {extra.area} {extra.number}"
                found = f"{width} bytes at {extra.offset}"
                raise AllocationError(place, "address", expected, found)
