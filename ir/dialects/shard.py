"""The `shard` dialect: who owns what. At the learner level it is the owners that are declared.

Refuses: shard-owner-range, region-contract-groups.
Entry: `SHARD`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.ir.contracts import Contract
from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_bracketed_count, parse_count, parse_counts, parse_keyed
from alpha.ir.topologies import Topology

OWNERS_MAX = 1 << 24


@irdl_attr_definition
class OwnersAttr(ParametrizedAttribute):
    """The owners of a learner's samples: `#shard.owners<4, star, samples = [1, 2, 3, 0]>`.

    Topologies are `pair`, `star` and `tree<F>`. Without `samples` each owner has a contiguous part
    in role order, sizes differ by at most one, larger first.
    """

    name = "shard.owners"
    count: IntAttr = param_def()
    topology_text: StringAttr = param_def()
    split: ArrayAttr[IntAttr] | NoneAttr = param_def()

    @property
    def topology(self) -> Topology:
        """Who exchanges with whom."""
        return Topology.parse(self.topology_text.data)

    @property
    def samples(self) -> tuple[int, ...] | None:
        """How many samples each owner has, or None if that isn't declared."""
        if isinstance(self.split, NoneAttr):
            return None
        return tuple(count.data for count in self.split.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            count = parse_count(parser)
            parser.parse_punctuation(",")
            topology = parse_topology(parser)
            split: Attribute = NoneAttr()
            if parser.parse_optional_punctuation(",") is not None:
                counts = parse_keyed(parser, "samples", parse_counts)
                split = ArrayAttr([IntAttr(number) for number in counts])
            return [IntAttr(count), StringAttr(topology), split]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.count.data}, {self.topology_text.data}")
            if self.samples is not None:
                printer.print_string(f", samples = {list(self.samples)}")

    def verify(self) -> None:
        count = self.count.data
        if not 1 <= count <= OWNERS_MAX:
            raise Refusal("shard-owner-range", f"1 to {OWNERS_MAX} owners", str(count))
        if self.topology.form == "pair" and count != 2:
            raise Refusal("shard-owner-range", "2 owners in a pair", str(count))
        samples = self.samples
        if samples is not None and len(samples) != count:
            wanted = f"{count} numbers of samples, one an owner"
            raise Refusal("shard-owner-range", wanted, str(len(samples)))

    def contract(self, samples: int, at: Operation) -> Contract:
        """The contract that these owners declare for a sum over `samples` samples.

        Raises:
            Refusal: `region-contract-groups` if the declared split has another total.
        """
        split = self.samples
        if split is not None and sum(split) != samples:
            wanted = f"owners' samples that add up to {samples}"
            raise Refusal("region-contract-groups", wanted, f"{sum(split)}", at)
        return Contract.from_owners(self.count.data, samples, self.topology, split)


def parse_topology(parser: AttrParser) -> str:
    """Read `pair`, `star` or `tree<F>` and give its text."""
    word = parser.parse_keyword_in(("pair", "star", "tree"))
    return f"tree<{parse_bracketed_count(parser)}>" if word == "tree" else word


SHARD = Dialect("shard", [], [OwnersAttr])
