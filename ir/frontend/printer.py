"""xDSL's printer, made to print what parses back.

Invariant: what this printer writes for IR that a LocatedParser read and the verifier accepted
    parses to equal IR, and prints the same again.
Why: xDSL 0.75 writes ordinary floats such as 123456789.0 in hexadecimal, can't write f80 at all,
    writes text other than ASCII as bytes, and `dense<[0.0, -0.0]>` as `dense<0.0>`; and it gives
    one name to two values in a scope: `%a`, `%a_2` and `%a_1_2` come out as `%a`, `%a_1`, `%a_1`.
Entry: `print_module`, `SourcePrinter`.
"""

from __future__ import annotations

import re
from io import StringIO

from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.printer import Printer

from alpha.ir.frontend.float_literals import float_text
from alpha.ir.frontend.recursion import recursion_room

_NUMBERS = re.compile(r"(?:_[0-9]+)+$")
"""What xDSL puts behind a name to make it new, and its parser takes off again, but only once."""


class SourcePrinter(Printer):
    """The printer of this project's tools."""

    def print_ssa_value(self, value: SSAValue) -> str:
        """Print the name of a value: its hint without number, and a number where that is taken."""
        if value not in self._ssa_values and value.name_hint:
            self._ssa_values[value] = self._new_name(value.name_hint, self.ssa_names)
        return super().print_ssa_value(value)

    def _populate_block_name(self, block: Block, block_index: int | None = None) -> None:
        # Nothing goes to an entry block, and most forms don't print its label: it takes no name.
        hint = "" if block_index == 0 else _NUMBERS.sub("", block.name_hint or "")
        if hint and not Block.is_default_block_name(hint):
            self._blocks[block] = self._new_name(hint, self.block_names)
        elif block_index is not None:
            self._blocks[block] = f"bb{block_index}"
        else:
            self._blocks[block] = f"bb{self._get_new_valid_block_id()}"

    def _new_name(self, hint: str, taken: dict[str, int]) -> str:
        """A name that no other value or block of the scope has."""
        base = _NUMBERS.sub("", hint)
        if not base:
            return self._get_new_valid_name_id()
        count = taken.get(base, 0)
        taken[base] = count + 1
        return f"{base}_{count}" if count else base

    def print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute; xDSL takes a dense one of both zeros for a splat: it is a list."""
        if isinstance(attribute, DenseIntOrFPElementsAttr) and _is_of_both_zeros(attribute):
            self.print_string("dense")
            with self.in_angle_brackets():
                attribute._print_dense_list(  # pyright: ignore[reportPrivateUsage]
                    attribute.get_values(), attribute.get_shape(), self
                )
            self.print_string(" : ")
            self.print_attribute(attribute.get_type())
            return
        super().print_attribute(attribute)

    def print_float(self, value: float, type: AnyFloat) -> None:
        """Print a literal that reads back to the same value of the type."""
        self.print_string(float_text(value, type))

    def print_string_literal(self, string: str) -> None:
        """Print a text in quotes; letters of any script stand for themselves."""
        if string.isascii():
            self.print_bytes_literal(string.encode())
            return
        self.print_string('"')
        for letter in string:
            if letter == "\\":
                self.print_string("\\\\")
            elif letter != '"' and letter.isprintable():
                self.print_string(letter)
            else:
                self.print_string("".join(f"\\{byte:02X}" for byte in letter.encode()))
        self.print_string('"')


def _is_of_both_zeros(attribute: DenseIntOrFPElementsAttr) -> bool:
    """Whether all elements are equal as numbers, and not all as words."""
    data, count = attribute.data.data, len(attribute)
    return bool(count) and attribute.is_splat() and data != data[: len(data) // count] * count


def print_module(module: Operation, generic: bool = False) -> str:
    """An operation as a text that ends with a line end."""
    stream = StringIO()
    with recursion_room():
        SourcePrinter(stream, print_generic_format=generic).print_op(module)
    stream.write("\n")
    return stream.getvalue()
