"""`--verify-diagnostics`: the comments of a text say which diagnostics it must give, and no others.

Invariant: a diagnostic meets an expectation of its severity and line whose text is a part of its
    message, `[code]` included; each meets one. An expectation that can't be read is an error too.
Entry: `unmet`.

`// expected-error {{text}}` is about its own line. `@+N` and `@-N` name a line by its distance,
`@below` the next line without a `@` expectation, `@above` the last such line, as in mlir-opt.
`expected-warning` and `expected-note` likewise; a line may hold several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from alpha.ir.refusals import Place
from alpha.tools.driver.diagnostics import Diagnostic

_STARTED = re.compile(r"expected-(?:error|warning|note|remark)\b")
_EXPECTATION = re.compile(
    r"expected-(error|warning|note|remark) *(?:@([+-][0-9]{1,9}|above|below))? *\{\{(.*?)\}\}"
)


class Expectation(NamedTuple):
    """A diagnostic that a comment asks for, on one line of the file."""

    severity: str
    line: int
    text: str
    place: Place


def unmet(
    diagnostics: Iterable[Diagnostic], text: str, file: str, first_line: int
) -> list[Diagnostic]:
    """What is wrong with the diagnostics of a piece of text: one error a mismatch."""
    waiting, wrong = _read(text, file, first_line)
    for diagnostic in diagnostics:
        match = next((each for each in waiting if _meets(diagnostic, each, file)), None)
        if match is None:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            wrong.append(Diagnostic(diagnostic.place, "error", message))
        else:
            waiting.remove(match)
    for expectation in waiting:
        message = (
            f'expected {expectation.severity} "{expectation.text}" '
            f"on line {expectation.line} was not produced"
        )
        wrong.append(Diagnostic(expectation.place, "error", message))
    return wrong


def _meets(diagnostic: Diagnostic, expectation: Expectation, file: str) -> bool:
    return (
        expectation.severity == diagnostic.severity
        and expectation.line == diagnostic.place.line
        and diagnostic.place.file == file
        and expectation.text in diagnostic.message
    )


def _read(text: str, file: str, first_line: int) -> tuple[list[Expectation], list[Diagnostic]]:
    """The expectations of a text, and an error for each that can't be read."""
    found: list[Expectation] = []
    wrong: list[Diagnostic] = []
    for_next: list[int] = []
    above = first_line
    for number, line in enumerate(text.split("\n"), first_line):
        starts = len(_STARTED.findall(line)) if "expected-" in line else 0
        matches = [*_EXPECTATION.finditer(line)] if starts else []
        for match in matches:
            severity, designator, wanted = match.groups()
            target = number
            if designator == "above":
                target = above
            elif designator == "below":
                for_next.append(len(found))
            elif designator is not None:
                target = number + int(designator)
            found.append(
                Expectation(severity, target, wanted, Place(file, number, match.start() + 1))
            )
        if len(matches) != starts:
            message = "expected 'expected-error [@+N|@-N|@above|@below] {{text}}'"
            wrong.append(Diagnostic(Place(file, number, 1), "error", message))
        if not any(match.group(2) for match in matches):
            above = number
            for index in for_next:
                found[index] = found[index]._replace(line=number)
            for_next.clear()
    return found, wrong
