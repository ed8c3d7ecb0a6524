"""What the registers of a placed operation have to be: those that its row can name and asks for.

These are I1 and I3 to I8 of the checker of allocation, which asks them of what was allocated, as
far as they are about the row alone.

Refuses: source-structure.
Entry: `check_placed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from alpha.backends.core.program import Instruction
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Row, Slot
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal

if TYPE_CHECKING:
    from alpha.backends.core.dialect.operations import MachineOp

KINDS: Mapping[str, Callable[[Row, Target], bool]] = {
    "move": lambda row, target: row in target.moves.move.values(),
    "swap": lambda row, target: row in target.moves.swap.values(),
    "store": lambda row, target: row in target.moves.store.values(),
    "load": lambda row, target: row in target.moves.load.values(),
    "again": lambda row, target: row.role == "constant",
    "jump": lambda row, target: row.role == "jump",
}
"""What an instruction that allocation put in may say of itself, and whether its row does that."""


def check_placed(op: MachineOp, target: Target) -> None:
    """Refuse registers that the row can't have. Raises Refusal at the operation."""
    row, convention = target.rows[op.row.name], target.convention
    pointer = target.views[convention.kept_view[convention.stack_pointer.of]]
    asked = op.reads(pointer)
    written, read = op.numbers("written") or (), op.numbers("read") or ()
    calls, returns = row.role == "call", row.role == "return"
    _check_count(op, "written", len(row.defs), len(written), calls)
    _check_count(op, "read", len(asked), len(read), calls or returns)
    kind = op.kind
    if kind and not (kind in KINDS and KINDS[kind](row, target)):
        _refuse(op, f"one of {', '.join(KINDS)} that the row can be", kind)
    if any(each.instruction.row is row and not each.registers for each in target.frame(16)):
        _refuse(op, "the stack pointer to be moved by the frame alone", row.name)
    for slot, number in zip(row.defs, written, strict=False):
        _check_register(op, slot, _view(slot), number, target)
    for (slot, view), number in zip(asked, read, strict=False):
        _check_register(op, slot, view, number, target)
    passed = convention.arguments if calls else convention.results
    beyond = [(each, passed) for each in read[len(asked) :]]
    beyond += [(each, convention.results) for each in written[len(row.defs) :]]
    for number, allowed in beyond:
        if not any(number in each for each in allowed.values()):
            _refuse(op, "a register in which the convention passes something", number)
    places = [view.of.name for _, view in asked]
    _check_defs(op, Instruction(row, list(written), list(read), op.extras), places)


def _check_count(op: MachineOp, what: str, wanted: int, found: int, open_ended: bool) -> None:
    """A call has further registers, and a return reads some."""
    if found != wanted and not (open_ended and found > wanted):
        _refuse(op, f"{wanted} registers that are {what}", found)


def _refuse(op: MachineOp, wanted: str, found: object) -> None:
    raise Refusal("source-structure", f"{wanted} in '{op.name}'", str(found), op)


def _check_register(op: MachineOp, slot: Slot, view: View, number: int, target: Target) -> None:
    """The one that is fixed, or one that may be allocated."""
    if slot.fixed is not None:
        fixed = view.number(slot.fixed)
        if number != fixed:
            _refuse(op, f"{slot.name} in register {fixed}, {slot.fixed},", number)
    elif number not in target.convention.free[view.of.name]:
        named = 0 <= number < len(view.spelled)
        found = f"{number}, {view.spelled[number]}" if named else number
        _refuse(op, f"a register of class {view.of.name} that may be allocated", found)


def _check_defs(op: MachineOp, instruction: Instruction, classes: Sequence[str]) -> None:
    """Results are where they are tied to, apart from one another, and from what is read or lost.

    `classes` are those of the registers that are read.
    """
    row, written, read = instruction.row, instruction.defs, instruction.uses
    tied = dict(instruction.tied())
    for at, use in tied.items():
        if written[at] != read[use]:
            _refuse(op, f"{row.defs[at].name} in register {read[use]}", written[at])
    places = [(_view(slot).of.name, each) for slot, each in zip(row.defs, written, strict=False)]
    if len(set(places)) != len(places):
        _refuse(op, "results in registers of their own", ", ".join(map(str, written)))
    uses = list(zip(classes, read, strict=False))
    for at, (slot, place) in enumerate(zip(row.defs, places, strict=True)):
        beside = [use for use, of in enumerate(uses) if of == place and tied.get(at) != use]
        if slot.early and beside:
            _refuse(op, f"{slot.name} apart from what is read", place[1])
        if slot.fixed is None and place in row.clobbers:
            _refuse(op, f"{slot.name} in a register that '{op.name}' doesn't change", place[1])


def _view(slot: Slot) -> View:
    assert isinstance(slot.kind, View)
    return slot.kind
