"""Reads a module of PTX: its directives, its variables, and the bodies of its kernels.

Source: PTX ISA 7.1, 5 (state spaces and declarations), 11 (directives).

Invariant: what isn't known is refused with its line; nothing is skipped but comments.
Entry: `parsed`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.ptx.interpreter.bodies import Body, variable
from alpha.backends.ptx.interpreter.faults import UnknownText
from alpha.backends.ptx.interpreter.matching import NAME
from alpha.backends.ptx.interpreter.programs import Kernel, Program, Variable

_HEADER: Mapping[str, str] = MappingProxyType(
    {".version": "7.1", ".target": "sm_86", ".address_size": "64"}
)
_DIRECTIVE = re.compile(r"(\.[a-z_]+)[ \t]+(\S+)")
_ENTRY = re.compile(rf"(?:\.visible\s+)?\.entry\s+({NAME})\s*\(([^)]*)\)\s*([^{{]*)\{{")
_PARAMETER = re.compile(rf"\s*\.param\s+\.u64\s+({NAME})\s*")
_THREADS = re.compile(r"\.(maxntid|reqntid)\s+([1-9][0-9]*)((?:\s*,\s*1){0,2})\s*")
THREADS_MAX = 1024
"""The threads of a block that the machine runs at most."""


class _Source:
    """The text without its comments, and how far it is read."""

    def __init__(self, text: str) -> None:
        self.text = re.sub(r"//[^\n]*", "", text)
        self.at = 0
        self._starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
        self._skip()

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    @property
    def line(self) -> int:
        return bisect_right(self._starts, self.at)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self._skip()
        return found

    def until(self, end: str) -> str:
        """What stands before this character, which is read too."""
        stop = self.text.find(end, self.at)
        if stop < 0:
            raise self.unknown(f"no {end} behind this")
        found = self.text[self.at : stop]
        self.at = stop + 1
        self._skip()
        return found

    def rest(self) -> str:
        """The line from here on."""
        return self.text[self.at :].split("\n", 1)[0].strip()

    def unknown(self, reason: str) -> UnknownText:
        return UnknownText(self.line, self.rest(), reason)


def parsed(text: str) -> Program:
    """Read a module. Raises UnknownText for what isn't known or doesn't fit together."""
    source = _Source(text)
    for directive, wanted in _HEADER.items():
        line, rest = source.line, source.rest()
        found = source.match(_DIRECTIVE)
        if found is None or found[1] != directive or found[2] != wanted:
            raise UnknownText(line, rest, f"expected {directive} {wanted}")
    variables: dict[str, Variable] = {}
    kernels: dict[str, Kernel] = {}
    while source.at < len(source.text):
        line, rest = source.line, source.rest()
        entry = source.match(_ENTRY)
        if entry is not None:
            if entry[1] in variables or entry[1] in kernels:
                raise UnknownText(line, rest, f"a second {entry[1]}")
            kernels[entry[1]] = _kernel(source, line, entry, variables)
            continue
        if not rest.startswith((".global", ".shared")):
            raise source.unknown("no such directive")
        made = variable(source.until(";"), line)
        if made.name in variables or made.name in kernels:
            raise UnknownText(line, rest, f"a second {made.name}")
        variables[made.name] = made
    return Program(
        MappingProxyType(kernels),
        tuple(each for each in variables.values() if each.space == "global"),
    )


def _kernel(
    source: _Source, line: int, entry: re.Match[str], variables: Mapping[str, Variable]
) -> Kernel:
    name = entry[1]
    parameters = _parameters(line, name, entry[2])
    threads, exact = THREADS_MAX, False
    at = 0
    while at < len(entry[3]):
        found = _THREADS.match(entry[3], at)
        if found is None:
            raise UnknownText(line, entry[3][at:].strip(), "no such directive of a kernel")
        threads, exact = min(threads, int(found[2])), exact or found[1] == "reqntid"
        at = found.end()
    body = Body(parameters, variables)
    while not source.text.startswith("}", source.at):
        _statement(source, body)
    source.until("}")
    return body.kernel(name, threads, exact)


def _parameters(line: int, kernel: str, text: str) -> tuple[str, ...]:
    names: list[str] = []
    for part in text.split(",") if text.strip() else ():
        found = _PARAMETER.fullmatch(part)
        if found is None:
            raise UnknownText(line, part.strip(), f"no parameter of {kernel} that is known")
        if found[1] in names:
            raise UnknownText(line, part.strip(), "a second parameter of this name")
        names.append(found[1])
    return tuple(names)


_LABEL = re.compile(rf"({NAME})\s*:")


def _statement(source: _Source, body: Body) -> None:
    """Read a label, a declaration or an instruction."""
    line = source.line
    if source.at >= len(source.text):
        raise UnknownText(line, "", "the text ends inside a kernel")
    label = source.match(_LABEL)
    if label is not None:
        body.label(label[1], line)
        return
    if source.text.startswith("{", source.at):
        raise source.unknown("blocks of names aren't known")
    text = source.until(";")
    if text.count("}") != text.count("{"):
        raise UnknownText(line, text.split("\n", 1)[0].strip(), "no ; behind this")
    body.statement(text, line)
