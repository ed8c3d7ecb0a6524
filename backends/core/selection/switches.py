"""`cf.switch` as branches, one for each case, in their order.

Each branch but the first stands in a block of its own behind those of the source.

Entry: `switch`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import cf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation

from alpha.backends.core.program import Block, Edge
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import MakeInteger
from alpha.backends.core.selection.comparing import Tests, holds_immediate, signed
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.matching import Match, Matcher, Matching


def switch(tests: Tests, integer: MakeInteger) -> Matching:
    """`cf.switch`; `integer` makes a case that the comparison can't hold."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, cf.SwitchOp)
        key = key_of(op.flag.type, op)
        if key not in tests.integers:
            return None
        names = [name.format(use="branch") for name in tests.integers[key]]
        numbers = [_word(number, key) for number in _cases(op)]
        condition = tests.conditions["eq"]

        def emit(builder: Builder) -> None:
            register, immediate = (matcher.target.rows[name] for name in names)
            flag = builder.value(op.flag)
            arms = zip(op.case_blocks, op.case_operand, strict=True)
            edges = [builder.edge(*arm) for arm in arms]
            last = builder.edge(op.default_block, op.default_operands)
            for at, (number, edge) in enumerate(zip(numbers, edges, strict=True)):
                follows = last
                if at < len(numbers) - 1:
                    follows = Edge(len(builder.function.blocks), [])
                    builder.function.blocks.append(Block([]))
                held = _as_immediate(number, key, tests)
                ways = (edge, follows)
                if holds_immediate(immediate, held):
                    builder.emit_row(immediate, flag, extras=(held, condition), edges=ways)
                else:
                    other = integer(builder, number)
                    builder.emit_row(register, flag, other, extras=(condition,), edges=ways)
                if follows is not last:
                    builder.enter(builder.function.blocks[follows.block])
            if not numbers:
                jump = next(row for row in matcher.target.rows.values() if row.role == "jump")
                builder.emit_row(jump, edges=[last])

        handed = [value for part in op.case_operand for value in part]
        return Match([op.flag, *op.default_operands, *handed], emit)

    return match


def _cases(op: cf.SwitchOp) -> Sequence[int]:
    held = op.case_values
    if not isinstance(held, DenseIntOrFPElementsAttr):
        return ()
    return [number for number in held.get_values() if isinstance(number, int)]


def _word(number: int, key: str) -> int:
    """The bits of a case, with zeros above."""
    return number & ((1 << int(key[1:])) - 1)


def _as_immediate(number: int, key: str, tests: Tests) -> int:
    """With its sign, but where the row compares the zeros above a narrow integer."""
    return number if key == "i1" or key in tests.extended else signed(number, int(key[1:]))
