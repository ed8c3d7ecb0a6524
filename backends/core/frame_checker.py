"""The checker of frames: whether a function with a frame is what it was and keeps what it has to.

It runs behind `frames` and shares no code with it.

Places on the stack are counted in bytes from the stack pointer at entry, downwards negative.

**State.** The place s of the stack pointer; the kept registers that hold what they held at entry,
as far as the convention keeps them; the places that hold what a kept register held at entry.

**Meet.** s has to be the same on every way; the others are intersected.

**Steps.**
 K1. A step of the frame that moves the stack pointer adds to s.
 K2. A step of the frame that stores a register, which is as at entry, saves it at a place.
 K3. A step of the frame that loads a register from where it was saved makes it as at entry.
 K4. Every other step leaves registers as at entry that it neither writes nor clobbers.

**Required.**
 F1. Without the steps of the frame, the blocks have the steps of the placed function in order, in
     the same registers and with the same extras, but for addresses in the frame.
 F2. Such an address is based on the stack pointer. It reaches a slot at one place in the whole
     function, outgoing arguments at s, incoming ones at the bytes that the call itself put there.
 F3. The slots that are reached, the saved registers and the outgoing arguments don't overlap; they
     lie from s on and below the stack pointer at entry. Slots are aligned as they ask.
 F4. At a call, the stack pointer is a multiple of the convention's alignment.
 F5. At a return, s is 0 and all kept registers are as at entry.
 F6. Only the frame writes the stack pointer.

Invariant: as `checker`, and of what the caller has to find again.
Entry: `check_frame`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from alpha.backends.core.carriers import MachineWords
from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.placed import Placed, PlacedFunction
from alpha.backends.core.program import Address, Instruction
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Memory
from alpha.backends.core.target import Target


class _State(NamedTuple):
    pointer: int
    kept: frozenset[Register]
    saved: frozenset[tuple[int, Register]]


class _Part(NamedTuple):
    """A part of the frame that is used: where, how long, and what."""

    start: int
    bytes: int
    name: str


def check_frame(placed: PlacedFunction, framed: PlacedFunction, target: Target) -> None:
    """Check that `framed` is `placed` with a frame. Raises AllocationError."""
    if (placed.name, placed.exported) != (framed.name, framed.exported):
        raise AllocationError(Place(placed.name), "name", placed.name, framed.name)
    _Frame(placed, framed, target).check()


class _Frame:
    def __init__(self, placed: PlacedFunction, framed: PlacedFunction, target: Target) -> None:
        self._placed, self._framed, self._target = placed, framed, target
        convention = self._convention = target.convention
        self._kept = frozenset(
            Register(of, number) for of, numbers in convention.kept.items() for number in numbers
        )
        self._starts: dict[int, int] = {}
        self._parts: set[_Part] = set()

    def check(self) -> None:
        """F1 to F6."""
        if len(self._placed.blocks) != len(self._framed.blocks):
            counts = f"{len(self._placed.blocks)} blocks", str(len(self._framed.blocks))
            raise AllocationError(Place(self._placed.name), "blocks", *counts)
        known = {0: _State(0, self._kept, frozenset())}
        pending = [0]
        while pending:
            block = pending.pop()
            state = self._block(block, known[block])
            for target in self._framed.blocks[block].targets:
                before = known.get(target)
                after = state if before is None else self._meet(before, state, target)
                if after != before:
                    known[target] = after
                    pending.append(target)
        self._check_parts()

    def _meet(self, a: _State, b: _State, block: int) -> _State:
        if a.pointer != b.pointer:
            place = Place(self._placed.name, block)
            raise AllocationError(place, "stack pointer", str(a.pointer), str(b.pointer))
        return _State(a.pointer, a.kept & b.kept, a.saved & b.saved)

    def _block(self, number: int, state: _State) -> _State:
        wanted, made = self._placed.blocks[number], self._framed.blocks[number]
        place = Place(self._placed.name, number)
        if wanted.targets != made.targets:
            raise AllocationError(place, "targets", str(wanted.targets), str(made.targets))
        rest = iter(wanted.instructions)
        for at, step in enumerate(made.instructions):
            here = place._replace(instruction=at, row=step.instruction.row.name)
            if step.kind == "frame":
                state = self._own(step, state, here)
                continue
            want = next(rest, None)
            if want is None:
                raise AllocationError(here, "block", "its end", "a step")
            self._compare(want, step, state, here)
            state = self._other(step, state, here)
        if next(rest, None) is not None:
            raise AllocationError(place, "block", "a step", "its end")
        return state

    # Steps of the frame

    def _own(self, step: Placed, state: _State, place: Place) -> _State:
        """K1 to K3."""
        moves, row = self._target.moves, step.instruction.row
        for of in {register.of for register in self._kept}:
            view = self._convention.kept_view[of]
            if row is moves.store[view]:
                pointer, number = step.registers
                at = self._saved_at(step, pointer, Register(of, number), state, place)
                register = Register(of, number)
                saved = {(at, register)} if register in state.kept else set()
                return state._replace(saved=state.saved | saved)
            if row is moves.load[view]:
                number, pointer = step.registers
                register = Register(of, number)
                at = self._saved_at(step, pointer, register, state, place)
                if (at, register) not in state.saved:
                    text = f"{of} {number}"
                    raise AllocationError(place, text, "a place where it is saved", str(at))
                return state._replace(kept=state.kept | {register})
        pointer = state.pointer + self._moved(step, place)
        return state._replace(pointer=pointer)

    def _saved_at(
        self, step: Placed, pointer: int, register: Register, state: _State, place: Place
    ) -> int:
        """Where a kept register is saved; it is a part of the frame."""
        address = step.instruction.extras[0]
        stack = self._convention.stack_pointer.number
        if not isinstance(address, Address) or pointer != stack or address.registers != 1:
            raise AllocationError(place, "address", "one from the stack pointer", str(address))
        at = state.pointer + address.offset
        width = self._target.views[self._convention.kept_view[register.of]].bytes
        self._parts.add(_Part(at, width, f"saved {register.of} {register.number}"))
        self._check_from_pointer(at, state, place)
        return at

    def _moved(self, step: Placed, place: Place) -> int:
        """By how much a step moves the stack pointer: as the row means, or as it alone says."""
        extras, stack = step.instruction.extras, self._convention.stack_pointer.number
        amounts = [extra for extra in extras if isinstance(extra, int)]
        if not step.registers and len(amounts) == len(extras) == 1:
            return amounts[0]
        if step.registers != (stack, stack) or len(amounts) != len(extras):
            raise AllocationError(place, "step", "one that moves the stack pointer", "another")
        base = 1 << 32
        return step.instruction.row.meaning(MachineWords(), base, *amounts) - base

    # Other steps

    def _compare(self, want: Placed, got: Placed, state: _State, place: Place) -> None:
        """F1, F2."""
        ours, theirs = want.instruction, got.instruction
        extras, registers = ours.extras, want.registers
        for position, extra in enumerate(ours.extras):
            if isinstance(extra, Address) and extra.area in ("slot", "out", "in"):
                at = len(ours.defs) + _first_register(ours, position)
                stack = self._convention.stack_pointer.number
                registers = (*registers[:at], stack, *registers[at:])
                resolved = self._resolved(ours, extra, theirs, position, state, place)
                extras = (*extras[:position], resolved, *extras[position + 1 :])
        if (ours.row, extras, registers) != (theirs.row, theirs.extras, got.registers):
            expected = f"{ours.row.name} {extras} in {registers}"
            found = f"{theirs.row.name} {theirs.extras} in {got.registers}"
            raise AllocationError(place, "step", expected, found)

    def _resolved(
        self,
        instruction: Instruction,
        address: Address,
        theirs: Instruction,
        position: int,
        state: _State,
        place: Place,
    ) -> Address:
        """The address that a part of the frame has, where the slots are as they are found first."""
        starts = {"out": state.pointer, "in": self._convention.bytes_at_entry}
        start = starts.get(address.area)
        if start is None:
            found = theirs.extras[position] if position < len(theirs.extras) else None
            offset = found.offset if isinstance(found, Address) else 0
            own = state.pointer + offset - address.offset
            start = self._starts.setdefault(address.number, own)
            slot = self._placed.slots[address.number]
            self._parts.add(_Part(start, slot.bytes, f"slot {address.number}"))
            alignment = min(slot.alignment, self._convention.alignment)
            if (start - self._convention.bytes_at_entry) % alignment:
                expected = f"a multiple of {alignment}"
                raise AllocationError(place, f"slot {address.number}", expected, str(start))
            self._check_from_pointer(start, state, place)
        elif address.area == "out":
            self._parts.add(_Part(start, self._placed.bytes_out, "outgoing arguments"))
        offset = start - state.pointer + address.offset
        return Address(True, address.indexed, address.scale, offset)

    def _check_from_pointer(self, start: int, state: _State, place: Place) -> None:
        """F3: nothing lies below the stack pointer."""
        if start < state.pointer:
            raise AllocationError(place, "frame", f"a place from {state.pointer} on", str(start))

    def _other(self, step: Placed, state: _State, place: Place) -> _State:
        """K4, F4 to F6."""
        instruction, convention = step.instruction, self._convention
        row = instruction.row
        changed = set(row.clobbers) | set(instruction.clobbers)
        for slot, number in zip(row.defs, step.written, strict=False):
            assert isinstance(slot.kind, View)
            changed.add(Register(slot.kind.of.name, number))
        if convention.stack_pointer in changed:
            raise AllocationError(place, "stack pointer", "no change", "one")
        if (
            row.role == "call"
            and (state.pointer - convention.bytes_at_entry) % convention.alignment
        ):
            expected = f"a multiple of {convention.alignment}"
            raise AllocationError(place, "stack pointer", expected, str(state.pointer))
        if row.role == "return":
            if state.pointer:
                raise AllocationError(place, "stack pointer", "as at entry", f"{state.pointer:+}")
            for register in sorted(self._kept - state.kept):
                text = f"{register.of} {register.number}"
                raise AllocationError(place, text, "what it held at entry", "something else")
        return state._replace(kept=state.kept - changed)

    def _check_parts(self) -> None:
        """F3."""
        place = Place(self._placed.name)
        parts = sorted(part for part in self._parts if part.bytes)
        for part, after in pairwise([*parts, _Part(0, 0, "the stack pointer at entry")]):
            if part.start + part.bytes > after.start:
                found = f"{part.bytes} bytes at {part.start}, and {after.name} at {after.start}"
                raise AllocationError(place, part.name, "no overlap", found)


def _first_register(instruction: Instruction, position: int) -> int:
    """Where the registers of an address begin among the uses."""
    wanted = instruction.row.extras[position]
    assert isinstance(wanted.kind, Memory)
    return next(at for slot, at, _ in instruction.read_slots() if slot.name == wanted.name)
