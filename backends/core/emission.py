"""From IR of any level to the assembly text of a target, by the passes that are left to run.

    region.learner   lower-pointwise-to-loops, expand-math, vectorize
    func.func        lower-memref, convert-scf-to-cf, select
    x64.func         allocate-registers, frames, text

Refuses: target-unsupported, and what the passes refuse.
Entry: `remaining_passes`, `assembly_of`, `loop_room`.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase
from alpha.backends.core.dialect.reading import read_data, read_placed
from alpha.backends.core.frame_checker import check_frame
from alpha.backends.core.frames import FRAME_BYTES_MAX, FrameTooLarge, add_frame
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.printing import print_module
from alpha.backends.core.targets import features_of, instruction_set
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.refusals import Refusal
from alpha.passes.loops.rebuilding import is_marked, is_rebuildable
from alpha.passes.loops.vector_parts import has_other_vectors
from alpha.passes.registry import load_pass


def remaining_passes(module: ModuleOp, dialect: str, features: str) -> list[ModulePass]:
    """The passes between what the module holds and placed functions of this dialect."""
    ops = list(module.body.block.ops)
    names: list[tuple[str, dict[str, object]]] = []
    programs = any(isinstance(op, LearnerOp | ProgramOp) for op in ops)
    room = loop_room(dialect, features)
    if programs:
        names.append(("lower-pointwise-to-loops", {**room}))
    if not all(isinstance(op, FuncOpBase | DataOpBase) for op in ops):
        names.append(("expand-math", {}))
        if programs or any(_asks_vectors(op, room["bits"]) for op in ops):
            names.append(("vectorize", {"bits": room["bits"]}))
            if "exact_sqrt_pd_z" in instruction_set(dialect, features_of(features)).target.rows:
                names.append(("balance-divisions", {}))
        names += [("unroll-loops", {}), ("promote-memory", {}), ("lower-memref", {})]
        names += [("simplify-code", {}), ("convert-scf-to-cf", {})]
        names.append((f"select-{dialect}", {"features": features}))
    names.append(("allocate-registers", {}))
    return [load_pass(name)(**options) for name, options in names]


def loop_room(dialect: str, features: str) -> dict[str, int]:
    """The `registers` and `bits` of a target's vectors, as the passes that make loops take them."""
    found = instruction_set(dialect, features_of(features))
    return {"registers": len(found.target.convention.free["vec"]), "bits": found.vector_bits}


def _asks_vectors(op: Operation, bits: int) -> bool:
    """Whether a function has loops to make vectors of, or programs' vectors to fit to the target.

    Such vectors have the lanes that a program says, which the target need not have.
    """
    if not isinstance(op, FuncOp) or not op.body.blocks:
        return False
    marked = any(isinstance(part, scf.ForOp) and is_marked(part) for part in op.walk())
    return marked or (is_rebuildable(op) and has_other_vectors(op, bits))


def assembly_of(module: ModuleOp, dialect: str, show_source: bool = False) -> str:
    """The text of a module of placed functions and data.

    Raises:
        Refusal: `target-unsupported` for anything else in the module, or too large a frame.
    """
    functions: list[FuncOpBase] = []
    data: list[DataOpBase] = []
    for op in module.body.block.ops:
        if isinstance(op, FuncOpBase) and op.dialect_name() == dialect:
            functions.append(op)
        elif isinstance(op, DataOpBase) and op.dialect_name() == dialect:
            data.append(op)
        else:
            wanted = f"functions and data of {dialect}"
            raise Refusal("target-unsupported", wanted, op.name, op)
    target = instruction_set(dialect, _features(functions)).target
    framed: list[PlacedFunction] = []
    for op in functions:
        placed = read_placed(op)
        try:
            framed.append(add_frame(placed, target))
        except FrameTooLarge as error:
            wanted = f"a frame of at most {FRAME_BYTES_MAX} bytes"
            raise Refusal("target-unsupported", wanted, str(error.bytes), op) from None
        check_frame(placed, framed[-1], target)
    return print_module(framed, [read_data(op) for op in data], target, show_source)


def _features(functions: Iterable[FuncOpBase]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for op in functions:
        held = op.attributes.get("features")
        if isinstance(held, StringAttr):
            found |= features_of(held.data)
    return found
