"""Control of a protocol: bounded repeats, and scopes in which fewer roles act.

Invariant: a repeat has a bound. A value that is carried round a repeat is with the roles that its
    type names, in every iteration and afterwards.
Refuses: protocol-repeat-zero, protocol-repeat-bound, protocol-payload-type,
    protocol-value-not-held, source-structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator

from alpha.ir.attributes.protocol_values import (
    AtType,
    parse_roles,
    roles_text,
)
from alpha.ir.attributes.region import SelectAttr
from alpha.ir.dialects.protocol_bodies import (
    YieldOp,
    arm_values,
    check_carried,
    parse_bound,
    parse_site,
    print_bound,
    print_site,
)
from alpha.ir.dialects.protocol_choices import UntilOp
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, as_group
from alpha.ir.selections.form import LIMIT
from alpha.ir.syntax import (
    parse_attributes,
    parse_block,
    parse_count,
)

BOUND_MAX = (1 << 63) - 1
"""Most iterations of a repeat: they are counted in a signed 64-bit word."""

ARMS_MAX = 1 << 16
"""Most arms of a choice."""


@irdl_op_definition
class RepeatOp(IRDLOperation):
    """A body that is run a bounded number of times: `%r = protocol.repeat 5 (%x = %x0) { ... }`.

    The body ends in `protocol.yield`, which gives the values of the next iteration, or in
    `protocol.until`, which may leave before the bound. It is projected once, whatever the bound; in
    a role's program `site` is its number in the protocol.
    """

    name = "protocol.repeat"
    bound = prop_def(IntAttr)
    site = opt_prop_def(IntAttr)
    initial = var_operand_def(AtType)
    outcomes = var_result_def(AtType)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        bound: int,
        initial: Sequence[SSAValue],
        body: Region | Block,
        site: int | None = None,
    ) -> None:
        super().__init__(
            operands=[list(initial)],
            result_types=[[value.type for value in initial]],
            properties={
                "bound": IntAttr(bound),
                "site": None if site is None else IntAttr(site),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def end(self) -> YieldOp | UntilOp | None:
        """The end of the body; a body that carries nothing may have none."""
        last = self.body.block.last_op
        return last if isinstance(last, YieldOp | UntilOp) else None

    def verify_(self) -> None:
        bound = self.bound.data
        if bound == 0:
            raise Refusal("protocol-repeat-zero", "a repeat of at least 1 iteration", "0", self)
        if not 0 < bound <= BOUND_MAX:
            wanted = f"a bound of at most {BOUND_MAX}"
            raise Refusal("protocol-repeat-bound", wanted, str(bound), self)
        types = [value.type for value in self.initial]
        arguments = [argument.type for argument in self.body.block.args]
        if arguments != types or [each.type for each in self.outcomes] != types:
            wanted = "arguments and results of the types of the initial values"
            raise Refusal("protocol-payload-type", wanted, "others", self)
        values = () if self.end is None else self.end.values
        check_carried(self.end or self, "to carry on", types, values)

    @classmethod
    def parse(cls, parser: Parser) -> RepeatOp:
        bound = parse_count(parser)
        site = parse_site(parser)
        pairs = parse_bound(parser)
        attributes = parse_attributes(parser)
        arguments = [inside.resolve(outside.type) for inside, outside in pairs]
        region = parser.parse_region(arguments) if arguments else parse_block(parser)
        op = cls(bound, [outside for _, outside in pairs], region, site)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.bound.data}")
        print_site(printer, self.site)
        print_bound(printer, self.body.block.args, self.initial)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class ScopeOp(IRDLOperation):
    """A part of the protocol in which only some roles act: `protocol.scope stride(0, 1, 2) { }`."""

    name = "protocol.scope"
    roles = prop_def(SelectAttr)
    body = region_def("single_block")
    outcomes = var_result_def(AtType)
    traits = traits_def(NoTerminator())

    def __init__(self, roles: Selection, body: Region | Block) -> None:
        region = body if isinstance(body, Region) else Region(body)
        super().__init__(
            result_types=[[value.type for value in arm_values(region)]],
            properties={"roles": SelectAttr(roles)},
            regions=[region],
        )

    def verify_(self) -> None:
        as_group(self.roles.data, LIMIT)
        if self.body.block.args:
            raise Refusal("source-structure", "a scope without arguments", "some", self)
        check_carried(
            self, "out of a scope", [each.type for each in self.outcomes], arm_values(self.body)
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScopeOp:
        roles = parse_roles(parser)
        attributes = parse_attributes(parser)
        op = cls(roles, parse_block(parser))
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {roles_text(self.roles.data)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)
