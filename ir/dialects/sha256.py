"""The `sha256` dialect: steps of SHA-256 that processors have instructions for, on four words each.

    %w = sha256.words %bytes
    %next = sha256.schedule %w0, %w4, %w8, %w12
    %x, %y = sha256.pack %abcd, %efgh
    %u, %v = sha256.rounds %x, %y, %added
    %s = sha256.add %x, %u : !sha256.first
    %ABCD, %EFGH = sha256.unpack %u, %v

Words are vector<4xi32>, the first in lane 0. `sha256.words` reads 16 bytes of a message as
big-endian words. `sha256.schedule` gives the words from W[t] on, of those from W[t - 16],
W[t - 12], W[t - 8] and W[t - 4] on. `sha256.rounds` are four rounds, whose constants have been
added to the words.

Between rounds a processor has the words of the state in an order of its own, so two halves of it
have types of their own: `sha256.pack` brings them there, `sha256.unpack` back, and `sha256.add`
adds the words of two halves. What a half is in memory isn't said, nor what is computed of halves
that don't belong together.

Source: FIPS 180-4, 4.1.2 and 6.2.2.
Entry: `SHA256`, `FirstHalfType`, `SecondHalfType`, `WordsOp`, `ScheduleOp`, `PackOp`, `RoundsOp`,
    `AddOp`, `UnpackOp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType, i32
from xdsl.ir import Dialect, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure


@irdl_attr_definition
class FirstHalfType(ParametrizedAttribute, TypeAttribute):
    """Four words of a state between rounds."""

    name = "sha256.first"


@irdl_attr_definition
class SecondHalfType(ParametrizedAttribute, TypeAttribute):
    """The other four words."""

    name = "sha256.second"


WORDS = VectorType(i32, [4])
FIRST, SECOND = FirstHalfType(), SecondHalfType()

_WORDS = EqAttrConstraint(WORDS)
_FIRST, _SECOND = EqAttrConstraint(FIRST), EqAttrConstraint(SECOND)
_HALF = VarConstraint("T", BaseAttr(FirstHalfType) | BaseAttr(SecondHalfType))


@irdl_op_definition
class WordsOp(IRDLOperation):
    """Four words of a message, of its bytes as they lie in memory."""

    name = "sha256.words"
    bytes = operand_def(_WORDS)
    words = result_def(_WORDS)
    traits = traits_def(Pure())
    assembly_format = "$bytes attr-dict"

    def __init__(self, bytes: SSAValue) -> None:
        super().__init__(operands=[bytes], result_types=[WORDS])


@irdl_op_definition
class ScheduleOp(IRDLOperation):
    """The next four words, of the sixteen before them."""

    name = "sha256.schedule"
    first = operand_def(_WORDS)
    second = operand_def(_WORDS)
    third = operand_def(_WORDS)
    fourth = operand_def(_WORDS)
    next_words = result_def(_WORDS)
    traits = traits_def(Pure())
    assembly_format = "$first `,` $second `,` $third `,` $fourth attr-dict"

    def __init__(self, words: Sequence[SSAValue]) -> None:
        super().__init__(operands=list(words), result_types=[WORDS])


@irdl_op_definition
class PackOp(IRDLOperation):
    """A state as rounds take it, of its words a, b, c, d and e, f, g, h."""

    name = "sha256.pack"
    abcd = operand_def(_WORDS)
    efgh = operand_def(_WORDS)
    first = result_def(_FIRST)
    second = result_def(_SECOND)
    traits = traits_def(Pure())
    assembly_format = "$abcd `,` $efgh attr-dict"

    def __init__(self, abcd: SSAValue, efgh: SSAValue) -> None:
        super().__init__(operands=[abcd, efgh], result_types=[FIRST, SECOND])


@irdl_op_definition
class RoundsOp(IRDLOperation):
    """A state four rounds later."""

    name = "sha256.rounds"
    first = operand_def(_FIRST)
    second = operand_def(_SECOND)
    added = operand_def(_WORDS)
    next_first = result_def(_FIRST)
    next_second = result_def(_SECOND)
    traits = traits_def(Pure())
    assembly_format = "$first `,` $second `,` $added attr-dict"

    def __init__(self, first: SSAValue, second: SSAValue, added: SSAValue) -> None:
        super().__init__(operands=[first, second, added], result_types=[FIRST, SECOND])


@irdl_op_definition
class AddOp(IRDLOperation):
    """The sums of the words of two halves, modulo 2^32."""

    name = "sha256.add"
    left = operand_def(_HALF)
    right = operand_def(_HALF)
    result = result_def(_HALF)
    traits = traits_def(Pure())
    assembly_format = "$left `,` $right attr-dict `:` type($left)"

    def __init__(self, left: SSAValue, right: SSAValue) -> None:
        super().__init__(operands=[left, right], result_types=[left.type])


@irdl_op_definition
class UnpackOp(IRDLOperation):
    """The words a, b, c, d and e, f, g, h of a state."""

    name = "sha256.unpack"
    first = operand_def(_FIRST)
    second = operand_def(_SECOND)
    abcd = result_def(_WORDS)
    efgh = result_def(_WORDS)
    traits = traits_def(Pure())
    assembly_format = "$first `,` $second attr-dict"

    def __init__(self, first: SSAValue, second: SSAValue) -> None:
        super().__init__(operands=[first, second], result_types=[WORDS, WORDS])


SHA256 = Dialect(
    "sha256",
    [WordsOp, ScheduleOp, PackOp, RoundsOp, AddOp, UnpackOp],
    [FirstHalfType, SecondHalfType],
)
