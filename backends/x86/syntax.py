"""How x86-64 assembly is written: Intel syntax without prefixes, for GNU as and LLVM alike.

Invariant: a name of the module that an assembler would read as a register or an operator in an
    operand (`r8`, `and`, `offset`) is never written as one: `symbol` writes another name, and
    `aliases` says, in AT&T syntax where the two can't be confused, that it means the same.
Refuses: target-unsupported (a symbol that no assembler takes, or that is the linker's).
Entry: `SYNTAX`, `address`, `takes_address`, `symbol`, `aliases`, `INVERSE`, `conditions`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from alpha.backends.core.names import check_name
from alpha.backends.core.program import Address
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Syntax
from alpha.backends.x86.meanings import CONDITIONS, FLOAT_CONDITIONS, MASK_CONDITIONS

_PAIRS = (
    ("o", "no"),
    ("b", "ae"),
    ("e", "ne"),
    ("be", "a"),
    ("s", "ns"),
    ("p", "np"),
    ("l", "ge"),
    ("le", "g"),
)

INVERSE: Mapping[str, str] = MappingProxyType(
    dict(_PAIRS) | {negative: positive for positive, negative in _PAIRS}
)
"""Each condition and the one that holds exactly where it doesn't, in the order of their codes."""


def conditions(row: Row) -> Collection[str]:
    """Those whose flags the comparison of this row sets."""
    if "ucomis" in row.name:
        return FLOAT_CONDITIONS
    return MASK_CONDITIONS if "kortest" in row.name else CONDITIONS


_REGISTER = re.compile(
    r"[re]?(ax|bx|cx|dx|sp|bp|si|di|ip|iz|flags)|[abcd][lh]|(sp|bp|si|di)l|r\d+[dwb]?"
    r"|[xyzt]?mm\d+|k\d|bnd\d|st\d?|[cdt]r\d+|db\d+|[cdefgs]s"
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "and or xor not mod shl shr eq ne lt le gt ge offset ptr flat near far short byte word "
        "dword qword tbyte fword oword mmword xmmword ymmword zmmword length size type this high "
        "low dup",
    )
)
_ALIAS = "name."


def _is_taken(name: str) -> bool:
    """Whether an assembler may read this name as something else, in Intel syntax."""
    low = name.lower()
    return low in _WORDS or _REGISTER.fullmatch(low) is not None


def symbol(name: str) -> str:
    """The name in an operand.

    Raises:
        Refusal: `target-unsupported`, for a name that isn't a word of the assembler's, or that
            another name is written by.
    """
    check_name(name, without=_ALIAS)
    return _ALIAS + name if _is_taken(name) else name


def aliases(exported: Iterable[str], outside: Iterable[str]) -> Sequence[str]:
    """What a file says once, anywhere, of the names that it exports, and of those it takes from
    other files; nothing of most."""
    lines: list[str] = []
    for name in exported:
        if _is_taken(name):
            lines += [f".globl {name}", f".set {name}, {symbol(name)}"]
    lines += [f".set {symbol(name)}, {name}" for name in outside if _is_taken(name)]
    return (".att_syntax prefix", *lines, ".intel_syntax noprefix") if lines else ()


def address(place: Address, registers: Sequence[str], spec: str) -> str:
    """`[base + index*scale + offset]`, or relative to rip where the place is a symbol, which is
    spelled already.

    Raises ValueError for what no instruction can say: a symbol with registers, or no place at all.
    """
    if spec:
        raise ValueError(f"an address has no form {spec}")
    parts = []
    if place.area == "symbol":
        if registers:
            raise ValueError(f"the address of {place.symbol} takes no registers")
        parts += ["rip", place.symbol]
    elif place.area:
        raise ValueError(f"the area {place.area} has no place yet")
    names = iter(registers)
    if place.based:
        parts.append(next(names))
    if place.indexed:
        parts.append(f"{next(names)}*{place.scale}")
    if not parts:
        raise ValueError("an address without a base, an index and a symbol")
    text = " + ".join(parts)
    if place.offset:
        text += f" {'+' if place.offset > 0 else '-'} {abs(place.offset)}"
    return f"[{text}]"


_REACH = 1 << 31
_REACH_IN_FRAME = 1 << 30
"""An offset from the stack pointer has the place in the frame added: the other half is for that."""

_SCALES = (1, 2, 4, 8)


def takes_address(row: Row, place: Address) -> bool:
    """Whether an instruction can hold an address of this shape.

    A symbol is reached from rip alone; a part of the frame from rsp, with an index.
    """
    del row
    if place.scale not in _SCALES:
        return False
    if place.area == "symbol":
        return not place.registers and abs(place.offset) < _REACH
    if place.area:
        return not place.based and abs(place.offset) < _REACH_IN_FRAME
    return place.registers > 0 and -_REACH <= place.offset < _REACH


SYNTAX = Syntax(
    address=address,
    symbol=symbol,
    inverse=lambda condition: INVERSE[condition],
    header=(".intel_syntax noprefix", ".text"),
    # Some emulators fail on a segment of data that has nothing in the file.
    footer=(".data", ".byte 0", '.section .note.GNU-stack,"",@progbits'),
    comment="#",
    aliases=aliases,
    takes=takes_address,
    conditions=conditions,
)
