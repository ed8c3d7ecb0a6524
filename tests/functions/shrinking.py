"""Makes a module of functions smaller while something about it stays true.

Operations are taken out, what they gave being replaced by constants, many at once and then one by
one. What isn't defined any more, or isn't wrong any more, is put back.

Entry: `shrunk`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    VectorType,
)
from xdsl.ir import Attribute, Operation
from xdsl.printer import Printer
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator, is_side_effect_free

from alpha.ir.frontend.verifier import verify_module

SIZES = (64, 16, 4, 1)


def shrunk(module: ModuleOp, holds: Callable[[ModuleOp], bool]) -> ModuleOp:
    """A module for which `holds` is still true, from which nothing more can be taken out."""
    for size in (*SIZES, 1):
        end = len(_removable(module))
        while end > 0:
            start = max(0, end - size)
            smaller = _without(module, start, end)
            if smaller is not None and holds(smaller):
                module = smaller
            end = min(start, len(_removable(module)))
    return module


def text_of(module: ModuleOp) -> str:
    """The text of a module's functions."""
    stream = StringIO()
    printer = Printer(stream)
    for op in module.body.block.ops:
        printer.print_op(op)
        printer.print_string("\n")
    return stream.getvalue()


def _removable(module: ModuleOp) -> list[Operation]:
    """What may be taken out: neither constants nor the ends of blocks nor functions."""
    return [op for op in module.walk() if _is_removable(op)]


def _is_removable(op: Operation) -> bool:
    fixed = isinstance(op, ModuleOp | func.FuncOp | arith.ConstantOp)
    return not fixed and not op.has_trait(IsTerminator) and not op.successors


def _without(module: ModuleOp, start: int, end: int) -> ModuleOp | None:
    """A copy without some of what may be taken out; None if a result has no constant."""
    copy = module.clone()
    for op in _removable(copy)[start:end][::-1]:
        if op.parent is None:
            continue
        for result in op.results:
            value = _zero(result.type)
            if value is None and result.uses:
                return None
            if value is not None and result.uses:
                constant = arith.ConstantOp(value, result.type)
                Rewriter.insert_op(constant, InsertPoint.before(op))
                result.replace_all_uses_with(constant.result)
        Rewriter.erase_op(op)
    _drop_unused(copy)
    try:
        verify_module(copy)
    except Exception:  # a copy that no verifier takes is none to try, whatever is wrong with it
        return None
    return copy


def _zero(
    type: Attribute,
) -> IntegerAttr | FloatAttr | DenseIntOrFPElementsAttr | None:
    match type:
        case IntegerType() | IndexType():
            return IntegerAttr(0, type)
        case Float64Type() | Float32Type():
            return FloatAttr(0.0, type)
        case VectorType():
            count = type.element_count()
            number = 0.0 if isinstance(type.element_type, Float64Type | Float32Type) else 0
            words: Sequence[int] | Sequence[float] = [number] * count
            return DenseIntOrFPElementsAttr.from_list(type, words)  # pyright: ignore
        case _:
            return None


def _drop_unused(module: ModuleOp) -> None:
    """Constants and pure operations that nothing uses, and functions that nothing calls."""
    dropped = True
    while dropped:
        dropped = False
        for op in list(_unused(module)):
            Rewriter.erase_op(op)
            dropped = True


def _unused(module: ModuleOp) -> Iterator[Operation]:
    called = {op.callee.string_value() for op in module.walk() if isinstance(op, func.CallOp)}
    for op in module.walk():
        if isinstance(op, func.FuncOp):
            private = op.sym_visibility is not None and op.sym_visibility.data == "private"
            if private and op.sym_name.data not in called:
                yield op
        elif op.results and not op.regions and is_side_effect_free(op):
            yield from () if any(result.uses for result in op.results) else (op,)
