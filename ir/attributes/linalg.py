"""The iterator types of `linalg`: what a loop of a structured operation is for."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum


class LoopKind(StrEnum):
    """What a loop is for: points of the result, terms of a reduction, a sliding window."""

    PARALLEL = "parallel"
    REDUCTION = "reduction"
    WINDOW = "window"


@irdl_attr_definition
class IteratorTypeAttr(EnumAttribute[LoopKind]):
    """What a loop of `linalg.generic` is for: `parallel`, `reduction` or `window`.

    In the operation's own syntax it is written as a string: `iterator_types = ["parallel"]`.
    """

    name = "linalg.iterator_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)
