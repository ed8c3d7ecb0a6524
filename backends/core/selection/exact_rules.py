"""What a reciprocal is where no quotient is computed with it: nothing is made of the divisor.

Entry: `nothing_made`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.matching import Match, Matcher


def nothing_made(matcher: Matcher, op: Operation) -> Match:
    """`exact.reciprocal`: each result is the divisor's register, which no row reads."""
    del matcher

    def emit(builder: Builder) -> None:
        for result in op.results:
            builder.bind(result, builder.value(op.operands[0]))

    return Match([op.operands[0]], emit)
