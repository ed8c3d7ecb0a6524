"""What roles do by themselves in a protocol: local work on what they have, and publication.

Invariant: the region of `protocol.local` holds operations that send nothing, on payloads; each of
    the roles runs it on its own. What roles have in common stays common: the same operations on
    the same words give the same words.
Refuses: protocol-payload-type, protocol-unrealized, source-structure.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, Pure

from alpha.ir.attributes.protocol_values import AtType, at_type, parse_roles, roles_text
from alpha.ir.attributes.region import SelectAttr
from alpha.ir.attributes.shard import ReplicaType, located
from alpha.ir.dialects.protocol_bodies import YieldOp, parse_bound, print_bound
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.selections import Selection, as_group
from alpha.ir.selections.form import LIMIT
from alpha.ir.syntax import parse_attributes, parse_defined_operand, parse_isolated, place_at


@irdl_op_definition
class LocalOp(IRDLOperation):
    """Work of each of the roles on its own: `%c = protocol.local at role 0 (%a = %x) { ... }`.

    The region works on payloads and ends in `protocol.yield`, or in `shard.advance`, with which
    the roles' states become those of the next version.
    """

    name = "protocol.local"
    roles = prop_def(SelectAttr)
    arguments = var_operand_def(AtType)
    body = region_def("single_block")
    outcomes = var_result_def(AtType)
    traits = traits_def(IsolatedFromAbove())

    def __init__(
        self, roles: Selection, arguments: Sequence[SSAValue], body: Region | Block
    ) -> None:
        region = body if isinstance(body, Region) else Region(body)
        last = region.block.last_op if region.blocks else None
        values = last.values if isinstance(last, YieldOp) else ()
        super().__init__(
            operands=[list(arguments)],
            result_types=[[AtType.of(value.type, roles) for value in values]],
            properties={"roles": SelectAttr(roles)},
            regions=[region],
        )

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The payloads that the region gives."""
        last = self.body.block.last_op
        return last.values if isinstance(last, YieldOp) else ()

    def verify_(self) -> None:
        as_group(self.roles.data, LIMIT)
        last = self.body.block.last_op
        if not isinstance(last, YieldOp | AdvanceOp):
            found = name_of(last) if last else "an empty region"
            wanted = "protocol.yield or shard.advance at the end of local work"
            raise Refusal("source-structure", wanted, found, self)
        wanted_types = [at_type(value).payload for value in self.arguments]
        found_types = [argument.type for argument in self.body.block.args]
        if wanted_types != found_types:
            raise Refusal("protocol-payload-type", _texts(wanted_types), _texts(found_types), self)
        results = [result.type for result in self.outcomes]
        made: list[Attribute] = [AtType.of(each.type, self.roles.data) for each in self.yielded]
        if results != made:
            raise Refusal("protocol-payload-type", _texts(made), _texts(results), self)

    @classmethod
    def parse(cls, parser: Parser) -> LocalOp:
        parser.parse_keyword("at")
        roles = parse_roles(parser)
        pairs = parse_bound(parser)
        attributes = parse_attributes(parser)
        arguments = [inside.resolve(at_type(outside).payload) for inside, outside in pairs]
        region = parse_isolated(parser, arguments)
        op = cls(roles, [outside for _, outside in pairs], region)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" at {roles_text(self.roles.data)}")
        print_bound(printer, self.body.block.args, self.arguments)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


def _texts(types: Sequence[Attribute]) -> str:
    return ", ".join(map(str, types)) or "nothing"


@irdl_op_definition
class PublishOp(IRDLOperation):
    """Each role gives its words of every state out of the run: `protocol.publish at role 0`.

    What a learner is lowered to compares copies before it. A protocol that is written by hand says
    itself, by `protocol.agree`, what is compared before it is published.
    """

    name = "protocol.publish"
    roles = prop_def(SelectAttr)

    def __init__(self, roles: Selection) -> None:
        super().__init__(properties={"roles": SelectAttr(roles)})

    def verify_(self) -> None:
        as_group(self.roles.data, LIMIT)

    @classmethod
    def parse(cls, parser: Parser) -> PublishOp:
        parser.parse_keyword("at")
        op = cls(parse_roles(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" at {roles_text(self.roles.data)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class WordsOp(IRDLOperation):
    """The words of a copy, to compute with in local work: `%x = protocol.words %loss`.

    The type of a copy says its version, which arithmetic knows nothing of.
    """

    name = "protocol.words"
    copy = operand_def(ReplicaType)
    words = result_def()
    traits = traits_def(Pure())

    def __init__(self, copy: SSAValue) -> None:
        super().__init__(operands=[copy], result_types=[located(copy).value])

    def verify_(self) -> None:
        wanted = located(self.copy).value
        if self.words.type != wanted:
            raise Refusal("protocol-payload-type", str(wanted), str(self.words.type), self)

    @classmethod
    def parse(cls, parser: Parser) -> WordsOp:
        place = place_at(parser, parser.pos)
        copy = parse_defined_operand(parser)
        if not isinstance(copy.type, ReplicaType):
            wanted = "a copy, of type !shard.replica"
            raise Refusal("protocol-payload-type", wanted, str(copy.type), place)
        op = cls(copy)
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.copy)
        printer.print_op_attributes(self.attributes, print_keyword=True)
