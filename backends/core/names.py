"""Names of a module in assembly text: which can be written, and those that are the constants'.

Invariant: a name that passes `check_name` means what the module says of it, in every file and
    behind every linker. `end`, `edata` and `etext` do: a linker gives them only to who has none.
Refuses: target-unsupported.
Entry: `check_name`, `literal_symbol`, `literal_content`.
"""

from __future__ import annotations

import re

from alpha.ir.refusals import Refusal

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$.]*")

_LINKERS = frozenset(
    re.findall(
        r"\w+",
        """
    _GLOBAL_OFFSET_TABLE_ _PROCEDURE_LINKAGE_TABLE_ _DYNAMIC _TLS_MODULE_BASE_ __GNU_EH_FRAME_HDR
    __executable_start __ehdr_start __dso_handle _etext __etext _edata _end __end__ __data_start
    __bss_start __bss_start__ __bss_end__ _bss_end__ _init _fini _start
    __preinit_array_start __preinit_array_end __init_array_start __init_array_end
    __fini_array_start __fini_array_end __rela_iplt_start __rela_iplt_end __tdata_start
    __gmon_start__ _ITM_registerTMCloneTable _ITM_deregisterTMCloneTable
    """,
    )
)
"""Scripts of GNU ld for both instruction sets set these whatever a file says, or what starts a
program or loads a library looks for them and runs what it finds."""

_LITERAL = "lit."
_DIGITS = re.compile(r"([0-9a-f]{2})+")
_LITERAL_BYTES_MAX = 64


def check_name(name: str, without: str = "") -> None:
    """Refuse a name that can't be written, or that begins with `without` if that is given.

    Raises:
        Refusal: `target-unsupported`, with the name as the module has it.
    """
    if _NAME.fullmatch(name) is None or (without and name.startswith(without)):
        wanted = "a symbol of letters, digits, `_`, `$` and `.` that begins with a letter or `_`"
        wanted += f", and not with `{without}`" if without else ""
        raise Refusal("target-unsupported", wanted, repr(name))
    if name in _LINKERS:
        wanted = "a symbol that is none of the linker's own"
        raise Refusal("target-unsupported", wanted, repr(name))


def literal_symbol(content: bytes) -> str:
    """The name of a constant of the literal pool: it says what the constant is."""
    return _LITERAL + content.hex()


def literal_content(symbol: str) -> bytes | None:
    """The bytes of a constant of the literal pool, None for any other name.

    A constant has a power of two of bytes, so that it can lie at a multiple of them.
    """
    digits = symbol.removeprefix(_LITERAL)
    if not symbol.startswith(_LITERAL) or _DIGITS.fullmatch(digits) is None:
        return None
    content = bytes.fromhex(digits)
    size = len(content)
    return content if size <= _LITERAL_BYTES_MAX and size & (size - 1) == 0 else None
