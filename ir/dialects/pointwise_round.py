"""Programs at work in a round: `pointwise.sum`, `pointwise.mean` and `pointwise.apply`.

Invariant: a sum always comes with its count, and only a mean turns the two into words.
Refuses: pointwise-type.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FlatSymbolRefAttr, SymbolRefAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from alpha.ir.attributes.region import ContractAttr, CountType, SumType
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import require_value_type, types_text
from alpha.ir.syntax import (
    parse_attributes,
    parse_defined_operand,
    parse_defined_operands,
    place_at,
    print_operands,
    require_some,
)


@irdl_op_definition
class SumOp(IRDLOperation):
    """The sum of a contribution over all samples, in the order of the contract, with its count.

    `%sum, %count = pointwise.sum @gradient(%w) over @data
    contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>`.
    Without a contract the learner's owners declare it, one group an owner, or there is one group.
    """

    name = "pointwise.sum"
    callee = prop_def(FlatSymbolRefAttr)
    samples = prop_def(FlatSymbolRefAttr)
    contract = opt_prop_def(ContractAttr)
    arguments = var_operand_def()
    sums = var_result_def(SumType)
    count = result_def(CountType)

    def __init__(
        self,
        callee: str,
        arguments: Sequence[SSAValue],
        samples: str,
        types: Sequence[Attribute],
        contract: ContractAttr | None = None,
    ) -> None:
        symbol = SymbolRefAttr(samples)
        super().__init__(
            operands=[list(arguments)],
            result_types=[[SumType(type, symbol) for type in types], CountType(symbol)],
            properties={
                "callee": SymbolRefAttr(callee),
                "samples": symbol,
                "contract": contract,
            },
        )

    def verify_(self) -> None:
        for result in self.results:
            assert isinstance(result.type, SumType | CountType)
            if result.type.samples != self.samples:
                wanted = f"a sum and a count over @{self.samples.string_value()}"
                found = f"@{result.type.samples.string_value()}"
                raise Refusal("pointwise-type", wanted, found, self)

    @classmethod
    def parse(cls, parser: Parser) -> SumOp:
        callee = parser.parse_symbol_name().data
        arguments = parse_defined_operands(parser)
        parser.parse_keyword("over")
        samples = parser.parse_symbol_name().data
        contract = None
        if parser.parse_optional_keyword("contract") is not None:
            start = parser.pos
            contract = parser.parse_attribute()
            if not isinstance(contract, ContractAttr):
                parser.raise_error("expected #region.contract<...>", start, parser.pos)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = cls(callee, arguments, samples, types, contract)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.string_value())
        print_operands(printer, self.arguments)
        printer.print_string(" over ")
        printer.print_symbol_name(self.samples.string_value())
        if self.contract is not None:
            printer.print_string(" contract ")
            printer.print_attribute(self.contract)
        if self.sums:
            printer.print_string(" : ")
            types = [result.type for result in self.sums]
            printer.print_list(types, lambda type: printer.print_attribute(type.value))
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class MeanOp(IRDLOperation):
    """Total / count, one division a word: `%g = pointwise.mean %sum, %count`.

    The count is first rounded to the type of the words, as a literal is: f32 has no 16777217 and
    divides by 16777216. So is the count that an observation is divided by.
    """

    name = "pointwise.mean"
    sum = operand_def(SumType)
    count = operand_def(CountType)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, sum: SSAValue, count: SSAValue) -> None:
        type = sum.type.value if isinstance(sum.type, SumType) else sum.type
        super().__init__(operands=[sum, count], result_types=[type])

    def verify_(self) -> None:
        assert isinstance(self.sum.type, SumType) and isinstance(self.count.type, CountType)
        if self.sum.type.samples != self.count.type.samples:
            wanted = f"the count of @{self.sum.type.samples.string_value()}"
            found = f"the count of @{self.count.type.samples.string_value()}"
            raise Refusal("pointwise-type", wanted, found, self)
        if self.result.type != self.sum.type.value:
            raise Refusal("pointwise-type", str(self.sum.type.value), str(self.result.type), self)

    @classmethod
    def parse(cls, parser: Parser) -> MeanOp:
        place = place_at(parser, parser.pos)
        total = parse_defined_operand(parser)
        parser.parse_punctuation(",")
        count = parse_defined_operand(parser)
        if not isinstance(total.type, SumType) or not isinstance(count.type, CountType):
            wanted, found = "a sum and its count", types_text([total.type, count.type])
            raise Refusal("pointwise-type", wanted, found, place)
        op = cls(total, count)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class ApplyOp(IRDLOperation):
    """The words of the next version: `%w1, %m1 = pointwise.apply @adam(%w, %m, %g) : ..., ...`."""

    name = "pointwise.apply"
    callee = prop_def(FlatSymbolRefAttr)
    arguments = var_operand_def()
    outputs = var_result_def()

    def __init__(
        self, callee: str, arguments: Sequence[SSAValue], types: Sequence[Attribute]
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(types)],
            properties={"callee": SymbolRefAttr(callee)},
        )

    def verify_(self) -> None:
        require_some(self.outputs, "result", self)
        for number, value in enumerate((*self.arguments, *self.outputs)):
            require_value_type(value.type, f"operand or result {number}", self)

    @classmethod
    def parse(cls, parser: Parser) -> ApplyOp:
        callee = parser.parse_symbol_name().data
        arguments = parse_defined_operands(parser)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = cls(callee, arguments, types)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.callee.string_value())
        print_operands(printer, self.arguments)
        printer.print_string(" : ")
        printer.print_list(self.outputs, lambda value: printer.print_attribute(value.type))
        printer.print_op_attributes(self.attributes, print_keyword=True)
