"""What an operation of a machine function has to be like: its operands, as its row says.

Whether registers hold what is read from them is asked where they are given, by the checker of the
allocation. What is asked here lets everything that is read from text be allocated and assembled.

Refuses: source-structure; target-unsupported (a symbol that no assembler takes).
Entry: `Surroundings`, `check_operation`, `of_register_type`, `ENDS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.backends.core.dialect.attributes import ExtrasBase, NumbersBase, RegisterTypeBase
from alpha.backends.core.dialect.verifying_registers import check_placed
from alpha.backends.core.program import Address, Extra, Slice
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Slot, Word
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal, place_of

if TYPE_CHECKING:
    from alpha.backends.core.dialect.operations import MachineOp

ENDS = frozenset({"jump", "branch", "return", "stop"})
"""The roles of rows that end a block."""

_PROPERTIES: Mapping[str, type[Attribute]] = {
    "extras": ExtrasBase,
    "arguments": NumbersBase,
    "uses_in": NumbersBase,
    "defs_in": NumbersBase,
    "written": NumbersBase,
    "read": NumbersBase,
    "kind": StringAttr,
}
_OF_VALUES = ("arguments", "uses_in", "defs_in")
_OF_PLACED = ("written", "read", "kind")


@dataclass(frozen=True)
class Surroundings:
    """What an operation's function says: its target, its part of the stack, and whether it is
    placed."""

    target: Target
    slots: Sequence[Slice]
    bytes_out: int
    placed: bool


def check_operation(op: MachineOp, around: Surroundings) -> None:
    """Refuse an operation that isn't an instruction of its row.

    Raises:
        Refusal: at the operation.
    """
    row = op.row
    _check_properties(op, around.placed)
    if row.name not in around.target.rows:
        refuse(op, f"the feature {row.feature} of the function", "none")
    if len(op.extras) != len(row.extras):
        refuse(op, f"{len(row.extras)} operands that are no registers", len(op.extras))
    for slot, extra in zip(row.extras, op.extras, strict=True):
        _check_extra(op, slot, extra, around)
    if len(op.successors) != row.labels:
        refuse(op, f"{row.labels} successors", len(op.successors))
    if op.regions:
        refuse(op, "no regions", len(op.regions))
    if not around.placed:
        _check_values(op, around.target)
        return
    if op.operands or op.results:
        refuse(op, "no values", len(op.operands) + len(op.results))
    check_placed(op, around.target)


def refuse(op: Operation, wanted: str, found: object) -> NoReturn:
    """Refuse an operation. Raises Refusal."""
    raise Refusal("source-structure", f"{wanted} in '{op.name}'", str(found), op)


def of_register_type(type: Attribute, target: Target) -> View | None:
    """The view of a value's type, None for what is no register of the target."""
    if not isinstance(type, RegisterTypeBase) or not type.name.startswith(f"{target.dialect}."):
        return None
    return target.views.get(type.data)


def _check_properties(op: MachineOp, placed: bool) -> None:
    """Those that there are belong to the form of the operation, and are of their kind."""
    for name, held in op.properties.items():
        kind = _PROPERTIES.get(name)
        named = f"{op.dialect_name()}." if kind is not StringAttr else ""
        if kind is None or not isinstance(held, kind) or not held.name.startswith(named):
            refuse(op, f"no property {name} of this kind", held)
    if op.placed != placed:
        forms = ("values", "registers")
        refuse(op, f"{forms[placed]}, as in the first instruction,", forms[op.placed])
    for name in _OF_VALUES if placed else _OF_PLACED:
        if name in op.properties:
            refuse(op, f"no property {name}", op.properties[name])
    if placed and "read" not in op.properties:
        refuse(op, "a property read", "none")


def _check_extra(op: MachineOp, slot: Slot, extra: Extra, around: Surroundings) -> None:
    row, syntax, wanted = op.row, around.target.syntax, f"{slot.name} as {op.row.name} can hold it"
    match slot.kind:
        case Immediate():
            fits = isinstance(extra, int) and slot.kind.holds(extra)
        case Memory():
            fits = isinstance(extra, Address) and syntax.takes(row, extra)
        case _:
            fits = isinstance(extra, str)
    if not fits:
        refuse(op, wanted, _shown(extra))
    if slot.kind == Word("cond") and extra not in syntax.conditions(row):
        refuse(op, f"{slot.name} as one of {', '.join(syntax.conditions(row))}", extra)
    symbol = extra.symbol if isinstance(extra, Address) else extra
    if slot.kind == Word("symbol") or (isinstance(extra, Address) and extra.area == "symbol"):
        _check_symbol(op, str(symbol), around.target)
    if isinstance(extra, Address) and extra.area in ("slot", "out", "in"):
        _check_place(op, slot, extra, around)


def _shown(extra: Extra) -> str:
    """An operand as a message has it."""
    if not isinstance(extra, Address):
        return repr(extra)
    parts = {"symbol": [extra.symbol], "slot": [f"slot {extra.number}"], "": []}
    words = [*parts.get(extra.area, [extra.area]), *["_"] * extra.based]
    words += [f"_ * {extra.scale}"] * extra.indexed
    words += [str(extra.offset)] if extra.offset or not words else []
    return f"[{' + '.join(words)}]"


def _check_symbol(op: Operation, name: str, target: Target) -> None:
    try:
        target.syntax.symbol(name)
    except Refusal as refusal:
        refusal.place = place_of(op)
        raise


def _check_place(op: MachineOp, slot: Slot, address: Address, around: Surroundings) -> None:
    """A part of the frame has been declared, and holds what is reached by an offset alone."""
    if address.area == "in":
        if address.offset < 0:
            refuse(op, "an argument on the stack", _shown(address))
        return
    room = around.bytes_out
    if address.area == "slot":
        if not 0 <= address.number < len(around.slots):
            refuse(op, f"one of the function's {len(around.slots)} slots", _shown(address))
        room = around.slots[address.number].bytes
    assert isinstance(slot.kind, Memory)
    # Of a partial access, a mask says which bytes there have to be.
    width = 1 if slot.partial else slot.kind.bytes
    if not address.registers and not 0 <= address.offset <= room - width:
        refuse(op, f"{width} bytes within the {room} of this part of the frame", _shown(address))


def _check_values(op: MachineOp, target: Target) -> None:
    row, uses = op.row, op.uses()
    pointer = target.views[target.convention.kept_view[target.convention.stack_pointer.of]]
    asked = op.reads(pointer)
    wanted = len(asked)
    open_ended = row.role in ("call", "return")
    if len(uses) != wanted and not (open_ended and len(uses) > wanted):
        refuse(op, f"{wanted} values", len(uses))
    count = len(row.defs)
    if len(op.results) != count and not (row.role == "call" and len(op.results) > count):
        refuse(op, f"{count} results", len(op.results))
    for result, slot in zip(op.results, row.defs, strict=False):
        if of_register_type(result.type, target) is not slot.kind:
            assert isinstance(slot.kind, View)
            refuse(op, f"{slot.name} of type {slot.kind.name}", result.type)
    for value, (_, needed) in zip(uses, asked, strict=False):
        view = of_register_type(value.type, target)
        if view is None or view.of != needed.of or view.bytes < needed.bytes:
            refuse(op, f"a value of view {needed.name}", value.type)
    convention = target.convention
    leaving = convention.arguments if row.role == "call" else convention.results
    _check_beyond(op, "uses_in", uses, wanted, leaving, target)
    _check_beyond(op, "defs_in", op.results, count, convention.results, target)
    for block, arguments in zip(op.successors, op.edge_operands(), strict=True):
        if [value.type for value in arguments] != list(block.arg_types):
            refuse(op, f"{len(block.args)} arguments of the block's types", len(arguments))


def _check_beyond(
    op: MachineOp,
    name: str,
    values: Sequence[SSAValue],
    first: int,
    allowed: Mapping[str, tuple[int, ...]],
    target: Target,
) -> None:
    """Values beyond those of the row say their registers: some of the convention's, each once."""
    numbers = op.numbers(name)
    if numbers is None and len(values) == first:
        return
    if numbers is None or len(numbers) != len(values) or set(numbers[:first]) - {-1}:
        refuse(op, f"a register for each value beyond {first}", numbers)
    taken: set[tuple[str, int]] = set()
    for value, number in zip(values[first:], numbers[first:], strict=True):
        view = of_register_type(value.type, target)
        if view is None:
            refuse(op, f"a type of register of {target.dialect}", value.type)
        if number not in allowed.get(view.of.name, ()) or (view.of.name, number) in taken:
            refuse(op, f"a register of its own that the convention has for {view.name}", number)
        taken.add((view.of.name, number))
