"""What a machine function and data have to be like, beside each instruction by itself.

Refuses: source-structure; target-unsupported (a name that no assembler takes, that is the linker's
    or a constant's).
Entry: `check_function`, `check_data`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block

from alpha.backends.core.dialect.attributes import NumbersBase
from alpha.backends.core.dialect.verifying import (
    ENDS,
    Surroundings,
    check_operation,
    of_register_type,
    refuse,
)
from alpha.backends.core.names import literal_content
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal, place_of

if TYPE_CHECKING:
    from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase, NamedOp
    from alpha.backends.core.dialect.operations import MachineOp

_ALIGNMENT_MAX = 1 << 20
_BYTES_MAX = 1 << 30
"""What relative addresses reach, with as much for all else."""

_FUNCTION = {"sym_name": StringAttr, "arrivals": NumbersBase, "slots": NumbersBase}
_FUNCTION |= {"out": NumbersBase}
_DATA = {"sym_name": StringAttr, "alignment": IntegerAttr}
_CONTENT: Mapping[str, type[Attribute]] = {"content": StringAttr, "zeros": IntegerAttr}
_HEXADECIMAL = re.compile(r"([0-9a-f]{2})*")


def check_function(op: FuncOpBase) -> None:
    """Refuse a function that can't be allocated, or printed if it is placed.

    Raises:
        Refusal: at what is wrong.
    """
    _check_properties(op, _FUNCTION, {"private": UnitAttr})
    if len(op.regions) != 1 or op.body.blocks.first is None:
        refuse(op, "blocks", "none")
    target = op.target
    _check_name(op, target)
    flat, out = op.numbers("slots"), op.numbers("out")
    if len(out) != 1 or min(out) < 0 or len(flat) % 2:
        refuse(op, "pairs for slots and one number for out", f"{flat} and {out}")
    for slot in op.slots:
        if slot.bytes < 0 or not _is_alignment(slot.alignment):
            refuse(op, "a slot of some bytes at a power of two", f"{slot.bytes} : {slot.alignment}")
    _check_arrivals(op, target)
    around = Surroundings(target, op.slots, op.bytes_out, op.placed)
    for block in op.body.blocks:
        _check_block(op, block, around)


def _check_block(op: FuncOpBase, block: Block, around: Surroundings) -> None:
    """Values that it is given, then instructions of the dialect, the last of which ends it."""
    target = around.target
    for argument in block.args:
        if around.placed:
            refuse(op, "no parameters of blocks in registers", argument.type)
        if of_register_type(argument.type, target) is None:
            refuse(op, f"parameters of blocks of types of {target.dialect}", argument.type)
    if block.last_op is None:
        refuse(op, "instructions in each block", "none")
    for each in block.ops:
        if each.dialect_name() != op.dialect_name() or not hasattr(each, "row"):
            refuse(each, f"an instruction of {target.dialect} in a function", "another operation")
        instruction = cast("MachineOp", each)
        check_operation(instruction, around)
        if (each is block.last_op) != (instruction.row.role in ENDS):
            what = "what ends a block at its end, and nowhere else,"
            refuse(each, what, f"an instruction of role {instruction.row.role}")


def _check_arrivals(op: FuncOpBase, target: Target) -> None:
    """Each parameter arrives in a register of its own that may be allocated."""
    first, arrivals = op.body.blocks[0], op.arrivals
    if len(first.args) != len(arrivals):
        refuse(op, f"{len(arrivals)} parameters of the first block", len(first.args))
    taken: set[tuple[str, int]] = set()
    for argument, number in zip(first.args, arrivals, strict=True):
        view = of_register_type(argument.type, target)
        of = "" if view is None else view.of.name
        if number not in target.convention.free.get(of, ()) or (of, number) in taken:
            refuse(op, "a register of its own for each parameter", f"{number} for {argument.type}")
        taken.add((of, number))


def check_data(op: DataOpBase) -> None:
    """Refuse data that can't be written. Raises Refusal."""
    _check_properties(op, _DATA, {"private": UnitAttr, "writable": UnitAttr, **_CONTENT})
    _check_name(op, op.family.make(frozenset()))
    if len(_CONTENT.keys() & op.properties.keys()) != 1:
        refuse(op, "bytes or a number of zeros", "both or none")
    content = op.properties.get("content")
    if isinstance(content, StringAttr) and _HEXADECIMAL.fullmatch(content.data) is None:
        refuse(op, "hexadecimal digits, two for each byte,", repr(content.data))
    if not 0 <= op.size <= _BYTES_MAX:
        refuse(op, f"at most {_BYTES_MAX} bytes", op.size)
    if not _is_alignment(op.alignment):
        refuse(op, f"an alignment that is a power of two, at most {_ALIGNMENT_MAX},", op.alignment)


def _is_alignment(number: int) -> bool:
    return 0 < number <= _ALIGNMENT_MAX and number & (number - 1) == 0


def _check_properties(
    op: NamedOp, needed: Mapping[str, type[Attribute]], more: Mapping[str, type[Attribute]]
) -> None:
    for name in needed:
        if name not in op.properties:
            refuse(op, f"a property {name}", "none")
    for name, held in op.properties.items():
        kind = needed.get(name) or more.get(name)
        named = f"{op.dialect_name()}." if kind is NumbersBase else ""
        if kind is None or not isinstance(held, kind) or not held.name.startswith(named):
            refuse(op, f"no property {name} of this kind", held)


def _check_name(op: NamedOp, target: Target) -> None:
    if literal_content(op.symbol) is not None:
        expected = "a symbol that isn't the name of a constant"
        raise Refusal("target-unsupported", expected, repr(op.symbol), op)
    try:
        target.syntax.symbol(op.symbol)
    except Refusal as refusal:
        refusal.place = place_of(op)
        raise
