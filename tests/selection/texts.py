"""Functions of one loop each that do operations on every word, or vector, of their arrays.

Entry: `Loops`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from selection.points import DTYPES

from alpha.backends.toolchain.calls import Buffer, Call

RESULTS_MAX = 10
"""Of one function: beside its operands most of these arrays are passed on the stack."""

_OWN = re.compile(r"%(\w+)")


def vector(lanes: int, element: str) -> str:
    """The type of a vector, or of a word."""
    return element if lanes == 1 else f"vector<{lanes}x{element}>"


@dataclass
class Loop:
    """A function `@name(operands..., results..., count)`; an operand is a name and its words."""

    name: str
    operands: Mapping[str, tuple[str, np.ndarray]]
    lanes: int
    offset: int
    results: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The function."""
        arrays = [(name, element) for name, (element, _) in self.operands.items()]
        arrays += [(f"r{at}", element) for at, (_, element, _) in enumerate(self.results)]
        arguments = ", ".join(f"%m_{name}: memref<?x{element}>" for name, element in arrays)
        lines = [
            self._access("load", f"%{name} = ", "", f"m_{name}", element)
            for name, (element, _) in self.operands.items()
        ]
        for at, (_, element, body) in enumerate(self.results):
            lines.append(_OWN.sub(lambda word, at=at: self._renamed(word[1], at), body))
            lines.append(self._access("store", "", f"%v_{at}, ", f"m_r{at}", element))
        return (
            f"func.func @{self.name}({arguments}, %n: index) {{\n"
            "  %first = arith.constant 0 : index\n"
            f"  %step = arith.constant {self.lanes} : index\n"
            "  scf.for %i = %first to %n step %step {\n"
            + "".join(f"    {line}\n" for line in lines)
            + "  }\n  func.return\n}\n"
        )

    def _renamed(self, name: str, at: int) -> str:
        shared = name in ("i", *self.operands) or name.startswith("m_")
        return f"%{name}" if shared else f"%{name}_{at}"

    def _access(self, verb: str, before: str, value: str, array: str, element: str) -> str:
        memory = f"memref<?x{element}>"
        if self.lanes == 1:
            return f"{before}memref.{verb} {value}%{array}[%i] : {memory}"
        whole = vector(self.lanes, element)
        return f"{before}vector.{verb} {value}%{array}[%i] : {memory}, {whole}"

    @property
    def call(self) -> Call:
        """The function on its words, of which no part of a vector is left over."""
        given = [words for _, words in self.operands.values()]
        count = len(given[0]) // self.lanes * self.lanes
        buffers = [Buffer(words[:count].copy(), self.offset) for words in given]
        dtypes = [DTYPES[element] for _, element, _ in self.results]
        buffers += [Buffer(np.zeros(count, dtype), self.offset) for dtype in dtypes]
        return Call(self.name, [*buffers, count])


class Loops:
    """Loops with the operations that were added, and what each result of a function is of."""

    def __init__(self) -> None:
        self.loops: list[Loop] = []

    def add(
        self,
        operands: Mapping[str, tuple[str, np.ndarray]],
        operations: Sequence[tuple[str, str, str]],
        lanes: int = 1,
        offset: int = 0,
    ) -> None:
        """Operations on the same operands: the name, the element of the result, the body.

        A body makes `%v` of the operands; the arrays lie `offset` bytes from where they should.
        """
        for at in range(0, len(operations), RESULTS_MAX):
            name = f"f{len(self.loops)}"
            some = list(operations[at : at + RESULTS_MAX])
            self.loops.append(Loop(name, operands, lanes, offset, some))

    @property
    def text(self) -> str:
        """The module."""
        return "".join(loop.text for loop in self.loops)

    @property
    def calls(self) -> list[Call]:
        """A call of each function."""
        return [loop.call for loop in self.loops]

    def label(self, function: str, buffer: int) -> str:
        """The operation that a buffer of a function is the result of."""
        loop = next(loop for loop in self.loops if loop.name == function)
        number = buffer - len(loop.operands)
        return loop.results[number][0] if number >= 0 else f"operand {buffer}"
