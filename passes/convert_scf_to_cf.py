"""Lowers structured loops and conditions to branches between blocks.

A loop is tested before its first iteration and then at the end of each, so that an iteration has
one branch; the first test is left out where the bounds are constants that differ.

Before: `%r = scf.for %i = %a to %b step %c iter_args(%s = %z) -> (f64) { ... scf.yield %t : f64 }`

After:

      %t0 = arith.cmpi slt, %a, %b : index
      cf.cond_br %t0, ^body(%a, %z : index, f64), ^exit(%z : f64)
    ^body(%i : index, %s : f64):
      ...
      %n = arith.addi %i, %c : index
      %t1 = arith.cmpi slt, %n, %b : index
      cf.cond_br %t1, ^body(%n, %t : index, f64), ^exit(%t : f64)
    ^exit(%r : f64):

Preserves: what is computed, in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, cf, scf
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import BlockInsertPoint, Rewriter

from alpha.ir.code_values import known_integer, marked
from alpha.ir.dialects.arith_vectors import CmpiOp


@dataclass(frozen=True)
class ConvertScfToCfPass(ModulePass):
    """Lowers scf.for, scf.while, scf.if and scf.index_switch, the outer ones first."""

    name = "convert-scf-to-cf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower every structured operation of the module."""
        for part in list(op.walk()):
            match part:
                case scf.ForOp():
                    _lower_for(part)
                case scf.WhileOp():
                    _lower_while(part)
                case scf.IfOp():
                    _lower_if(part)
                case scf.IndexSwitchOp():
                    _lower_switch(part)
                case _:
                    pass


def _split_behind(op: Operation) -> tuple[Block, Block]:
    """The block that ends before an operation, and a new one that begins behind it.

    The new block's parameters take the place of the operation's results.
    """
    before = op.parent
    assert before is not None
    following = op.next_op
    assert following is not None, "a structured operation ends no block"
    after = before.split_before(following, arg_types=op.result_types)
    for result, argument in zip(op.results, after.args, strict=True):
        argument.name_hint = result.name_hint
        result.replace_all_uses_with(argument)
    return before, after


def _inline(region: Region, after: Block) -> Block:
    """Move the blocks of a region before a block; the first of them."""
    first = region.blocks[0]
    Rewriter.inline_region(region, BlockInsertPoint.before(after))
    return first


def _ends(block: Block, after: Block, kind: type[Operation]) -> list[Operation]:
    """The terminators of this kind between a block and another that follows it."""
    found: list[Operation] = []
    each: Block | None = block
    while each is not None and each is not after:
        if isinstance(each.last_op, kind):
            found.append(each.last_op)
        each = each.next_block
    return found


def _lower_for(op: scf.ForOp) -> None:
    before, after = _split_behind(op)
    bounds, step, starts = (op.lb, op.ub), op.step, list(op.iter_args)
    body = _inline(op.body, after)
    (last,) = _ends(body, after, scf.YieldOp)
    yielded = list(last.operands)
    end = last.parent
    assert end is not None
    following = arith.AddiOp(body.args[0], step)
    test = CmpiOp(following.result, bounds[1], "slt")
    back = cf.ConditionalBranchOp(test.result, body, [following.result, *yielded], after, yielded)
    Rewriter.erase_op(last)
    end.add_ops([marked(following, op), marked(test, op), marked(back, op)])
    low, high = known_integer(bounds[0]), known_integer(bounds[1])
    Rewriter.erase_op(op)
    if low is not None and high is not None and low < high:
        before.add_op(marked(cf.BranchOp(body, bounds[0], *starts), op))
        return
    first = CmpiOp(bounds[0], bounds[1], "slt")
    enter = cf.ConditionalBranchOp(first.result, body, [bounds[0], *starts], after, starts)
    before.add_ops([marked(first, op), marked(enter, op)])


def _lower_while(op: scf.WhileOp) -> None:
    before, after = _split_behind(op)
    starts = list(op.arguments)
    test, body = op.before_region, op.after_region
    tested = _inline(test, after)
    (condition,) = _ends(tested, after, scf.ConditionOp)
    inner = _inline(body, after)
    (last,) = _ends(inner, after, scf.YieldOp)
    assert isinstance(condition, scf.ConditionOp)
    _replace_end(last, cf.BranchOp(tested, *last.operands))
    passed = list(condition.args)
    made = cf.ConditionalBranchOp(condition.condition, inner, passed, after, passed)
    _replace_end(condition, made)
    Rewriter.erase_op(op)
    before.add_op(marked(cf.BranchOp(tested, *starts), op))


def _replace_end(last: Operation, made: Operation) -> None:
    block = last.parent
    assert block is not None
    marked(made, last)
    Rewriter.erase_op(last)
    block.add_op(made)


def _arm(region: Region, after: Block) -> Block:
    """An arm moved before a block that it goes on to."""
    first = _inline(region, after)
    for last in _ends(first, after, scf.YieldOp):
        _replace_end(last, cf.BranchOp(after, *last.operands))
    return first


def _lower_if(op: scf.IfOp) -> None:
    before, after = _split_behind(op)
    condition = op.cond
    then = _arm(op.true_region, after)
    other = _arm(op.false_region, after) if op.false_region.blocks else after
    Rewriter.erase_op(op)
    before.add_op(marked(cf.ConditionalBranchOp(condition, then, [], other, []), op))


def _lower_switch(op: scf.IndexSwitchOp) -> None:
    before, after = _split_behind(op)
    flag, cases = op.arg, list(op.cases.iter_values())
    arms = [_arm(region, after) for region in op.case_regions]
    default = _arm(op.default_region, after)
    Rewriter.erase_op(op)
    tests: list[tuple[int, Block]] = list(zip(cases, arms, strict=True))
    _chain(before, flag, tests, default, op)


def _chain(
    block: Block,
    flag: SSAValue,
    tests: Sequence[tuple[int, Block]],
    default: Block,
    op: Operation,
) -> None:
    """One comparison after another, each in a block of its own."""
    for position, (case, arm) in enumerate(tests):
        value = arith.ConstantOp(IntegerAttr(case, flag.type))  # pyright: ignore
        test = CmpiOp(flag, value.result, "eq")
        following = default
        if position + 1 < len(tests):
            following = Block()
            region = block.parent
            assert region is not None
            region.insert_block_after(following, block)
        branch = cf.ConditionalBranchOp(test.result, arm, [], following, [])
        block.add_ops([marked(value, op), marked(test, op), marked(branch, op)])
        block = following
