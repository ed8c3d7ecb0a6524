"""What a tool says about the input: one line a diagnostic, then its line of the source and a caret.

Invariant: the first line of each is `FILE:LINE:COLUMN: SEVERITY: MESSAGE`, and a refusal's message
    begins with its code in brackets.
Entry: `Diagnostic`, `of_refusal`, `of_remark`, `render`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from alpha.ir.refusals import Place

if TYPE_CHECKING:
    from alpha.ir.frontend.registry import Remark
    from alpha.ir.refusals import Refusal

Severity = Literal["error", "warning", "note"]

SHOWN_LETTERS_MAX = 160
"""Longest part of a source line that is shown."""


class Diagnostic(NamedTuple):
    """One line of a report."""

    place: Place
    severity: Severity
    message: str


def of_refusal(refusal: Refusal, file: str, first_line: int = 1) -> list[Diagnostic]:
    """A refusal's error and one note per witness; without a place it is about the whole piece."""
    place = refusal.place or Place(file, first_line, 1)
    return [
        Diagnostic(place, "error", f"[{refusal.code}] {refusal.message}"),
        *(Diagnostic(note.place or place, "note", note.message) for note in refusal.notes),
    ]


def of_remark(remark: Remark, file: str, first_line: int = 1) -> list[Diagnostic]:
    """A pass's warning and its notes."""
    place = remark.place or Place(file, first_line, 1)
    return [
        Diagnostic(place, "warning", remark.message),
        *(Diagnostic(note.place or place, "note", note.message) for note in remark.notes),
    ]


def render(diagnostics: Iterable[Diagnostic], file: str, source: bytes) -> str:
    """The diagnostics as printed; a source line is shown once for a run of them at one place."""
    lines: list[bytes] | None = None
    result: list[str] = []
    shown: Place | None = None
    for place, severity, message in diagnostics:
        result.append(f"{place}: {severity}: {message}\n")
        if place.file == file and place != shown:
            lines = source.split(b"\n") if lines is None else lines
            if place.line <= len(lines):
                line = lines[place.line - 1].decode("utf-8", "replace").rstrip("\r")
                result.extend(_excerpt(line, place.column - 1))
        shown = place
    return "".join(result)


def _excerpt(line: str, column: int) -> list[str]:
    """A line, or the part around a column of a long one, with a caret below that column."""
    if not line.strip() or column > len(line):
        return []
    start = max(0, column - SHOWN_LETTERS_MAX // 2) if len(line) > SHOWN_LETTERS_MAX else 0
    line, column = line[start : start + SHOWN_LETTERS_MAX], column - start
    margin = "".join("\t" if letter == "\t" else " " for letter in line[:column])
    # A terminal would obey control characters.
    shown = "".join(each if each.isprintable() or each == "\t" else "\ufffd" for each in line)
    return [f"{shown}\n", f"{margin}^\n"]
