"""A program as a function of loops, with the private globals that it needs.

Entry: `function_of`.
"""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, Region

from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.unconverted import require_converted
from alpha.passes.loops.contributions import write_contribution
from alpha.passes.loops.samples import Room
from alpha.passes.loops.signature import Signature
from alpha.passes.loops.updates import write_update

LEARNER = "learner"
EXTENTS = "extents"


def function_of(program: ProgramOp, learner: str | None, room: Room) -> list[Operation]:
    """The private globals of a program's function, and behind them the function.

    `learner` is the name of what the program belongs to, `room` what its samples may take.

    Raises:
        Refusal: `target-unsupported` for a program that is still to be converted, and for an index
            that is too involved.
    """
    require_converted(program)
    signature = Signature.of(program)
    type = signature.function_type(program)
    block = Block(arg_types=list(type.inputs.data))
    _name_arguments(program, block)
    globals: list[Operation] = []
    if isinstance(program, ContributionOp):
        write_contribution(program, signature, block, room, globals.append)
    else:
        assert isinstance(program, UpdateOp)
        write_update(program, signature, block, globals.append)
    block.add_op(func.ReturnOp())
    function = func.FuncOp(program.sym_name.data, type, Region(block))
    if learner is not None:
        function.attributes[LEARNER] = StringAttr(learner)
    function.attributes[EXTENTS] = signature.extents_attr()
    return [*globals, function]


def _name_arguments(program: ProgramOp, block: Block) -> None:
    """Pointers are named as what they point to; a result as the value that it gets."""
    last = program.body.block.last_op
    assert last is not None
    values = (*program.body.block.args, *last.operands)
    for argument, value in zip(block.args, values, strict=False):
        argument.name_hint = value.name_hint
    for number, argument in enumerate(block.args[len(values) :]):
        argument.name_hint = "n" if len(block.args) == len(values) + 1 else f"n{number}"
