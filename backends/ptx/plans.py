"""How a program is run on a device: its kernels in their order, and the memory that they need.

Everything is read from the attributes of the kernels, so that a module that was written to a file
and read back is run alike.

Invariant: kernels are launched in the order of their steps, each when the one before has ended.
Refuses: source-structure, for attributes that no pass writes.
Entry: `Plan`, `Launch`, `Memory`, `Wide`, `plans_of`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation

from alpha.backends.ptx.dialect import DIALECT
from alpha.ir.refusals import Refusal
from alpha.passes.kernels.kernel import KERNEL

_MEMORY = re.compile(r"(input|result|buffer) (\d+)(?: %\S+)? : ((?:n?\d+x)*)(f32|f64|i64)")
_EXTENT = re.compile(r"extent (\d+)")
_WIDE = re.compile(r"wide (\d+)")
_BYTES = {"f32": 4, "f64": 8, "i64": 8}


@dataclass(frozen=True)
class Memory:
    """Memory that a kernel is given: `kind` is input, result or buffer.

    An extent is a number, or the position of an extent of the caller as `n0`.
    """

    kind: str
    number: int
    shape: tuple[str, ...]
    element: str

    def words(self, extents: Sequence[int]) -> int:
        """How many words it has, for these extents of the caller."""
        return prod(extent_of(each, extents) for each in self.shape)

    def bytes(self, extents: Sequence[int]) -> int:
        """How many bytes it has, for these extents of the caller."""
        return _BYTES[self.element] * self.words(extents)


def extent_of(text: str, extents: Sequence[int]) -> int:
    """An extent as `Memory` has it."""
    return extents[int(text[1:])] if text.startswith("n") else int(text)


@dataclass(frozen=True)
class Wide:
    """How often `words` points in a row are worked on at once: only with aligned memory."""

    words: int


@dataclass(frozen=True)
class Launch:
    """One kernel: what it is given, in order, and how many points it works on.

    An argument is memory, the position of an extent, or a number of wide turns. `lanes` threads
    work on each point; a block has `threads`.
    """

    kernel: str
    arguments: tuple[Memory | Wide | int, ...]
    points: tuple[str, ...]
    threads: int
    lanes: int

    def count(self, extents: Sequence[int]) -> int:
        """How many points there are."""
        return prod(extent_of(each, extents) for each in self.points)

    def blocks(self, extents: Sequence[int], most: int) -> int:
        """How many blocks to launch, at most so many; 0 where there is nothing to do."""
        points = self.count(extents)
        return min(most, -(-points * self.lanes // self.threads))


@dataclass(frozen=True)
class Plan:
    """The launches of a program, and its buffers by number."""

    program: str
    launches: tuple[Launch, ...]
    buffers: Mapping[int, Memory]


def plans_of(module: ModuleOp) -> dict[str, Plan]:
    """The plans of the programs of a module of kernels, by the names of the programs.

    Raises:
        Refusal: `source-structure`, for a kernel whose attributes don't say how it is launched.
    """
    launches: dict[str, list[Launch]] = {}
    for op in module.body.block.ops:
        if isinstance(op, DIALECT.func) and KERNEL in op.attributes:
            program, launch = _launch(op, op.symbol)
            launches.setdefault(program, []).append(launch)
    plans: dict[str, Plan] = {}
    for program, each in launches.items():
        memory = {a for launch in each for a in launch.arguments if isinstance(a, Memory)}
        buffers = {a.number: a for a in memory if a.kind == "buffer"}
        plans[program] = Plan(program, tuple(each), dict(sorted(buffers.items())))
    return plans


def _launch(op: Operation, name: str) -> tuple[str, Launch]:
    told = op.attributes[KERNEL]
    if not isinstance(told, DictionaryAttr):
        raise _wrong(op, told)
    held = told.data
    program = held.get("program")
    if not isinstance(program, StringAttr):
        raise _wrong(op, told)
    extent = _number(op, held["extent"]) if "extent" in held else 0
    points = tuple(
        f"n{extent}" if (number := _number(op, each)) < 0 else str(number)
        for each in _list(op, held.get("points"))
    )
    arguments = tuple(_argument(op, each) for each in _list(op, held.get("arguments")))
    threads, lanes = (_number(op, held.get(key)) for key in ("threads", "lanes"))
    return program.data, Launch(name, arguments, points, threads, lanes)


def _argument(op: Operation, attribute: Attribute) -> Memory | Wide | int:
    text = attribute.data if isinstance(attribute, StringAttr) else ""
    if found := _MEMORY.fullmatch(text):
        shape = tuple(found[3].split("x")[:-1])
        return Memory(found[1], int(found[2]), shape, found[4])
    if found := _EXTENT.fullmatch(text):
        return int(found[1])
    if found := _WIDE.fullmatch(text):
        return Wide(int(found[1]))
    raise _wrong(op, attribute)


def _list(op: Operation, attribute: Attribute | None) -> Sequence[Attribute]:
    if not isinstance(attribute, ArrayAttr):
        raise _wrong(op, attribute)
    return attribute.data


def _number(op: Operation, attribute: Attribute | None) -> int:
    if not isinstance(attribute, IntegerAttr):
        raise _wrong(op, attribute)
    return attribute.value.data


def _wrong(op: Operation, found: object) -> Refusal:
    wanted = f"an attribute {KERNEL} as --lower-pointwise-to-kernels writes it"
    return Refusal("source-structure", wanted, str(found), op)
