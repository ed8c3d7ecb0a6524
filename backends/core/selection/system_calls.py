"""System calls and their constants, by the tables of `ir/linux`.

Entry: `system_call`, `system_constant`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import MakeInteger
from alpha.backends.core.selection.matching import Match, Matcher, Matching
from alpha.ir.dialects.linux import ConstantOp, SyscallOp
from alpha.ir.linux.calls import number_of
from alpha.ir.linux.constants import value_of


def system_call(row: str, integer: MakeInteger) -> Matching:
    """`linux.syscall`: the row is named `row` and its number of arguments."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, SyscallOp)
        number = number_of(op.call.data, matcher.target.name)
        name = f"{row}_{len(op.arguments)}"

        def emit(builder: Builder) -> None:
            arguments = [builder.value(value) for value in op.arguments]
            (made,) = builder.emit(name, integer(builder, number), *arguments)
            builder.bind(op.result, made)

        return Match(list(op.arguments), emit)

    return match


def system_constant(integer: MakeInteger) -> Matching:
    """`linux.constant`."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, ConstantOp)
        value = value_of(op.constant.data, matcher.target.name) & ((1 << 64) - 1)

        def emit(builder: Builder) -> None:
            builder.bind(op.result, integer(builder, value))

        return Match([], emit)

    return match
