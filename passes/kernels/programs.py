"""The kernels of a program, in the order in which they are launched.

Entry: `kernels_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp
from alpha.ir.unconverted import require_converted
from alpha.passes.kernels.homes import Homes
from alpha.passes.kernels.kernel import Kernel
from alpha.passes.kernels.lanes import write_lanes
from alpha.passes.kernels.pairs import with_levels
from alpha.passes.kernels.points import write_level, write_points, write_sums
from alpha.passes.kernels.stages import (
    Stage,
    staged_items,
    stages_of,
    summed_items,
    sums_of,
)
from alpha.passes.kernels.values import Values
from alpha.passes.loops.functions import LEARNER
from alpha.passes.loops.items import Item, Shape, copy_item, items_of
from alpha.passes.loops.signature import Signature

_WRITERS: Mapping[str, Callable[[Kernel], None]] = MappingProxyType(
    {
        "points": write_points,
        "sums": write_sums,
        "pairs": write_level,
        "lanes": write_lanes,
    }
)
"""What writes a stage of each form."""


def kernels_of(program: ProgramOp, learner: str | None) -> list[func.FuncOp]:
    """The kernels of a program.

    `learner` is the name of what the program belongs to.

    Raises:
        Refusal: `target-unsupported` for a program that is still to be converted, for an index
            that is too involved, and for a fold in more lanes than a block has threads.
    """
    require_converted(program)
    signature = Signature.of(program)
    last = program.body.block.last_op
    assert last is not None
    returned: tuple[SSAValue, ...] = tuple(last.operands)
    items = items_of(program, signature.domains)
    values = Values(program, items)
    if isinstance(program, ContributionOp):
        stages = stages_of(summed_items(items, returned, values), values)
        stages += [each for each in sums_of(returned) if 0 not in each.extents]
    else:
        items += _moved(program, signature, returned, values)
        stages = stages_of(staged_items(items, set(returned), values), values)
    homes = Homes(signature, values, items, stages, returned)
    stages += _moved_later(program, signature, homes)
    return _written(program, learner, with_levels(stages, homes), values, homes, signature)


def _moved(
    program: ProgramOp, signature: Signature, returned: tuple[SSAValue, ...], values: Values
) -> list[Item]:
    """What only hands on words that a program is given, or that every thread computes.

    Those of one shape follow one another and so share a stage, which reads before it stores: a
    result may lie where an input of its shape does that another one is made of.
    """
    found: dict[Shape, list[Item]] = {}
    for position, value in enumerate(returned):
        shape = signature.results[position]
        if (value in values.arguments or value in values.inline) and 0 not in shape:
            item = copy_item(program, value, shape, position)
            found.setdefault(shape, []).append(item)
    return [item for items in found.values() for item in items]


def _moved_later(program: ProgramOp, signature: Signature, homes: Homes) -> list[Stage]:
    """Stages that move results from their buffers, when all inputs have been read."""
    found: list[Stage] = []
    for position in homes.later:
        shape = signature.results[position]
        item = copy_item(program, homes.returned[position], shape, position)
        found.append(Stage("points", shape, [item]))
    return found


def _written(
    program: ProgramOp,
    learner: str | None,
    stages: list[Stage],
    values: Values,
    homes: Homes,
    signature: Signature,
) -> list[func.FuncOp]:
    name = program.sym_name.data
    made: list[func.FuncOp] = []
    for step, stage in enumerate(stages):
        kernel = Kernel(name, stage, values, homes, signature.extents)
        _WRITERS[stage.form](kernel)
        written = kernel.finished(f"{name}${step}" if step else name, step)
        if learner is not None:
            written.attributes[LEARNER] = StringAttr(learner)
        made.append(written)
    return made
