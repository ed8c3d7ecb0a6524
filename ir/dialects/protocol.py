"""The `protocol` dialect: one global exchange among roles, and its projection to each of them.

A `protocol.global` says once what all roles of a group do together; `--check-protocol` decides that
it can be projected, `--project-role` gives each role its own `protocol.role`. What a protocol is
made of stands in the parts of this dialect: control, choices, exchanges, local work, and roles.

Invariant: there is no free recursion and no wildcard; every repeat has a bound, every decision an
    authority, and every value the roles that have it in its type. So a role's program is the
    restriction of one total order, and projection needs no merge.
Refuses: protocol-group-scope, source-structure.
Entry: `PROTOCOL`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FlatSymbolRefAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Dialect, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, NoTerminator

from alpha.ir.attributes.protocol import GroupAttr, StartAttr, parse_group, print_group
from alpha.ir.attributes.protocol_values import AtType, RoutesAttr
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, ExchangeOp, TransferOp
from alpha.ir.dialects.protocol_role import AddOp, PerformOp, ReceiveOp, RoleOp, SendOp
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp, WordsOp
from alpha.ir.syntax import parse_attributes, parse_block

__all__ = ["PROTOCOL", "GlobalOp"]


@irdl_op_definition
class GlobalOp(IRDLOperation):
    """What all roles of a group do together, in one order.

    `protocol.global @train of @least_squares group #protocol.group<universe = 4, epoch = 0, id =
    "...", stride(0, 1, 4)> { ... }`. With a learner, local work may read and advance its states;
    the learner and its distribution stand beside it and stay as they are. Behind the group,
    `resumed #protocol.start<7, "...">` says that its states begin at version 7, with the words of
    a generation; else they begin at version 0, with the learner's.
    """

    name = "protocol.global"
    title = prop_def(StringAttr)
    learner = opt_prop_def(FlatSymbolRefAttr)
    group = prop_def(GroupAttr)
    resumed = opt_prop_def(StartAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), IsolatedFromAbove())

    def __init__(
        self,
        name: str,
        group: GroupAttr,
        body: Region | Block,
        learner: str | None = None,
        resumed: StartAttr | None = None,
    ) -> None:
        super().__init__(
            properties={
                "title": StringAttr(name),
                "learner": None if learner is None else SymbolRefAttr(learner),
                "group": group,
                "resumed": resumed,
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    def verify_(self) -> None:
        from alpha.ir.protocol.structure import check_structure

        check_structure(self)

    @classmethod
    def parse(cls, parser: Parser) -> GlobalOp:
        name = parser.parse_symbol_name().data
        learner = None
        if parser.parse_optional_keyword("of") is not None:
            learner = parser.parse_symbol_name().data
        group, resumed = parse_group(parser)
        attributes = parse_attributes(parser)
        op = cls(name, group, parse_block(parser), learner, resumed)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.title.data)
        if self.learner is not None:
            printer.print_string(" of ")
            printer.print_symbol_name(self.learner.string_value())
        print_group(printer, self.group, self.resumed)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


PROTOCOL = Dialect(
    "protocol",
    [
        GlobalOp,
        LocalOp,
        PublishOp,
        WordsOp,
        TransferOp,
        ReduceOp,
        ReplicateOp,
        ScatterOp,
        GatherOp,
        ExchangeOp,
        AgreeOp,
        CheckpointOp,
        RepeatOp,
        UntilOp,
        ChoiceOp,
        ScopeOp,
        YieldOp,
        RoleOp,
        PerformOp,
        SendOp,
        ReceiveOp,
        AddOp,
    ],
    [
        GroupAttr,
        StartAttr,
        AtType,
        RoutesAttr,
    ],
)
