"""What a tool reads: one file or stdin, whole or in pieces.

Entry: `read_source`, `folder_of`, `Piece`, `split_pieces`, `SEPARATOR`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from alpha.ir.frontend.source_guard import SIZE_BYTES_MAX
from alpha.tools.driver.output import InputOutputError, reason_of

SEPARATOR = "// -----"
"""A line that begins so stands between two pieces, as in mlir-opt."""

STDIN = "<stdin>"


class Piece(NamedTuple):
    """A part of a text that is treated on its own, and the line of the file that it begins at."""

    text: str
    first_line: int


def source_name(file: str) -> str:
    """How diagnostics name an input file."""
    return STDIN if file == "-" else file


def folder_of(file: str) -> Path:
    """What the paths in a file are relative to: its folder, of stdin the working directory."""
    return Path() if file == "-" else Path(file).parent


def read_source(file: str) -> bytes:
    """The bytes of a file, or of stdin for `-`; one more than the limit if there are more.

    Raises InputOutputError.
    """
    try:
        if file != "-":
            with open(file, "rb") as stream:
                return stream.read(SIZE_BYTES_MAX + 1)
        if sys.stdin is None:
            raise InputOutputError("cannot read stdin: it is closed")
        return sys.stdin.buffer.read(SIZE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        raise InputOutputError(f"cannot read {source_name(file)}: {reason_of(error)}") from None


def split_pieces(text: str) -> list[Piece]:
    """The pieces of a text between its separator lines."""
    pieces: list[Piece] = []
    lines: list[str] = []
    first_line = 1
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(SEPARATOR):
            pieces.append(Piece("".join(f"{each}\n" for each in lines), first_line))
            lines, first_line = [], number + 1
        else:
            lines.append(line)
    pieces.append(Piece("\n".join(lines), first_line))
    return pieces
