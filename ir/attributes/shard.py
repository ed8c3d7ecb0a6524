"""Attributes and types of the `shard` dialect: owners, and where and when a value is.

Invariant: every type of a distributed value says what the value is, where its words are, and the
    version it belongs to, relative to the round: `+0` is the version that the round starts from,
    `+1` the one that it makes. A sum that is still in parts has a type of its own.
Refuses: shard-owner-range, region-contract-groups, and what maps and selections refuse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntAttr, NoneAttr, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Data, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import At, Everywhere, Owned, Where
from alpha.ir.syntax import (
    parse_bracketed_count,
    parse_count,
    parse_counts,
    parse_keyed,
    place_at,
)
from alpha.ir.topologies import Topology

OWNERS_MAX = 1 << 24


@irdl_attr_definition
class CountsAttr(Data[Runs]):
    """Numbers, one an owner: `[1, 2, 3, 0]`; more than 8 equal ones as `repeat(COUNT, NUMBER)`."""

    name = "shard.counts"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Runs:
        with parser.in_angle_brackets():
            return parse_counts(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"[{self.data}]")


@irdl_attr_definition
class OwnersAttr(ParametrizedAttribute):
    """The owners of a learner's samples: `#shard.owners<4, star, samples = [1, 2, 3, 0]>`.

    Topologies are `pair`, `star` and `tree<F>`. Without `samples` each owner has a contiguous part
    in role order, sizes differ by at most one, larger first. More than 8 equal numbers of samples
    in a row are written as `repeat(COUNT, NUMBER)`.
    """

    name = "shard.owners"
    count: IntAttr = param_def()
    topology_text: StringAttr = param_def()
    split: CountsAttr | NoneAttr = param_def()

    @classmethod
    def of(cls, count: int, topology: Topology, samples: Iterable[int] | None = None) -> OwnersAttr:
        """The attribute of these owners."""
        split = NoneAttr() if samples is None else CountsAttr(Runs.of(samples))
        return cls(IntAttr(count), StringAttr(str(topology)), split)

    @property
    def topology(self) -> Topology:
        """Who exchanges with whom."""
        return Topology.parse(self.topology_text.data)

    @property
    def samples(self) -> Runs | None:
        """How many samples each owner has, or None if that isn't declared."""
        return None if isinstance(self.split, NoneAttr) else self.split.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            count = parse_count(parser)
            parser.parse_punctuation(",")
            topology = parse_topology(parser)
            split: Attribute = NoneAttr()
            if parser.parse_optional_punctuation(",") is not None:
                split = CountsAttr(parse_keyed(parser, "samples", parse_counts))
            return [IntAttr(count), StringAttr(topology), split]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.count.data}, {self.topology_text.data}")
            if self.samples is not None:
                printer.print_string(f", samples = [{self.samples}]")

    def verify(self) -> None:
        count = self.count.data
        if not 1 <= count <= OWNERS_MAX:
            raise Refusal("shard-owner-range", f"1 to {OWNERS_MAX} owners", str(count))
        if self.topology.form == "pair" and count != 2:
            raise Refusal("shard-owner-range", "2 owners in a pair", str(count))
        samples = self.samples
        if samples is not None and samples.length != count:
            wanted = f"{count} numbers of samples, one an owner"
            raise Refusal("shard-owner-range", wanted, str(samples.length))

    def contract(self, samples: int, at: Operation) -> Contract:
        """The contract that these owners declare for a sum over `samples` samples.

        Raises:
            Refusal: `region-contract-groups` if the declared split has another total.
        """
        split = self.samples
        if split is not None and split.total != samples:
            wanted = f"owners' samples that add up to {samples}"
            raise Refusal("region-contract-groups", wanted, f"{split.total}", at)
        return Contract.from_owners(self.count.data, samples, self.topology, split)


def parse_topology(parser: AttrParser) -> str:
    """Read `pair`, `star` or `tree<F>` and give its text."""
    word = parser.parse_keyword_in(("pair", "star", "tree"))
    return f"tree<{parse_bracketed_count(parser)}>" if word == "tree" else word


@irdl_attr_definition
class MapAttr(Data[ShardMap]):
    """Which owner has which coordinates of a domain: `#shard.map<cyclic>`.

    A map applies to the row-major index i of the domain. `cyclic` gives i to owner i mod n;
    `block` cuts contiguous blocks in role order, sizes differ by at most one, larger first;
    `block_cyclic<b>` deals blocks of b; `[1, 2, 3, 0]` cuts blocks of these sizes, more than 8
    equal ones in a row written as `repeat(COUNT, SIZE)`; `[stride(0, 1, 3), empty, ...]` is one
    selection an owner; `rows<w, block>` deals rows of w words. An owner may have none.
    """

    name = "shard.map"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ShardMap:
        with parser.in_angle_brackets():
            return parse_map(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


@irdl_attr_definition
class WhereAttr(Data[Where]):
    """Where words are: `#shard.where<all>`, `<role 0>` or `<owners cyclic>`."""

    name = "shard.where"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Where:
        with parser.in_angle_brackets():
            return parse_where(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


_OPENING, _CLOSING = frozenset("[(<"), frozenset("])>")


def parse_map(parser: AttrParser) -> ShardMap:
    """Read a map: `cyclic`, `block_cyclic<2>`, `rows<3, block>`, `[stride(0, 1, 3), empty]`.

    The map's own grammar reads it; the tokens are taken up to where its brackets are closed. An
    alias of a `#shard.map<...>` stands for the map, also inside `rows<3, #units>`.
    """
    place = place_at(parser, parser.pos)
    words: list[str] = []
    depth = 0
    while True:
        token = parser._current_token  # pyright: ignore[reportPrivateUsage]
        if token.kind is MLIRTokenKind.EOF:
            break
        if words and depth == 0 and token.text != "<":
            break
        if token.kind is MLIRTokenKind.HASH_IDENT:
            words.append(str(_parse_map_attribute(parser)))
            if depth == 0:
                break
            continue
        parser._consume_token()  # pyright: ignore[reportPrivateUsage]
        words.append(token.text)
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth <= 0 and (words[0] in _OPENING or token.text in _CLOSING):
            break
    try:
        return ShardMap.parse(" ".join(words))
    except Refusal as refusal:
        found, notes = refusal.found, refusal.notes
        raise Refusal(refusal.code, refusal.expected, found, place, notes) from None


def _parse_map_attribute(parser: AttrParser) -> ShardMap:
    start = parser.pos
    attribute = parser.parse_attribute()
    if not isinstance(attribute, MapAttr):
        parser.raise_error("expected a #shard.map<...>", start, parser.pos)
    return attribute.data


def parse_where(parser: AttrParser) -> Where:
    """Read `all`, `role 0` or `owners cyclic`."""
    word = parser.parse_keyword_in(("all", "role", "owners"))
    if word == "all":
        return Everywhere()
    return At(parse_count(parser)) if word == "role" else Owned(parse_map(parser))


def located(value: SSAValue) -> LocatedType:
    """The type of a distributed value."""
    assert isinstance(value.type, LocatedType)
    return value.type


class LocatedType(ParametrizedAttribute, TypeAttribute):
    """What all types of distributed values have: the value's own type and a version."""

    # The parameters of an attribute stand in the order of its class, those of a base class first;
    # here each class says all of its own.
    if TYPE_CHECKING:
        value: Attribute
        version: IntAttr


def _parse_version(parser: AttrParser) -> IntAttr:
    """Read `, +0`: the version, relative to the one that the round starts from."""
    parser.parse_punctuation(",")
    if parser.parse_optional_punctuation("-") is not None:
        return IntAttr(-parse_count(parser))
    parser.parse_punctuation("+")
    return IntAttr(parse_count(parser))


def _print_version(printer: Printer, version: IntAttr) -> None:
    printer.print_string(f", {version.data:+d}")


@irdl_attr_definition
class OwnedType(LocatedType):
    """Words that each have one owner: `!shard.owned<tensor<4xf64>, cyclic, +0>`."""

    name = "shard.owned"
    value: Attribute = param_def()
    map: MapAttr = param_def()
    version: IntAttr = param_def()

    @classmethod
    def of(cls, value: Attribute, map: ShardMap, version: int) -> OwnedType:
        """The type of these words."""
        return cls(value, MapAttr(map), IntAttr(version))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            value = parser.parse_type()
            parser.parse_punctuation(",")
            map = MapAttr(parse_map(parser))
            return [value, map, _parse_version(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.value)
            printer.print_string(f", {self.map.data}")
            _print_version(printer, self.version)


@irdl_attr_definition
class ReplicaType(LocatedType):
    """Words that every owner has a copy of: `!shard.replica<tensor<4xf64>, +0>`."""

    name = "shard.replica"
    value: Attribute = param_def()
    version: IntAttr = param_def()

    @classmethod
    def of(cls, value: Attribute, version: int) -> ReplicaType:
        """The type of these words."""
        return cls(value, IntAttr(version))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return [parser.parse_type(), _parse_version(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.value)
            _print_version(printer, self.version)


@irdl_attr_definition
class ContributionType(LocatedType):
    """A sum over `samples` that is still in parts: each owner has its groups' sums and counts.

    `!shard.contribution<tensor<4xf64>, @data, +0>`. Only a combine makes a total of it.
    """

    name = "shard.contribution"
    value: Attribute = param_def()
    samples: SymbolRefAttr = param_def()
    version: IntAttr = param_def()

    @classmethod
    def of(cls, value: Attribute, samples: SymbolRefAttr, version: int) -> ContributionType:
        """The type of these sums."""
        return cls(value, samples, IntAttr(version))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            value = parser.parse_type()
            parser.parse_punctuation(",")
            return [value, SymbolRefAttr(parser.parse_symbol_name()), _parse_version(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.value)
            printer.print_string(", ")
            printer.print_symbol_name(self.samples.string_value())
            _print_version(printer, self.version)


@irdl_attr_definition
class TotalType(LocatedType):
    """A whole sum over `samples` with its count, and where it was delivered.

    `!shard.total<tensor<4xf64>, @data, all, +0>`; `role 0` has it alone, or `owners cyclic` have
    the words of their coordinates.
    """

    name = "shard.total"
    value: Attribute = param_def()
    samples: SymbolRefAttr = param_def()
    where: WhereAttr = param_def()
    version: IntAttr = param_def()

    @classmethod
    def of(cls, value: Attribute, samples: SymbolRefAttr, where: Where, version: int) -> TotalType:
        """The type of this sum."""
        return cls(value, samples, WhereAttr(where), IntAttr(version))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            value = parser.parse_type()
            parser.parse_punctuation(",")
            samples = SymbolRefAttr(parser.parse_symbol_name())
            parser.parse_punctuation(",")
            where = WhereAttr(parse_where(parser))
            return [value, samples, where, _parse_version(parser)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.value)
            printer.print_string(", ")
            printer.print_symbol_name(self.samples.string_value())
            printer.print_string(f", {self.where.data}")
            _print_version(printer, self.version)
