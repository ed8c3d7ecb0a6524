"""Selects rows for a function: which operations are needed, what each becomes, in their order.

First every block is walked backwards, those that others dominate first, so that all users of a
value are seen before its definition: an operation is matched if it does something or a match has
asked for its result. Then the matches write their rows forwards, so that memory is read and written
in the order of the source.

Invariant: an operation that no rule fits is refused by name; none is left out.
Refuses: target-unsupported.
Entry: `select_function`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func, memref, ptr
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block as IRBlock
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.program import Block, Function
from alpha.backends.core.registers import View
from alpha.backends.core.selection.builder import Builder, slice_of
from alpha.backends.core.selection.calls import arrive
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.matching import Match, Matcher, RuleSet, is_pure, subject_of
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal


def select_function(op: func.FuncOp, target: Target, rules: RuleSet) -> Function:
    """The function in rows on values.

    Raises:
        Refusal: `target-unsupported`, at an operation that the target can't do.
    """
    return _Selection(op, target, rules).run()


class _Selection:
    def __init__(self, op: func.FuncOp, target: Target, rules: RuleSet) -> None:
        self._op, self._target, self._rules = op, target, rules
        self._matcher = Matcher(target, rules)
        self._order = reverse_postorder(op.body.blocks.first)
        self._matches: dict[Operation, Match] = {}
        self._needed: set[SSAValue] = set()

    def run(self) -> Function:
        """Match, then write."""
        for block in reversed(self._order):
            for op in reversed(list(block.ops)):
                self._match(op)
        numbers = {block: number for number, block in enumerate(self._order)}
        exported = self._op.sym_visibility is None or self._op.sym_visibility.data != "private"
        name = self._op.sym_name.data
        function = Function(name, [Block([]) for _ in numbers], [], [], exported=exported)
        builder = Builder(function, self._target, numbers)
        for block, number in numbers.items():
            if number:
                for value in block.args:
                    register = builder.fresh(view_of(value, self._target))
                    function.blocks[number].parameters.append(register)
                    builder.bind(value, register)
        for block, number in numbers.items():
            builder.enter(function.blocks[number])
            if not number:
                arrive(builder, block.args, self._target, self._rules.extended)
            for op in block.ops:
                if (found := self._matches.get(op)) is not None:
                    builder.origin = origin_of(op)
                    found.emit(builder)
        return function

    def _match(self, op: Operation) -> None:
        if isinstance(op, memref.AllocaOp):
            slice_of(op)  # refuses one that no frame can hold, also where nobody uses it
        wanted = any(result in self._needed for result in op.results)
        if not (wanted or does_something(op)):
            return
        found = self._matcher.match(op)
        if found is None:
            key = subject_of(op)
            wanted_text = f"operations that {self._target.name} has rows for"
            raise Refusal("target-unsupported", wanted_text, f"{op.name} on {key or 'nothing'}", op)
        self._matches[op] = found
        self._needed.update(found.needs)


def does_something(op: Operation) -> bool:
    """Whether an operation is needed though nobody uses its results."""
    if isinstance(op, ptr.LoadOp | memref.AllocaOp):
        return False
    return bool(op.successors) or not is_pure(op)


def view_of(value: SSAValue, target: Target) -> View:
    """The view of a value of the source."""
    key = key_of(value.type)
    try:
        return target.views[target.view_of(key)]
    except KeyError:
        owner = value.owner
        at = owner if isinstance(owner, Operation) else owner.parent_op()
        wanted = f"types that {target.name} has registers for"
        raise Refusal("target-unsupported", wanted, key, at) from None


def origin_of(op: Operation) -> str:
    """What an operation comes from, as passes above have noted it."""
    held = op.attributes.get("origin")
    return held.data if isinstance(held, StringAttr) else ""


def reverse_postorder(entry: IRBlock | None) -> list[IRBlock]:
    """The blocks that can be reached, each before those that it dominates."""
    if entry is None:
        return []
    found: list[IRBlock] = []
    seen = {entry}
    stack = [(entry, iter(successors_of(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successors_of(successor))))
                break
        else:
            stack.pop()
            found.append(block)
    return found[::-1]


def successors_of(block: IRBlock) -> Sequence[IRBlock]:
    """Where a block goes on to; the first successor last, so that it follows its block in order."""
    last = block.last_op
    return () if last is None else tuple(last.successors)[::-1]
