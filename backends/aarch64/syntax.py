"""How AArch64 is written: addresses, conditions, names, the lines around a file. GNU syntax.

An instruction holds few shapes of addresses, so a row's text has two holes for one. `{m:reach8}`
stands before an access of 8 bytes and gives the instructions, if any are needed, that leave in x16
what the access can't add itself; `{m:8}` is the operand. So every row takes every address, and one
that the access holds costs nothing. `{m:reach0}` and `{m:0}` give the last two operands of an `add`
whose result is the address; `{m:reachbase}` and `{m:base}` a register alone in brackets. `{m:page}`
and `{m:low}` are the parts of the address of a literal, which lies at a multiple of its size.

Invariant: nothing but x16 and x17 is written on the way to an address.
Refuses: target-unsupported (a symbol that no assembler takes, or that is the linker's).
Entry: `syntax`, `spell_address`, `holds_address`, `takes_address`, `inverse`, `CONDITIONS`,
    `conditions`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from alpha.backends.core.names import check_name, literal_content
from alpha.backends.core.program import Address
from alpha.backends.core.rows import Memory, Row
from alpha.backends.core.target import Syntax

_INVERSES = (
    ("eq", "ne"),
    ("hs", "lo"),
    ("mi", "pl"),
    ("vs", "vc"),
    ("hi", "ls"),
    ("ge", "lt"),
    ("gt", "le"),
)
CONDITIONS = tuple(condition for pair in _INVERSES for condition in pair)
"""Arm ARM, C1.2.4. Behind a comparison of floats they count unordered as the predicates of
`rows/scalars.py` say, so that the exact negation of one is again one."""

ZERO_CONDITIONS = ("z", "nz")
"""The conditions of `cbz` and `cbnz`, which only those rows take."""

_INVERSE: Mapping[str, str] = MappingProxyType(
    {one: other for pair in (*_INVERSES, ZERO_CONDITIONS) for one, other in (pair, pair[::-1])}
)


def inverse(condition: str) -> str:
    """The condition that holds exactly where this one doesn't. Raises KeyError if there is none."""
    return _INVERSE[condition]


def conditions(row: Row) -> Collection[str]:
    """Those that a row takes."""
    return ZERO_CONDITIONS if row.name.startswith("cb") else CONDITIONS


_REGISTER = re.compile(
    r"[xwbhsdqvzp]\d+|w?sp|[xw]zr|lr|fp|ip[01]|pc|fpcr|fpsr|nzcv|ffr|vg|za|zt0", re.IGNORECASE
)


def symbol(name: str) -> str:
    """A name, in quotation marks where an assembler would read it as a register.

    Raises:
        Refusal: target-unsupported, for a name that isn't a word of the assembler's.
    """
    check_name(name)
    return f'"{name}"' if _REGISTER.fullmatch(name) else name


REACH = (1 << 20) // 4 - 64
"""`b.cond` and `cbz` get 1 MiB forwards and backwards; a line is at most one instruction."""


def syntax(features: frozenset[str]) -> Syntax:
    """The syntax of a file that may use these features."""
    return Syntax(
        address=spell_address,
        symbol=symbol,
        inverse=inverse,
        header=(".arch armv8-a+crypto" if "sha2" in features else ".arch armv8-a",),
        # Some emulators fail on a writable segment that has nothing in the file.
        footer=(".data", "  .balign 8", "  .zero 8", '.section .note.GNU-stack,"",%progbits'),
        comment="//",
        takes=takes_address,
        conditions=conditions,
        reach=REACH,
    )


_ADD_MAX = 4095
_ADD_HIGH_MAX = 4095 << 12
_UNSCALED = range(-256, 256)
_SCALES = (1, 2, 4, 8, 16)
"""An `add` to the stack pointer shifts a register by up to 4."""


def spell_address(address: Address, registers: Sequence[str], spec: str) -> str:
    """A part of the text of an address; the module says what each `spec` gives.

    `registers` are the 64-bit names of the base, then of the index. Raises ValueError for an
    unknown `spec`, and for a scale that isn't a power of two up to 16.
    """
    if spec in ("page", "low"):
        return _literal(address, spec)
    before = spec.startswith("reach")
    width = spec.removeprefix("reach")
    lines, operand = _reached(address, list(registers), -1 if width == "base" else int(width))
    return "".join(f"{line}\n" for line in lines) if before else operand


def holds_address(address: Address, width: int) -> bool:
    """Whether an access of so many bytes costs nothing more for an address of this shape.

    A width of -1 is a place that only takes a register. Where a part of the frame lies isn't known;
    most lie near.
    """
    if address.area == "symbol":
        return False
    if address.area:
        return not address.indexed and width > 0
    registers = ("x0", "x1")[: address.registers]
    return not _reached(address, list(registers), width)[0]


_NEAR = 1 << 31
"""`adrp` gets 4 GiB, of which the symbol may be away half by itself."""


def takes_address(row: Row, address: Address) -> bool:
    """Whether a row can be written with an address of this shape, with what it takes to get there.

    A row for literals has them alone, and their parts at multiples of what is read.
    """
    if address.scale not in _SCALES:
        return False
    if "{m:page}" in row.text:
        return not address.registers and address.area == "symbol" and _in_literal(row, address)
    if address.area:
        return abs(address.offset) < _NEAR and (address.area == "symbol" or not address.based)
    return -(1 << 63) <= address.offset < 1 << 63


def _in_literal(row: Row, address: Address) -> bool:
    content = literal_content(address.symbol)
    assert row.memory is not None and isinstance(row.memory.kind, Memory)
    bytes = row.memory.kind.bytes
    if content is None or address.offset % bytes:
        return False
    return 0 <= address.offset <= len(content) - bytes


def _literal(address: Address, spec: str) -> str:
    if address.area != "symbol" or address.registers:
        raise ValueError(f"{address} names no literal")
    place = _symbol_place(address)
    return place if spec == "page" else f":lo12:{place}"


def _symbol_place(address: Address) -> str:
    return f"{address.symbol}{address.offset:+d}" if address.offset else address.symbol


def _reached(address: Address, registers: list[str], width: int) -> tuple[list[str], str]:
    """The instructions that are needed and the operand of an access of so many bytes.

    A width of 0 is an `add`, and one of -1 a place that only takes a register.
    """
    base = registers.pop(0) if address.based else None
    index = registers.pop(0) if address.indexed else None
    offset = address.offset
    if address.scale not in _SCALES:
        raise ValueError(f"the scale of an address is one of {_SCALES}, not {address.scale}")
    shift = address.scale.bit_length() - 1
    lines: list[str] = []
    if address.area == "symbol":
        place = _symbol_place(address)
        lines.append(f"adrp x16, {place}")
        if width == 0 and base is None and index is None:
            return lines, f"x16, :lo12:{place}"
        lines.append(f"add x16, x16, :lo12:{place}")
        offset = 0
        base = _sum(lines, "x16", base)
    if index is not None:
        if base is not None and offset == 0 and _holds_index(address.scale, width):
            return lines, _indexed(base, index, shift, width)
        base = _scaled(lines, base, index, shift)
    if base is None:
        lines += _constant("x16", offset)
        base, offset = "x16", 0
    return _with_offset(lines, base, offset, width)


def _sum(lines: list[str], one: str, other: str | None) -> str:
    """x16, once the other register is added to it."""
    if other is not None:
        # Of two registers, only the first may be the stack pointer.
        lines.append(f"add x16, {other}, {one}")
    return one


def _scaled(lines: list[str], base: str | None, index: str, shift: int) -> str:
    if base is None:
        lines.append(f"lsl x16, {index}, #{shift}" if shift else f"mov x16, {index}")
    else:
        lines.append(f"add x16, {base}, {index}{f', lsl #{shift}' if shift else ''}")
    return "x16"


def _holds_index(scale: int, width: int) -> bool:
    """Whether the instruction adds an index by itself."""
    return width == 0 or (width > 0 and scale in (1, width))


def _indexed(base: str, index: str, shift: int, width: int) -> str:
    pair = f"{base}, {index}, lsl #{shift}" if shift else f"{base}, {index}"
    return pair if width == 0 else f"[{pair}]"


def _with_offset(lines: list[str], base: str, offset: int, width: int) -> tuple[list[str], str]:
    if offset and not _holds_offset(offset, width):
        low = offset % 4096
        # What a multiple of the width leaves below 4096 is one too, and small enough.
        base = _add_high(lines, base, offset - low)
        offset = low
        if offset and not _holds_offset(offset, width):
            lines.append(f"add x16, {base}, #{offset}")
            base, offset = "x16", 0
    if width == 0:
        return lines, f"{base}, #{offset}"
    return lines, f"[{base}, #{offset}]" if offset else f"[{base}]"


def _holds_offset(offset: int, width: int) -> bool:
    if width == 0:
        return abs(offset) <= _ADD_MAX  # assemblers write `sub` for an `add` of less than zero
    if width < 0:
        return False
    return offset in _UNSCALED or (0 <= offset <= 4095 * width and offset % width == 0)


def _add_high(lines: list[str], base: str, high: int) -> str:
    """The base with a multiple of 4096 added, in x16 unless that is nothing."""
    if high == 0:
        return base
    if abs(high) <= _ADD_HIGH_MAX:
        lines.append(f"{'add' if high > 0 else 'sub'} x16, {base}, #{abs(high)}")
    else:
        lines += _constant("x17", high)
        lines.append(f"add x16, {base}, x17")
    return "x16"


def _constant(register: str, value: int) -> list[str]:
    """Any 64 bits: 16 at a time, those that are zeros left out."""
    parts = [(value >> shift & 0xFFFF, shift) for shift in (0, 16, 32, 48)]
    needed = [part for part in parts if part[0]] or parts[:1]
    first, *rest = (f"#{part}, lsl #{shift}" if shift else f"#{part}" for part, shift in needed)
    return [f"movz {register}, {first}", *(f"movk {register}, {each}" for each in rest)]
