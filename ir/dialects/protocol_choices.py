"""Decisions that one role takes and others hear of: which arm to take, and when to stop.

Invariant: a decision has one authority; the word that it tells is one of the canonical words 0 to
    k - 1, and the routes tell each role once, in an order that can be taken.
Refuses: protocol-choice-arm-count, protocol-choice-selector, protocol-choice-authority,
    protocol-choice-receiver-twice, protocol-choice-forwarder-early, source-structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator

from alpha.ir.attributes.protocol_values import (
    AtType,
    RoutesAttr,
    at_type,
    is_selector,
    parse_routes,
)
from alpha.ir.dialects.protocol_bodies import (
    arm_values,
    check_carried,
    check_parent,
    parse_located,
    parse_located_values,
    parse_site,
    print_site,
    print_values,
)
from alpha.ir.protocol.routes import Routes
from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_attributes, parse_count

ARMS_MAX = 1 << 16
"""Most arms of a choice."""


def _parse_decision(parser: Parser) -> tuple[int | None, Routes | None]:
    """Read `by 0 along [0 -> 1]`, or nothing where all who act have the selector."""
    if parser.parse_optional_keyword("by") is None:
        return None, None
    authority = parse_count(parser)
    parser.parse_keyword("along")
    return authority, parse_routes(parser)


def _print_decision(printer: Printer, op: ChoiceOp | UntilOp) -> None:
    if op.authority is not None and op.routes is not None:
        printer.print_string(f" by {op.authority.data} along {op.routes.data}")


def _decision(authority: int | None, routes: Routes | None) -> dict[str, Attribute | None]:
    return {
        "authority": None if authority is None else IntAttr(authority),
        "routes": None if routes is None else RoutesAttr(routes),
    }


def _check_decision(op: ChoiceOp | UntilOp) -> None:
    found = at_type(op.selector)
    if not is_selector(found.payload):
        raise Refusal("protocol-choice-selector", "an i64 as the selector", str(found.payload), op)
    if (op.authority is None) != (op.routes is None):
        raise Refusal("source-structure", "an authority and its routes, or neither", "one", op)
    if op.authority is not None and op.routes is not None:
        op.routes.data.check(op.authority.data)


@irdl_op_definition
class UntilOp(IRDLOperation):
    """The end of a body that is left on the word 1: `protocol.until %stop by 0 along [0 -> 1]`.

    On the word 0 the next iteration begins, unless the bound is reached. `yields %x` gives what
    is carried on or out.
    """

    name = "protocol.until"
    selector = operand_def(AtType)
    values = var_operand_def(AtType)
    authority = opt_prop_def(IntAttr)
    routes = opt_prop_def(RoutesAttr)
    traits = traits_def(IsTerminator())

    def __init__(
        self,
        selector: SSAValue,
        authority: int | None = None,
        routes: Routes | None = None,
        values: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(operands=[selector, list(values)], properties=_decision(authority, routes))

    def verify_(self) -> None:
        check_parent(self, ("protocol.repeat",))
        _check_decision(self)

    @classmethod
    def parse(cls, parser: Parser) -> UntilOp:
        selector = parse_located(parser)
        authority, routes = _parse_decision(parser)
        values: list[SSAValue] = []
        if parser.parse_optional_keyword("yields") is not None:
            values = parse_located_values(parser)
        op = cls(selector, authority, routes, values)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.selector)
        _print_decision(printer, self)
        if self.values:
            printer.print_string(" yields")
            print_values(printer, self.values)
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class ChoiceOp(IRDLOperation):
    """One of k arms, decided by one role: `protocol.choice %s by 0 along [0 -> 1] { } { }`.

    The authority takes arm number `%s` and tells it along the routes, in order; who is told
    relays the word that it received and never decides. Without `by` nothing is told: whoever acts
    in an arm has the selector. What an arm yields is with the roles that the first arm names, and
    every other arm has to give it to these at least. In a role's program `site` is the number of
    the choice in the protocol.
    """

    name = "protocol.choice"
    selector = operand_def(AtType)
    site = opt_prop_def(IntAttr)
    authority = opt_prop_def(IntAttr)
    routes = opt_prop_def(RoutesAttr)
    arms = var_region_def("single_block")
    outcomes = var_result_def(AtType)
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        selector: SSAValue,
        arms: Sequence[Region | Block],
        authority: int | None = None,
        routes: Routes | None = None,
        site: int | None = None,
    ) -> None:
        regions = [arm if isinstance(arm, Region) else Region(arm) for arm in arms]
        super().__init__(
            operands=[selector],
            result_types=[[value.type for value in arm_values(regions[0])] if regions else []],
            properties={
                **_decision(authority, routes),
                "site": None if site is None else IntAttr(site),
            },
            regions=[regions],
        )

    def verify_(self) -> None:
        if not 2 <= len(self.arms) <= ARMS_MAX:
            wanted = f"2 to {ARMS_MAX} arms"
            raise Refusal("protocol-choice-arm-count", wanted, str(len(self.arms)), self)
        _check_decision(self)
        types = [result.type for result in self.outcomes]
        for number, arm in enumerate(self.arms):
            if arm.block.args:
                raise Refusal("source-structure", "an arm without arguments", "some", self)
            check_carried(self, f"from arm {number}", types, arm_values(arm))

    @classmethod
    def parse(cls, parser: Parser) -> ChoiceOp:
        selector = parse_located(parser)
        site = parse_site(parser)
        authority, routes = _parse_decision(parser)
        attributes = parse_attributes(parser)
        arms: list[Region] = []
        while (region := parser.parse_optional_region()) is not None:
            arms.append(region if region.blocks else Region(Block()))
        op = cls(selector, arms, authority, routes, site)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.selector)
        print_site(printer, self.site)
        _print_decision(printer, self)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        for arm in self.arms:
            printer.print_string(" ")
            printer.print_region(arm, print_empty_block=False)
