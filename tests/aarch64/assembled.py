"""Instances of rows through two assemblers, and back through a disassembler.

Each instance is followed by a word that is no instruction and has its number, so that what an
assembler made of it can be cut out.

Entry: `assembled_by`, `TOOLCHAINS`.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from alpha.backends.aarch64.target import target
from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.finding import CHOICE, Toolchain, find_toolchain
from alpha.backends.toolchain.machines import machine_of

FAMILIES = ("gnu", "zig")
TARGET = target(frozenset({"sha2"}))

_LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f]{8}) \t(.*)")
_RELOCATION = re.compile(r"\s*[0-9a-f]+: (R_AARCH64_\w+)\t(\S+)")


@cache
def toolchain(family: str) -> Toolchain:
    """The tools of GNU, or those of the package ziglang."""
    return find_toolchain(machine_of("aarch64"), {**os.environ, CHOICE: family})


def file_of(texts: Sequence[str]) -> str:
    """A file with the texts of instances, one behind the other; `yes` and `no` are labels."""
    lines = [*TARGET.syntax.header, ".text", "no:", "nop", "yes:", "nop", ".word 0"]
    for number, text in enumerate(texts, 1):
        lines += [text, f".word {number}"]
    return "\n".join([*lines, *TARGET.syntax.footer]) + "\n"


def assembled_by(family: str, texts: Sequence[str]) -> list[list[str]]:
    """What the disassembler says of each text: an instruction's bytes and text, its relocation."""
    listing = _listing(assemble(file_of(texts), toolchain(family)))
    found: list[list[str]] = []
    current: list[str] = []
    for line in listing.splitlines():
        if relocation := _RELOCATION.match(line):
            current[-1] += f" {relocation[1]} {relocation[2]}"
        elif shown := _LINE.match(line):
            word = int(shown[2], 16)
            if word < 1 << 16:
                assert word == len(found)
                found.append(current)
                current = []
            else:
                current.append(f"{shown[2]} {shown[3]}")
    assert not current
    return found[1:]


def _listing(binary: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.o"
        path.write_bytes(binary)
        command = ["aarch64-linux-gnu-objdump", "-dr", "-j", ".text", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
