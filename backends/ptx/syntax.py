"""How an address of PTX is written: a register or a name, and an offset in bytes.

Refuses: target-unsupported.
Entry: `SYNTAX`, `address_text`, `holds_address`, `symbol`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from alpha.backends.core.program import Address
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Syntax
from alpha.backends.ptx.meanings import FLOAT_PREDICATES, INTEGER_CONDITIONS
from alpha.ir.refusals import Refusal

OFFSET_BITS = 31

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_$]*")
_RESERVED = frozenset({"WARP_SZ"})


def address_text(address: Address, registers: Sequence[str], spec: str) -> str:
    """An address in brackets; with the spec `name` the name alone."""
    if spec == "name":
        return address.symbol
    start = address.symbol or registers[0]
    return f"[{start}+{address.offset}]" if address.offset else f"[{start}]"


def holds_address(row: Row, address: Address) -> bool:
    """Whether an instruction takes an address: a register and an offset, a parameter, an array."""
    if address.indexed or address.symbol or abs(address.offset) >= 1 << OFFSET_BITS:
        return False
    if row.name == "address":
        return address.area == "slot" and not address.based and not address.offset
    if row.name.startswith("load_param"):
        return address.area == "in" and not address.based
    return address.area == "" and address.based


def conditions(row: Row) -> Collection[str]:
    """The conditions that a comparison can be written with."""
    return INTEGER_CONDITIONS if row.name.startswith(("setp_s_", "setp_u_")) else FLOAT_PREDICATES


def symbol(name: str) -> str:
    """A name, as it is.

    Raises:
        Refusal: `target-unsupported`, for one that PTX hasn't.
    """
    if _NAME.fullmatch(name) is None or name in _RESERVED:
        wanted = "a name of letters, digits, `_` and `$` that begins with a letter"
        raise Refusal("target-unsupported", wanted, repr(name))
    return name


def _same(condition: str) -> str:
    return condition


SYNTAX = Syntax(
    address=address_text,
    symbol=symbol,
    inverse=_same,
    header=(".version 7.1", ".target sm_86", ".address_size 64"),
    footer=(),
    comment="//",
    takes=holds_address,
    conditions=conditions,
)
"""No condition is ever turned round here: a branch has a form for either truth."""
