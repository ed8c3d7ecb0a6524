"""The operations of `linalg` on the axes of one tensor: transpose, broadcast, reduce.

Invariant: the loops are the axes of the larger of the two tensors, in their order.
Refuses: pointwise-type, pointwise-domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.linalg import LoopKind
from alpha.ir.dialects.linalg_named import check_body, check_named, scalar_body
from alpha.ir.dialects.linalg_structured import StructuredOp, parse_group, print_group
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import shape_of
from alpha.ir.syntax import parse_counts, parse_keyed, place_at


def _as_it_is(words: Sequence[SSAValue]) -> list[Operation]:
    """The body of an operation that moves words and computes nothing."""
    return []


class ShapedOp(StructuredOp):
    """One tensor after `ins`, one after `outs`, and numbers that say what becomes of the axes."""

    input = operand_def(TensorType)
    init = operand_def(TensorType)
    output = result_def(TensorType)

    def sources(self) -> Sequence[SSAValue]:
        return (self.input,)

    def inits(self) -> Sequence[SSAValue]:
        return (self.init,)

    def numbers(self) -> tuple[int, ...]:
        """The permutation, or the dimensions that are added or folded."""
        raise NotImplementedError

    def verify_(self) -> None:
        check_named(self.name, (1, 1), self.sources(), self.inits(), self)
        self.check_numbers()
        super().verify_()

    def check_numbers(self) -> None:
        """Refuse numbers that aren't axes, or not of tensors of these ranks."""
        raise NotImplementedError

    def _require(self, holds: bool, wanted: str) -> None:
        if not holds:
            ranks = f"{self._rank(self.input)} axes to {self._rank(self.init)}"
            found = f"{list(self.numbers())} from {ranks}"
            raise Refusal("pointwise-domain", wanted, found, self)

    @staticmethod
    def _rank(value: SSAValue) -> int:
        return len(shape_of(value.type))

    def print_operands(self, printer: Printer, key: str) -> None:
        """Print `ins(%a : ...) outs(%b : ...) permutation = [1, 0]` and the attributes."""
        print_group(printer, "ins", self.sources())
        print_group(printer, "outs", self.inits())
        printer.print_string(f" {key} = {list(self.numbers())}")
        printer.print_op_attributes(self.attributes)


def _kept(loops: int, dropped: Sequence[int]) -> AffineMap:
    """From all loops to those that aren't dropped, in order."""
    axes = (AffineExpr.dimension(loop) for loop in range(loops) if loop not in dropped)
    return AffineMap(loops, 0, tuple(axes))


def _parse_operands(
    parser: Parser, name: str, key: str
) -> tuple[SSAValue, SSAValue, DenseArrayBase, dict[str, Attribute]]:
    place = place_at(parser, parser.pos)
    sources, inits = parse_group(parser, "ins"), parse_group(parser, "outs")
    numbers = parse_keyed(parser, key, parse_counts)
    check_named(name, (1, 1), sources, inits, place)
    if not isinstance(sources[0].type, TensorType):
        wanted = f"a tensor after ins in {name}"
        raise Refusal("pointwise-type", wanted, str(sources[0].type), place)
    attributes = parser.parse_optional_attr_dict()
    return sources[0], inits[0], DenseArrayBase.from_list(i64, list(numbers)), attributes


SHORT_BODIES = {
    op.name: op
    for op in (
        arith.AddfOp,
        arith.MulfOp,
        arith.MaximumfOp,
        arith.MinimumfOp,
        arith.MaxnumfOp,
        arith.MinnumfOp,
    )
}
"""What MLIR writes for a body of one operation on the init's word and then the input's."""


def _parse_short_body(parser: Parser) -> Callable[[SSAValue, SSAValue], Operation] | None:
    """Read `{ arith.addf }`, if present."""
    if parser.parse_optional_punctuation("{") is None:
        return None
    place = place_at(parser, parser.pos)
    name = parser.parse_identifier()
    if name not in SHORT_BODIES:
        raise Refusal("source-syntax", f"one of {', '.join(SHORT_BODIES)}", name, place)
    parser.parse_punctuation("}")
    return SHORT_BODIES[name]


@irdl_op_definition
class TransposeOp(ShapedOp):
    """Axis `permutation[i]` of the input becomes axis i: `... permutation = [1, 0]`."""

    name = "linalg.transpose"
    permutation = prop_def(DenseArrayBase.constr(i64))

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        permutation: DenseArrayBase,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[input, init],
            result_types=[init.type],
            properties={"permutation": permutation},
            regions=[scalar_body([input, init], _as_it_is)],
            attributes=attributes or {},
        )

    def numbers(self) -> tuple[int, ...]:
        return tuple(int(number) for number in self.permutation.iter_values())

    def maps(self) -> Sequence[AffineMap]:
        numbers = self.numbers()
        axes = tuple(AffineExpr.dimension(numbers.index(axis)) for axis in range(len(numbers)))
        return AffineMap(len(numbers), 0, axes), AffineMap.identity(len(numbers))

    def iterators(self) -> Sequence[LoopKind]:
        return (LoopKind.PARALLEL,) * len(self.numbers())

    def check_numbers(self) -> None:
        rank = self._rank(self.init)
        holds = sorted(self.numbers()) == list(range(rank)) and self._rank(self.input) == rank
        self._require(holds, "a permutation of all axes")

    def verify_(self) -> None:
        super().verify_()
        check_body(self, _as_it_is)

    @classmethod
    def parse(cls, parser: Parser) -> TransposeOp:
        return cls(*_parse_operands(parser, cls.name, "permutation"))

    def print(self, printer: Printer) -> None:
        self.print_operands(printer, "permutation")


class DimensionsOp(ShapedOp):
    """What broadcast and reduce share: `dimensions`, the axes that one of the tensors lacks."""

    dimensions = prop_def(DenseArrayBase.constr(i64))

    def numbers(self) -> tuple[int, ...]:
        return tuple(int(number) for number in self.dimensions.iter_values())

    def check_axes(self, larger: SSAValue, smaller: SSAValue) -> None:
        """Refuse dimensions that aren't those that the smaller tensor lacks."""
        rank, numbers = self._rank(larger), self.numbers()
        inside = len(set(numbers)) == len(numbers) and all(0 <= each < rank for each in numbers)
        holds = inside and self._rank(smaller) == rank - len(numbers)
        self._require(holds, "different dimensions, as many as the ranks differ by")


@irdl_op_definition
class BroadcastOp(DimensionsOp):
    """The same words along each of `dimensions`, which the result has and the input hasn't."""

    name = "linalg.broadcast"

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        dimensions: DenseArrayBase,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[input, init],
            result_types=[init.type],
            properties={"dimensions": dimensions},
            regions=[scalar_body([input, init], _as_it_is)],
            attributes=attributes or {},
        )

    def maps(self) -> Sequence[AffineMap]:
        rank = self._rank(self.init)
        return _kept(rank, self.numbers()), AffineMap.identity(rank)

    def iterators(self) -> Sequence[LoopKind]:
        return (LoopKind.PARALLEL,) * self._rank(self.init)

    def check_numbers(self) -> None:
        self.check_axes(self.init, self.input)

    def verify_(self) -> None:
        super().verify_()
        check_body(self, _as_it_is)

    @classmethod
    def parse(cls, parser: Parser) -> BroadcastOp:
        return cls(*_parse_operands(parser, cls.name, "dimensions"))

    def print(self, printer: Printer) -> None:
        self.print_operands(printer, "dimensions")


@irdl_op_definition
class ReduceOp(DimensionsOp):
    """A reduction along `dimensions` by a body: `... dimensions = [1] (%in: f64, %out: f64) {...}`.

    As in `linalg.generic` the body must be `out + f(in)`, with the operands of the sum in any
    order, or the maximum of `pointwise.max`.
    """

    name = "linalg.reduce"

    def __init__(
        self,
        input: SSAValue,
        init: SSAValue,
        dimensions: DenseArrayBase,
        body: Region,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[input, init],
            result_types=[init.type],
            properties={"dimensions": dimensions},
            regions=[body],
            attributes=attributes or {},
        )

    def maps(self) -> Sequence[AffineMap]:
        rank = self._rank(self.input)
        return AffineMap.identity(rank), _kept(rank, self.numbers())

    def iterators(self) -> Sequence[LoopKind]:
        folded = self.numbers()
        return [
            LoopKind.REDUCTION if loop in folded else LoopKind.PARALLEL
            for loop in range(self._rank(self.input))
        ]

    def check_numbers(self) -> None:
        self.check_axes(self.input, self.init)

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        scalar = _parse_short_body(parser)
        input, init, dimensions, attributes = _parse_operands(parser, cls.name, "dimensions")
        if scalar is not None:
            body = scalar_body([input, init], lambda words: [scalar(words[1], words[0])])
            return cls(input, init, dimensions, body, attributes)
        arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        return cls(input, init, dimensions, parser.parse_region(arguments), attributes)

    def print(self, printer: Printer) -> None:
        self.print_operands(printer, "dimensions")
        printer.print_string(" ")
        printer.enter_scope()
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)
        printer.exit_scope()
