"""One role's part of a protocol: its own sends and receives, its local work, and nothing else.

Invariant: every value is with this role alone. An operation of the protocol in which the role takes
    part is one `protocol.perform`, which lists the role's frames in the order in which they are
    sent and received. Nothing about them is left to be learned from a peer.
Refuses: protocol-role-range, protocol-group-scope, protocol-self-transfer,
    protocol-value-not-held, source-structure, and what `check_program` refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    FlatSymbolRefAttr,
    IntAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
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
from xdsl.traits import IsolatedFromAbove, NoTerminator

from alpha.ir.attributes.protocol import GroupAttr, StartAttr, parse_group, print_group
from alpha.ir.attributes.protocol_values import AtType, holders, parse_roles, roles_text
from alpha.ir.attributes.region import ContractAttr, SelectAttr
from alpha.ir.attributes.shard import MapAttr, parse_map
from alpha.ir.dialects.protocol_bodies import parse_located_values, print_values
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.syntax import (
    parse_attributes,
    parse_block,
    parse_count,
    parse_counts,
    print_quoted,
    require_some,
)

KINDS = (
    "transfer",
    "reduce",
    "replicate",
    "scatter",
    "gather",
    "exchange",
    "agree",
    "checkpoint",
    "decide",
)
"""What a role can perform with others; `decide` tells the word of a choice."""


class FrameOp(IRDLOperation):
    """One frame: which part of the operation it is, and what it has to hold.

    `riding` words of 64 bits stand behind the others: a digest or a verdict that goes along.
    """

    peer = prop_def(IntAttr)
    part = prop_def(IntAttr)
    count = prop_def(IntAttr)
    words = prop_def(IntAttr)
    element = prop_def()
    riding = opt_prop_def(IntAttr)

    def __init__(
        self,
        peer: int,
        part: int,
        count: int,
        words: int,
        element: Attribute,
        riding: int = 0,
    ) -> None:
        super().__init__(
            properties={
                "peer": IntAttr(peer),
                "part": IntAttr(part),
                "count": IntAttr(count),
                "words": IntAttr(words),
                "element": element,
                "riding": IntAttr(riding) if riding else None,
            }
        )

    @classmethod
    def parse_after(cls, parser: Parser, keyword: str) -> FrameOp:
        """Read `to 0 part 1 count 3 words 4 riding 5 : f64`; what is 0 isn't written."""
        parser.parse_keyword(keyword)
        peer = parse_count(parser)
        part = parse_count(parser) if parser.parse_optional_keyword("part") is not None else 0
        count = parse_count(parser) if parser.parse_optional_keyword("count") is not None else 0
        parser.parse_keyword("words")
        words = parse_count(parser)
        riding = parse_count(parser) if parser.parse_optional_keyword("riding") is not None else 0
        parser.parse_punctuation(":")
        op = cls(peer, part, count, words, parser.parse_type(), riding)
        op.attributes.update(parse_attributes(parser))
        return op

    def print_after(self, printer: Printer, keyword: str) -> None:
        """Print what `parse_after` reads."""
        printer.print_string(f" {keyword} {self.peer.data}")
        if self.part.data:
            printer.print_string(f" part {self.part.data}")
        if self.count.data:
            printer.print_string(f" count {self.count.data}")
        printer.print_string(f" words {self.words.data}")
        if self.riding is not None:
            printer.print_string(f" riding {self.riding.data}")
        printer.print_string(" : ")
        printer.print_attribute(self.element)
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class SendOp(FrameOp):
    """A frame to a peer: `protocol.send to 0 part 1 count 3 words 4 : f64`."""

    name = "protocol.send"

    @classmethod
    def parse(cls, parser: Parser) -> FrameOp:
        return cls.parse_after(parser, "to")

    def print(self, printer: Printer) -> None:
        self.print_after(printer, "to")


@irdl_op_definition
class ReceiveOp(FrameOp):
    """A frame from a peer: `protocol.receive from 0 count 6 words 4 : f64`."""

    name = "protocol.receive"

    @classmethod
    def parse(cls, parser: Parser) -> FrameOp:
        return cls.parse_after(parser, "from")

    def print(self, printer: Printer) -> None:
        self.print_after(printer, "from")


@irdl_op_definition
class AddOp(IRDLOperation):
    """Sums of groups are added to that of another, one by one: `protocol.add [1, 2] into 0`.

    In an exchange that is direct, additions before the first frame are of the role's own parts,
    and later ones of the words that it is to have.
    """

    name = "protocol.add"
    groups = prop_def(ArrayAttr[IntAttr])
    into = prop_def(IntAttr)

    def __init__(self, groups: Sequence[int], into: int) -> None:
        super().__init__(
            properties={
                "groups": ArrayAttr([IntAttr(group) for group in groups]),
                "into": IntAttr(into),
            }
        )

    def verify_(self) -> None:
        require_some(self.groups.data, "group to add", self)

    @classmethod
    def parse(cls, parser: Parser) -> AddOp:
        groups = parse_counts(parser)
        parser.parse_keyword("into")
        op = cls(list(groups), parse_count(parser))
        op.attributes.update(parse_attributes(parser))
        return op

    def print(self, printer: Printer) -> None:
        groups = [group.data for group in self.groups.data]
        printer.print_string(f" {groups} into {self.into.data}")
        printer.print_op_attributes(self.attributes, print_keyword=True)


@irdl_op_definition
class PerformOp(IRDLOperation):
    """A role's part of one operation of the protocol, frame by frame.

    `%t = protocol.perform reduce site 2 %c { protocol.receive from 1 ... } : !protocol.at<...>`
    gives the total at the root; elsewhere there is no result. The site is the number of the
    operation in the protocol, which is the same for all roles.
    """

    name = "protocol.perform"
    kind = prop_def(StringAttr)
    site = prop_def(IntAttr)
    map = opt_prop_def(MapAttr)
    contract = opt_prop_def(ContractAttr)
    part = opt_prop_def(IntAttr)
    arms = opt_prop_def(IntAttr)
    deliver = opt_prop_def(MapAttr)
    members = opt_prop_def(SelectAttr)
    arguments = var_operand_def(AtType)
    frames = region_def("single_block")
    outcomes = var_result_def(AtType)
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        kind: str,
        site: int,
        arguments: Sequence[SSAValue],
        frames: Region | Block,
        types: Sequence[Attribute],
        given: Mapping[str, Attribute | None] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(arguments)],
            properties={"kind": StringAttr(kind), "site": IntAttr(site), **(given or {})},
            result_types=[list(types)],
            regions=[frames if isinstance(frames, Region) else Region(frames)],
        )

    def verify_(self) -> None:
        if self.kind.data not in KINDS:
            wanted = f"one of {', '.join(KINDS)} to perform"
            raise Refusal("source-structure", wanted, self.kind.data, self)
        for frame in self.frames.block.ops:
            if not isinstance(frame, FrameOp | AddOp):
                wanted = "frames and additions in what a role performs"
                raise Refusal("source-structure", wanted, name_of(frame), frame)

    @classmethod
    def parse(cls, parser: Parser) -> PerformOp:
        kind = parser.parse_keyword_in(KINDS)
        parser.parse_keyword("site")
        site = parse_count(parser)
        arguments = parse_located_values(parser)
        given: dict[str, Attribute | None] = {}
        if parser.parse_optional_keyword("by") is not None:
            given["map"] = MapAttr(parse_map(parser))
        if parser.parse_optional_keyword("contract") is not None:
            given["contract"] = parser.parse_attribute()
        if parser.parse_optional_keyword("part") is not None:
            given["part"] = IntAttr(parse_count(parser))
        if parser.parse_optional_keyword("arms") is not None:
            given["arms"] = IntAttr(parse_count(parser))
        if parser.parse_optional_keyword("owners") is not None:
            given["deliver"] = MapAttr(parse_map(parser))
        if parser.parse_optional_keyword("over") is not None:
            given["members"] = SelectAttr(parse_roles(parser))
        attributes = parse_attributes(parser)
        frames = parse_block(parser)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation(":") is not None:
            types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        op = cls(kind, site, arguments, frames, types, given)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} site {self.site.data}")
        print_values(printer, self.arguments)
        if self.map is not None:
            printer.print_string(f" by {self.map.data}")
        if self.contract is not None:
            printer.print_string(" contract ")
            printer.print_attribute(self.contract)
        if self.part is not None:
            printer.print_string(f" part {self.part.data}")
        if self.arms is not None:
            printer.print_string(f" arms {self.arms.data}")
        if self.deliver is not None:
            printer.print_string(f" owners {self.deliver.data}")
        if self.members is not None:
            printer.print_string(f" over {roles_text(self.members.data)}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.frames, print_empty_block=False)
        if self.outcomes:
            printer.print_string(" : ")
            printer.print_list(self.outcomes.types, printer.print_attribute)


def _is_at(value: SSAValue, role: int) -> bool:
    roles = holders(value)
    return roles.size == 1 and roles.min == role


@irdl_op_definition
class RoleOp(IRDLOperation):
    """One role's program, with the edges it uses and the digest of the protocol it is a part of.

    `protocol.role @train role 2 of @least_squares group #protocol.group<...> protocol "..." edges
    [0] { ... }`.
    """

    name = "protocol.role"
    title = prop_def(StringAttr)
    role = prop_def(IntAttr)
    learner = opt_prop_def(FlatSymbolRefAttr)
    group = prop_def(GroupAttr)
    resumed = opt_prop_def(StartAttr)
    protocol = prop_def(StringAttr)
    edges = prop_def(ArrayAttr[IntAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), IsolatedFromAbove())

    def __init__(
        self,
        name: str,
        role: int,
        group: GroupAttr,
        protocol: str,
        edges: Sequence[int],
        body: Region | Block,
        learner: str | None = None,
        resumed: StartAttr | None = None,
    ) -> None:
        super().__init__(
            properties={
                "title": StringAttr(name),
                "role": IntAttr(role),
                "learner": None if learner is None else SymbolRefAttr(learner),
                "group": group,
                "resumed": resumed,
                "protocol": StringAttr(protocol),
                "edges": ArrayAttr([IntAttr(edge) for edge in edges]),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    def verify_(self) -> None:
        from alpha.ir.protocol.structure import check_program

        role, group = self.role.data, self.group.data
        group.rank(role)
        edges = [edge.data for edge in self.edges.data]
        if edges != sorted(set(edges)):
            raise Refusal("source-structure", "edges in ascending order", str(edges), self)
        for edge in edges:
            if edge == role:
                raise Refusal("protocol-self-transfer", "edges to other roles", str(edge), self)
            group.rank(edge)
        peers = set(edges)
        for op in self.body.walk():
            if isinstance(op, FrameOp) and op.peer.data not in peers:
                wanted = f"a peer among the edges {edges}"
                raise Refusal("protocol-group-scope", wanted, f"role {op.peer.data}", op)
            for result in op.results:
                if isinstance(result.type, AtType) and not _is_at(result, role):
                    wanted = f"values at role {role}"
                    raise Refusal("protocol-value-not-held", wanted, str(result.type), op)
        check_program(self)

    @classmethod
    def parse(cls, parser: Parser) -> RoleOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("role")
        role = parse_count(parser)
        learner = None
        if parser.parse_optional_keyword("of") is not None:
            learner = parser.parse_symbol_name().data
        group, resumed = parse_group(parser)
        parser.parse_keyword("protocol")
        protocol = parser.parse_str_literal(" for the digest of the protocol")
        parser.parse_keyword("edges")
        edges = parse_counts(parser)
        attributes = parse_attributes(parser)
        op = cls(name, role, group, protocol, edges, parse_block(parser), learner, resumed)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.title.data)
        printer.print_string(f" role {self.role.data}")
        if self.learner is not None:
            printer.print_string(" of ")
            printer.print_symbol_name(self.learner.string_value())
        print_group(printer, self.group, self.resumed)
        printer.print_string(" protocol ")
        print_quoted(printer, self.protocol.data)
        printer.print_string(f" edges {[edge.data for edge in self.edges.data]}")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)
