"""Verification of a whole module, with the place and the reason of what doesn't hold.

Invariant: after it, every operation holds the rules of its definition, every block ends as its
    region demands, and every value is defined before its uses on every path to them. Operations
    are verified after those that they contain, so that a rule may rely on what is inside.
Why: xDSL's own verifier says no place, prints the whole module into its message, doesn't compare
    the order of definition and use, and recurses once a level.
Refuses: source-structure, source-value-undefined, and what the operations' own rules refuse.
Entry: `verify_module`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import IsTerminator, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from alpha.ir.frontend.dominance import Dominance
from alpha.ir.frontend.foreign_errors import arose_in_xdsl, split_message
from alpha.ir.frontend.memory_rules import MemoryRules
from alpha.ir.frontend.vector_rules import check_vectors
from alpha.ir.refusals import Note, Refusal, name_of, place_of


def verify_module(module: Operation) -> None:
    """Verify an operation and all that it contains.

    Raises Refusal at the operation that doesn't hold.
    """
    scopes = _Scopes()
    memory = MemoryRules()
    for op, inner_done in _visit(module):
        if inner_done:
            _check_blocks(op)
            _check_symbols(op)
            _check_own_rules(op)
            _check_cases(op)
            memory.check(op)
            check_vectors(op)
        else:
            scopes.check_operands(op)
            _check_end(op)


def _visit(root: Operation) -> Iterator[tuple[Operation, bool]]:
    """Each operation twice: before what it contains (False) and after it (True)."""
    stack: list[tuple[Operation, bool]] = [(root, False)]
    while stack:
        op, inner_done = stack.pop()
        yield op, inner_done
        if not inner_done:
            stack.append((op, True))
            inner = [each for region in op.regions for block in region.blocks for each in block.ops]
            stack.extend((each, False) for each in reversed(inner))


def _check_own_rules(op: Operation) -> None:
    """What the operation's definition demands of it."""
    try:
        op.verify_()
    except Refusal as refusal:
        if refusal.place is None:
            refusal.place = place_of(op)
        raise
    except Exception as error:
        bug = isinstance(error, RecursionError | MemoryError) or not arose_in_xdsl(error)
        if bug and not isinstance(error, VerifyException):
            raise
        expected, found = split_message(str(error), None, f"'{name_of(op)}' to hold its rules")
        raise Refusal("source-structure", expected, found, op) from error


def _check_cases(op: Operation) -> None:
    """The cases of a `cf.switch` differ, as those of `scf.index_switch` do by its own rules."""
    if not isinstance(op, cf.SwitchOp) or not isinstance(op.case_values, DenseIntOrFPElementsAttr):
        return
    seen: set[object] = set()
    for number in op.case_values.get_values():
        if number in seen:
            expected = "cases that differ in 'cf.switch'"
            raise Refusal("source-structure", expected, f"{number} again", op)
        seen.add(number)


def _check_blocks(op: Operation) -> None:
    """A region of one block needs a terminator, unless its operation says otherwise."""
    for region in op.regions:
        if len(region.blocks) == 1 and region.blocks[0].is_empty and not op.has_trait(NoTerminator):
            expected = f"a terminator in the block of '{name_of(op)}'"
            raise Refusal("source-structure", expected, "an empty block", op)


def _check_symbols(op: Operation) -> None:
    """The names in a plain symbol table differ; special tables check them by their own rules."""
    if not any(type(trait) is SymbolTable for trait in op.get_traits_of_type(SymbolTable)):
        return
    first: dict[str, Operation] = {}
    for region in op.regions:
        for inner in (each for block in region.blocks for each in block.ops):
            symbol = inner.get_trait(SymbolOpInterface)
            name = None if symbol is None else symbol.get_sym_attr_name(inner)
            if name is None:
                continue
            earlier = first.setdefault(name.data, inner)
            if earlier is not inner:
                notes = (Note("it is defined here first", place_of(earlier)),)
                expected = f"one symbol of a name in '{name_of(op)}'"
                found = f"'@{name.data}' again"
                raise Refusal("source-structure", expected, found, inner, notes)


def _check_end(op: Operation) -> None:
    """Terminators stand last in their block, and only they go to other blocks."""
    block = op.parent
    region = None if block is None else block.parent
    if op.successors and (block is None or region is None or block.last_op is not op):
        expected = "an operation with successors at the end of its block"
        raise Refusal("source-structure", expected, f"'{name_of(op)}' before the end", op)
    if any(successor.parent is not region for successor in op.successors):
        expected = "successors in the operation's own region"
        raise Refusal("source-structure", expected, f"'{name_of(op)}' that leaves it", op)
    if region is not None and region.blocks.first in op.successors:
        expected = "successors other than the first block of the region"
        raise Refusal("source-structure", expected, f"'{name_of(op)}' that goes back to it", op)
    if block is None or region is None or block.last_op is not op or op.has_trait(IsTerminator):
        return
    holder = region.parent
    alone = len(region.blocks) == 1
    if alone and (holder is None or holder.has_trait(NoTerminator)):
        return
    name = "a region" if holder is None else f"'{name_of(holder)}'"
    expected = f"a terminator at the end of each block of {name}"
    raise Refusal("source-structure", expected, f"'{name_of(op)}'", op)


class _Scopes:
    """Which definitions have been passed, on a walk in the order of the text."""

    def __init__(self) -> None:
        self._passed: set[Operation] = set()
        self._dominance: dict[Region, Dominance] = {}

    def check_operands(self, op: Operation) -> None:
        """Refuse an operand that isn't defined where the operation stands; then pass it."""
        for operand in op.operands:
            owner = operand.owner
            block = owner if isinstance(owner, Block) else owner.parent
            if block is op.parent and block is not None:
                visible = owner is block or owner in self._passed
            else:
                visible = self._is_visible(owner, block, op)
            if not visible:
                raise _undefined(operand, op)
        self._passed.add(op)

    def _is_visible(self, owner: Operation | Block, block: Block | None, op: Operation) -> bool:
        """Whether a definition outside the operation's own block reaches the operation."""
        region = None if block is None else block.parent
        if block is None or region is None:
            return False
        user: Operation | None = op
        while user is not None and (user.parent is None or user.parent.parent is not region):
            user = user.parent_op()
        if user is None or user.parent is None:
            return False
        if user.parent is block:
            return owner is block or (owner in self._passed and owner is not user)
        if region not in self._dominance:
            self._dominance[region] = Dominance(region)
        return self._dominance[region].dominates(block, user.parent)


def _undefined(value: SSAValue, op: Operation) -> Refusal:
    owner = value.owner
    name = f"'%{value.name_hint}'" if value.name_hint else "a value"
    expected = f"operands of '{name_of(op)}' that are defined before it on every path"
    if isinstance(value, BlockArgument) or not isinstance(owner, Operation):
        return Refusal("source-value-undefined", expected, f"{name} of a block out of reach", op)
    place = place_of(owner)
    where = "itself" if owner is op else "later or out of reach"
    notes = () if place is None else (Note(f"{name} is defined here", place),)
    return Refusal("source-value-undefined", expected, f"{name}, defined {where}", op, notes)
