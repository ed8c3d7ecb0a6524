"""The declared orders of a reduction: `left`, `pairs`, `lanes<L>`.

Refuses: pointwise-fold-lanes, target-unsupported (`exact`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from alpha.ir.refusals import Refusal
from alpha.ir.syntax import parse_bracketed_count

LANES_MAX = 1 << 16


@dataclass(frozen=True)
class Order:
    """A declared order of a reduction; `lanes` is 0 except for `lanes<L>`."""

    kind: str
    lanes: int = 0

    def __str__(self) -> str:
        return f"lanes<{self.lanes}>" if self.kind == "lanes" else self.kind


@irdl_attr_definition
class OrderAttr(Data[Order]):
    """In which order the elements of a reduction are added: part of the program's meaning.

    `left`: one after another. `pairs`: adjacent pairs, repeatedly, an odd last one carried up.
    `lanes<L>`: element i goes to lane i mod L, then lanes l and l + L/2 are added, halving.
    By `add`, every lane, and the one of `left`, starts at -0.0, the identity of addition, so that
    lanes without elements change no bit; by `max`, each of them starts at the first element of all.
    """

    name = "pointwise.order"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Order:
        with parser.in_angle_brackets():
            return parse_order(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))

    def verify(self) -> None:
        check_order(self.data)


def parse_order(parser: AttrParser) -> Order:
    """Read `left`, `pairs`, `lanes<L>` or `exact`."""
    kind = parser.parse_keyword_in(("left", "pairs", "lanes", "exact"))
    order = Order(kind, parse_bracketed_count(parser) if kind == "lanes" else 0)
    check_order(order)
    return order


def check_order(order: Order) -> None:
    """Refuse an order that has no meaning or isn't built.

    Raises:
        Refusal: `pointwise-fold-lanes` unless L is a power of two of at most `LANES_MAX`;
            `target-unsupported` for `exact`.
    """
    if order.kind == "exact":
        raise Refusal("target-unsupported", "left, pairs or lanes<L> as the order", "exact")
    if order.kind == "lanes":
        lanes = order.lanes
        if lanes < 1 or lanes > LANES_MAX or lanes & (lanes - 1):
            wanted = f"a power of two from 1 to {LANES_MAX} as the number of lanes"
            raise Refusal("pointwise-fold-lanes", wanted, str(lanes))
