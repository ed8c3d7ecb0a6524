"""From IR of any level to the text of PTX, by the passes that are left to run.

    region.learner   lower-pointwise-to-kernels
    func.func        share-reciprocals, expand-math, lower-memref, simplify-code,
                     convert-scf-to-cf, select-ptx
    ptx.func         text

Refuses: target-unsupported, and what the passes refuse.
Entry: `remaining_passes`, `ptx_of`, `launch_notes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from alpha.backends.core.dialect.functions import FuncOpBase
from alpha.backends.core.dialect.reading import read_function
from alpha.backends.ptx.dialect import DIALECT
from alpha.backends.ptx.printing import Printed, print_kernels
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.refusals import Refusal
from alpha.passes.kernels.kernel import KERNEL
from alpha.passes.registry import load_pass

BELOW_PROGRAMS = (
    "share-reciprocals",
    "expand-math",
    "lower-memref",
    "simplify-code",
    "convert-scf-to-cf",
    "select-ptx",
)
"""The passes from kernels on."""


def remaining_passes(module: ModuleOp) -> list[ModulePass]:
    """The passes between what the module holds and kernels in rows."""
    ops = list(module.body.block.ops)
    names: list[str] = []
    if any(isinstance(op, LearnerOp | ProgramOp) for op in ops):
        names.append("lower-pointwise-to-kernels")
    if not all(isinstance(op, FuncOpBase) for op in ops):
        names += BELOW_PROGRAMS
    return [load_pass(name)() for name in names]


def ptx_of(module: ModuleOp, show_source: bool = False) -> str:
    """The text of a module of kernels in rows.

    Raises:
        Refusal: `target-unsupported` for anything else in the module.
    """
    kernels: list[Printed] = []
    for op in module.body.block.ops:
        if not isinstance(op, DIALECT.func):
            raise Refusal("target-unsupported", "kernels of ptx", op.name, op)
        if not op.exported:
            wanted = "kernels, which other files may use"
            raise Refusal("target-unsupported", wanted, f"the private @{op.symbol}", op)
        function = read_function(op, DIALECT, ())
        kernels.append(Printed(function, list(launch_notes(op)), _threads(op)))
    return print_kernels(kernels, show_source)


def _threads(op: FuncOpBase) -> int:
    """The threads of a block that a kernel says, 0 if it says none."""
    held = op.attributes.get(KERNEL)
    told = held.data.get("threads") if isinstance(held, DictionaryAttr) else None
    return told.value.data if isinstance(told, IntegerAttr) else 0


def launch_notes(op: FuncOpBase) -> Iterator[str]:
    """How a kernel is launched, in words."""
    held = op.attributes.get(KERNEL)
    if not isinstance(held, DictionaryAttr):
        return
    told = held.data
    program, step = told.get("program"), told.get("step")
    if isinstance(program, StringAttr) and isinstance(step, IntegerAttr):
        yield f"@{program.data}, step {step.value.data}: {_points(told)}"
    names = told.get("arguments")
    if isinstance(names, ArrayAttr):
        for number, name in enumerate(names.data):
            if isinstance(name, StringAttr):
                yield f"  {op.symbol}_{number}: {name.data}"


def _points(told: Mapping[str, Attribute]) -> str:
    points = told.get("points")
    extents: list[str] = []
    if isinstance(points, ArrayAttr):
        numbers = (_number(each) for each in points.data)
        extents = ["the extent" if number < 0 else str(number) for number in numbers]
    shape = " x ".join(extents) or "1"
    threads, lanes = (_number(told.get(name)) for name in ("threads", "lanes"))
    each = "a thread" if lanes == 1 else f"{lanes} threads"
    return f"{shape} points, {each} for each, blocks of {threads}"


def _number(attribute: Attribute | None) -> int:
    return attribute.value.data if isinstance(attribute, IntegerAttr) else 1
