"""The programs of a learner: `pointwise.contribution` and `pointwise.update`.

Invariant: a contribution reads parameters and one sample and writes only its contribution; an
    update reads parameters, optimizer state, means and constants, and writes only parameters and
    optimizer state. A program captures nothing, so what it reads and writes is its signature.
Refuses: pointwise-type, pointwise-footprint, region-identity, target-unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, ArrayAttr, FunctionType, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface

from alpha.ir.dialects.pointwise_domain import DomainOp, check_captures
from alpha.ir.dialects.pointwise_terminators import ReturnOp
from alpha.ir.names import require_name
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.scalars import check_scalar
from alpha.ir.shapes import is_float, require_value_type, types_text
from alpha.ir.syntax import parse_attributes, print_quoted
from alpha.ir.unconverted import check_unconverted, is_unconverted


class ProgramOp(IRDLOperation):
    """What the two kinds of program share: a name, a signature and one block."""

    sym_name = prop_def(StringAttr)
    function_type = prop_def(FunctionType)
    body = region_def()

    def check_program(self) -> None:
        """Refuse a name, or a body that isn't one block of assignments ending in its return."""
        require_name(self.sym_name.data, "a program", self)
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        for number, type in enumerate(inputs):
            require_value_type(type, f"argument {number} of @{self.sym_name.data}", self)
        for number, type in enumerate(outputs):
            require_value_type(type, f"result {number} of @{self.sym_name.data}", self)
        if not outputs:
            raise Refusal("pointwise-type", "a program that writes something", "no result", self)
        if len(self.body.blocks) != 1:
            found = f"{len(self.body.blocks)} blocks"
            raise Refusal("pointwise-type", "a program of one block", found, self)
        block = self.body.block
        if tuple(block.arg_types) != tuple(inputs):
            wanted, found = types_text(inputs), types_text(block.arg_types)
            raise Refusal("pointwise-type", wanted, found, self)
        if not isinstance(block.last_op, ReturnOp):
            found = name_of(block.last_op) if block.last_op else "an empty body"
            raise Refusal("pointwise-type", "pointwise.return as the last operation", found, self)
        own: set[SSAValue] = set(block.args)
        for op in block.ops:
            if is_unconverted(op):
                check_unconverted(op)
            elif not isinstance(op, DomainOp | ReturnOp):
                check_scalar(op)
            check_captures(op, own)
            own.update(op.results)
        returned = [value.type for value in block.last_op.values]
        if returned != list(outputs):
            raise Refusal(
                "pointwise-type", types_text(outputs), types_text(returned), block.last_op
            )

    def print_arguments(self, printer: Printer, first: int, last: int) -> None:
        """Print `(%w : tensor<4xf64>)`."""
        with printer.in_parens():
            printer.print_list(self.body.block.args[first:last], printer.print_block_argument)

    def print_body(self, printer: Printer) -> None:
        """Print the extra attributes and the body."""
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def _parse_arguments(parser: Parser) -> list[Parser.Argument]:
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)


@irdl_op_definition
class ContributionOp(ProgramOp):
    """What one sample adds to a round.

    `pointwise.contribution @gradient(%w : tensor<4xf64>) sample(%x : tensor<4xf64>, %y : f64)
    -> (tensor<4xf64>, observed "loss" : f64) { ... }`. The arguments after `sample` are the
    components of one sample. Results marked `observed` are scalars that are summed in the same
    order, reported as total / count, and never fed back. A contribution need not be a gradient.
    """

    name = "pointwise.contribution"
    sample_inputs = prop_def(IntegerAttr[I64])
    observed = prop_def(ArrayAttr[StringAttr])
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        type: FunctionType,
        sample_inputs: int,
        observed: Sequence[str],
        body: Region | Block,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "function_type": type,
                "sample_inputs": IntegerAttr(sample_inputs, i64),
                "observed": ArrayAttr([StringAttr(name) for name in observed]),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
            attributes=attributes or {},
        )

    def parameter_types(self) -> tuple[Attribute, ...]:
        """The types of the arguments that aren't components of a sample."""
        inputs = self.function_type.inputs.data
        return tuple(inputs[: len(inputs) - self.sample_inputs.value.data])

    def sample_types(self) -> tuple[Attribute, ...]:
        """The types of the components of one sample."""
        return tuple(self.function_type.inputs.data[len(self.parameter_types()) :])

    def summed_types(self) -> tuple[Attribute, ...]:
        """The types of the results that the update may read."""
        outputs = self.function_type.outputs.data
        return tuple(outputs[: len(outputs) - len(self.observed.data)])

    def observed_names(self) -> tuple[str, ...]:
        """The names of the observations, which are the last results."""
        return tuple(name.data for name in self.observed.data)

    def verify_(self) -> None:
        inputs, outputs = self.function_type.inputs.data, self.function_type.outputs.data
        if not 0 <= self.sample_inputs.value.data <= len(inputs):
            wanted = f"0 to {len(inputs)} components of a sample"
            raise Refusal("pointwise-type", wanted, str(self.sample_inputs.value.data), self)
        names = self.observed_names()
        if len(names) > len(outputs):
            wanted = f"at most {len(outputs)} observations"
            raise Refusal("pointwise-type", wanted, str(len(names)), self)
        if len(set(names)) != len(names) or "" in names:
            raise Refusal("pointwise-type", "observations of different names", str(names), self)
        for name in names:
            require_name(name, "an observation", self)
        for name, type in zip(names, outputs[len(outputs) - len(names) :], strict=True):
            if not is_float(type):
                wanted = f"a scalar as observation {name!r}"
                raise Refusal("pointwise-type", wanted, str(type), self)
        self.check_program()

    @classmethod
    def parse(cls, parser: Parser) -> ContributionOp:
        name = parser.parse_symbol_name().data
        arguments = _parse_arguments(parser)
        parser.parse_keyword("sample")
        sample = _parse_arguments(parser)
        parser.parse_punctuation("->")
        observed: list[str] = []

        def parse_result() -> Attribute:
            if parser.parse_optional_keyword("observed") is not None:
                observed.append(parser.parse_str_literal(" for the name of an observation"))
                parser.parse_punctuation(":")
            elif observed:
                parser.raise_error("expected the observed results after all the others")
            return parser.parse_type()

        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_result)
        attributes = parse_attributes(parser)
        body = parser.parse_region(arguments + sample)
        inputs = [argument.type for argument in arguments + sample]
        type = FunctionType.from_lists(inputs, types)
        return cls(name, type, len(sample), observed, body, attributes)

    def print(self, printer: Printer) -> None:
        split = len(self.parameter_types())
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        self.print_arguments(printer, 0, split)
        printer.print_string(" sample")
        self.print_arguments(printer, split, len(self.body.block.args))
        printer.print_string(" -> ")
        summed = self.summed_types()
        names = self.observed_names()

        def print_result(number: int) -> None:
            if number >= len(summed):
                printer.print_string("observed ")
                print_quoted(printer, names[number - len(summed)])
                printer.print_string(" : ")
            printer.print_attribute(self.function_type.outputs.data[number])

        with printer.in_parens():
            printer.print_list(range(len(self.function_type.outputs.data)), print_result)
        self.print_body(printer)


@irdl_op_definition
class UpdateOp(ProgramOp):
    """The rule that turns the words of one version into those of the next.

    `pointwise.update @adam(%w : tensor<4xf64>, ...) -> (tensor<4xf64>, ...) { ... }`.
    """

    name = "pointwise.update"
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        type: FunctionType,
        body: Region | Block,
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            properties={"sym_name": StringAttr(name), "function_type": type},
            regions=[body if isinstance(body, Region) else Region(body)],
            attributes=attributes or {},
        )

    def verify_(self) -> None:
        self.check_program()

    @classmethod
    def parse(cls, parser: Parser) -> UpdateOp:
        name = parser.parse_symbol_name().data
        arguments = _parse_arguments(parser)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        attributes = parse_attributes(parser)
        body = parser.parse_region(arguments)
        type = FunctionType.from_lists([argument.type for argument in arguments], types)
        return cls(name, type, body, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name)
        self.print_arguments(printer, 0, len(self.body.block.args))
        printer.print_string(" -> ")
        with printer.in_parens():
            printer.print_list(self.function_type.outputs.data, printer.print_attribute)
        self.print_body(printer)
