"""What assemblers make of texts, and what a disassembler reads from it.

Each text is put into a place of its own of `PLACE_BYTES`, so that its bytes can be cut out.

Entry: `encodings`, `disassembled`, `FAMILIES`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from functools import cache

import capstone

from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.finding import CHOICE, find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.backends.x86.syntax import SYNTAX

FAMILIES = ("gnu", "zig")
PLACE_BYTES = 256
_FILLED, _END = 0xCC, 0x90


def encodings(family: str, texts: Sequence[str]) -> list[bytes]:
    """The bytes of each text, by the assembler of a family of tools.

    Symbols that the texts name are outside, so that their places are zeros.
    """
    lines = [*SYNTAX.header]
    for number, text in enumerate(texts):
        lines += [text, f"end{number}:", f".byte {_END}", f".balign {PLACE_BYTES}, {_FILLED}"]
    lines += SYNTAX.footer
    toolchain = find_toolchain(machine_of("x86-64"), {**os.environ, CHOICE: family})
    code = _section(assemble("\n".join(lines) + "\n", toolchain), ".text")
    assert len(code) == PLACE_BYTES * len(texts), "a text is longer than its place"
    places = [code[at : at + PLACE_BYTES] for at in range(0, len(code), PLACE_BYTES)]
    return [place.rstrip(bytes([_FILLED])).removesuffix(bytes([_END])) for place in places]


def _section(elf: bytes, name: str) -> bytes:
    """A section of an ELF64 object (System V ABI, chapter 4)."""
    (headers,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    found = [struct.unpack_from("<IIQQQQ", elf, headers + size * at) for at in range(count)]
    strings = found[names][4]
    for at, _, _, _, offset, length in found:
        start = strings + at
        if elf[start : elf.index(0, start)].decode() == name:
            return elf[offset : offset + length]
    raise ValueError(f"no section {name}")


@cache
def _disassembler() -> capstone.Cs:
    made = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    made.syntax = capstone.CS_OPT_SYNTAX_INTEL
    return made


def disassembled(code: bytes) -> list[str]:
    """The instructions as Capstone writes them; offsets of jumps count from the first byte."""
    return [f"{each.mnemonic} {each.op_str}".strip() for each in _disassembler().disasm(code, 0)]
