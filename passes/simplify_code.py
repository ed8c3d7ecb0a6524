"""Merges equal operations of functions and takes what doesn't vary out of loops.

Only operations that compute their results of their operands alone are merged, moved or dropped; a
division or a shift that has no result for some operands isn't moved. Where an operation comes from
is no part of it: of two that are merged, the first one's origin stays.

Before:

    scf.for %i = %a to %b step %c {
      %x = arith.muli %k, %w : index
      %y = arith.muli %k, %w : index

After:

    %x = arith.muli %k, %w : index
    scf.for %i = %a to %b step %c {

Preserves: every result, and what is read and written in which order.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, ptr, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import is_side_effect_free

from alpha.ir.code_values import is_total


@dataclass(frozen=True)
class SimplifyCodePass(ModulePass):
    """Hoists, then merges, then drops what nobody uses, in every function."""

    name = "simplify-code"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Simplify each function of the module."""
        for part in op.walk():
            if isinstance(part, func.FuncOp):
                for block in part.body.blocks:
                    _hoist(block)
                    _merge(block, ChainMap())
                _drop(part.body)


def _is_pure(op: Operation) -> bool:
    """Whether an operation without regions only computes its results."""
    if op.regions or not op.results:
        return False
    return isinstance(op, ptr.PtrAddOp) or is_side_effect_free(op)


def _hoist(block: Block) -> None:
    """Take what doesn't vary out of the loops of a block, the inner ones first."""
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                _hoist(inner)
        if isinstance(op, scf.ForOp | scf.WhileOp):
            for region in op.regions:
                _hoist_from(region, op)


def _hoist_from(region: Region, loop: Operation) -> None:
    outer = loop.parent
    assert outer is not None
    for block in region.blocks:
        for op in list(block.ops):
            movable = _is_pure(op) and is_total(op)
            if movable and not any(_inside(operand, region) for operand in op.operands):
                op.detach()
                outer.insert_op_before(op, loop)


def _inside(value: SSAValue, region: Region) -> bool:
    """Whether a value is defined in a region."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    while block is not None:
        if block.parent is region:
            return True
        above = block.parent_op()
        block = None if above is None else above.parent
    return False


def _key(op: Operation) -> Hashable:
    """What two operations have in common if they give the same."""
    properties = frozenset(op.properties.items())
    return op.name, tuple(id(operand) for operand in op.operands), properties, op.result_types


def _merge(block: Block, known: ChainMap[Hashable, Operation]) -> None:
    """Replace operations that a block, or one around it, has had before."""
    for op in list(block.ops):
        for region in op.regions:
            for inner in region.blocks:
                _merge(inner, known.new_child())
        if not _is_pure(op):
            continue
        key = _key(op)
        first = known.get(key)
        if first is None:
            known[key] = op
        else:
            for result, same in zip(op.results, first.results, strict=True):
                result.replace_all_uses_with(same)
            Rewriter.erase_op(op)


def _drop(region: Region) -> None:
    """Drop what nobody uses, from the last operation to the first."""
    for op in _backwards(region):
        if _is_pure(op) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


def _backwards(region: Region) -> Iterable[Operation]:
    for block in reversed(list(region.blocks)):
        for op in reversed(list(block.ops)):
            for inner in op.regions:
                yield from _backwards(inner)
            yield op
