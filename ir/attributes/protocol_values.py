"""Attributes and types of located values: who has a value, and along which routes it is told.

Invariant: the type of a value of a protocol names the roles that have it, at least one. What is
    inside, its payload, says what each of them has: words that are the same for all, or, with the
    types of the `shard` dialect, each role's own part.
Refuses: select-empty, protocol-payload-type, and what selections and routes refuse.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Data, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.ir.attributes.region import SelectAttr
from alpha.ir.attributes.shard import (
    ContributionType,
    OwnedType,
    ReplicaType,
    TotalType,
    parse_topology,
)
from alpha.ir.protocol.routes import Along, Listed, Routes
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, Stride, as_group
from alpha.ir.selections.form import LIMIT
from alpha.ir.shapes import is_value_type
from alpha.ir.sharding.places import Owned
from alpha.ir.syntax import parse_count, parse_selection
from alpha.ir.topologies import Topology

SELECTOR_BITS = 64
"""A selector is an `i64`: one of the canonical words 0 to k - 1 of a choice with k arms."""


def parse_roles(parser: AttrParser) -> Selection:
    """Read `role 2`, a selection such as `stride(0, 1, 4)`, or an alias of a `#region.select`."""
    if parser.parse_optional_keyword("role") is not None:
        return Stride(parse_count(parser), 1, 1)
    start = parser.pos
    attribute = parser.parse_optional_attribute()
    if attribute is None:
        return parse_selection(parser)
    if not isinstance(attribute, SelectAttr):
        parser.raise_error("expected a #region.select<...>", start, parser.pos)
    return attribute.data


def roles_text(roles: Selection) -> str:
    """What `parse_roles` reads as the same: a single role by its number, else a selection."""
    alone = roles.size == 1 and roles == Stride(roles.min, 1, 1)
    return f"role {roles.min}" if alone else str(roles)


@irdl_attr_definition
class AtType(ParametrizedAttribute, TypeAttribute):
    """A value and the roles that have it: `!protocol.at<f64, stride(0, 1, 4)>`, `<f64, role 2>`."""

    name = "protocol.at"
    payload: Attribute = param_def()
    roles: SelectAttr = param_def()

    @classmethod
    def of(cls, payload: Attribute, roles: Selection) -> AtType:
        """The type of a payload that these roles have."""
        return cls(payload, SelectAttr(roles))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            payload = parser.parse_type()
            parser.parse_punctuation(",")
            return [payload, SelectAttr(parse_roles(parser))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.payload)
            printer.print_string(f", {roles_text(self.roles.data)}")

    def verify(self) -> None:
        as_group(self.roles.data, LIMIT)
        if not is_payload(self.payload):
            wanted = "words, a selector (i64) or a value of the shard dialect as payload"
            raise Refusal("protocol-payload-type", wanted, str(self.payload))


def at_type(value: SSAValue) -> AtType:
    """The type of a located value."""
    assert isinstance(value.type, AtType)
    return value.type


def holders(value: SSAValue) -> Selection:
    """The roles that have a located value."""
    return at_type(value).roles.data


def is_selector(type: Attribute) -> bool:
    """Whether a payload is the selector of a choice."""
    return isinstance(type, IntegerType) and type.width.data == SELECTOR_BITS


def is_payload(type: Attribute) -> bool:
    """Whether a located value can be of this type."""
    located = ReplicaType | OwnedType | ContributionType | TotalType
    return isinstance(type, located) or is_selector(type) or is_value_type(type)


def is_common(type: Attribute) -> bool:
    """Whether every role that has a value of this type has the same words."""
    if isinstance(type, TotalType):
        return not isinstance(type.where.data, Owned)
    return not isinstance(type, OwnedType | ContributionType)


@irdl_attr_definition
class RoutesAttr(Data[Routes]):
    """Who hears of a choice from whom: `#protocol.routes<[0 -> 1, 1 -> 2]>`."""

    name = "protocol.routes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Routes:
        with parser.in_angle_brackets():
            return parse_routes(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


def parse_routes(parser: AttrParser) -> Routes:
    """Read `[0 -> 1, 1 -> 2]`, or `tree<64> over stride(0, 1, 200000)`."""

    def parse_pair() -> tuple[int, int]:
        teller = parse_count(parser)
        parser.parse_punctuation("->")
        return teller, parse_count(parser)

    pairs = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parse_pair)
    if pairs is not None:
        return Listed(tuple(pairs))
    topology = Topology.parse(parse_topology(parser))
    parser.parse_keyword("over")
    return Along(topology, parse_roles(parser))
