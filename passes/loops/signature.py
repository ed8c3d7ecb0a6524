"""The function that a program becomes: its pointers, its extents, and their types.

Invariant: a pointer for each input in program order and then for each result, as row-major
    memrefs, and then an i64 for each extent; it returns nothing. A scalar is a memref without axes.
Why: participants, benchmarks and tests call these functions by what their types say.
Entry: `Signature`.

A contribution has one extent, the number of samples; each component of a sample has it as its
first axis. An update has one for each of its domains, in the order of its inputs: the number of
coordinates where the domain is separable, so that per-coordinate words have one dynamic axis.
Another domain has its static shape, and its extent isn't read.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FunctionType,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.ir import SSAValue

from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.shapes import element_of
from alpha.passes.loops.domains import Domains
from alpha.passes.loops.items import Dynamic, Shape, static_shape

SAMPLES = Dynamic(-1)
"""The extent of a contribution: the number of samples."""


@dataclass(frozen=True)
class Signature:
    """Shapes of the pointers, and the extents with what each is called in messages and text."""

    inputs: tuple[Shape, ...]
    results: tuple[Shape, ...]
    extents: tuple[Dynamic, ...]
    extent_texts: tuple[str, ...]
    domains: Domains | None

    @classmethod
    def of(cls, program: ProgramOp) -> Signature:
        """The signature of a program."""
        last = program.body.block.last_op
        assert last is not None
        arguments = tuple(program.body.block.args)
        if isinstance(program, ContributionOp):
            parameters = len(program.parameter_types())
            inputs = [static_shape(value) for value in arguments]
            rows = [(SAMPLES, *shape) for shape in inputs[parameters:]]
            results = tuple(static_shape(value) for value in last.operands)
            shapes = (*inputs[:parameters], *rows)
            return cls(shapes, results, (SAMPLES,), ("samples",), None)
        assert isinstance(program, UpdateOp)
        domains = Domains(program)

        def shape(value: SSAValue) -> Shape:
            number = domains.of.get(value)
            if number is None:
                return static_shape(value)
            return (Dynamic(number), *static_shape(value)[domains.axes(number) :])

        numbers = range(len(domains.shapes))
        return cls(
            tuple(shape(value) for value in arguments),
            tuple(shape(value) for value in last.operands),
            tuple(Dynamic(number) for number in numbers),
            tuple(_extent_text(domains, number) for number in numbers),
            domains,
        )

    def function_type(self, program: ProgramOp) -> FunctionType:
        """The type of the function."""
        last = program.body.block.last_op
        assert last is not None
        values = (*program.body.block.args, *last.operands)
        pointers = [
            memref_type(value, shape)
            for value, shape in zip(values, (*self.inputs, *self.results), strict=True)
        ]
        return FunctionType.from_lists([*pointers, *([i64] * len(self.extents))], [])

    def extents_attr(self) -> ArrayAttr[StringAttr]:
        """What each extent is, as an attribute of the function."""
        return ArrayAttr([StringAttr(text) for text in self.extent_texts])


def memref_type(value: SSAValue, shape: Shape) -> MemRefType:
    """The type of a pointer to words of a value that has this shape in memory."""
    sizes = [DYNAMIC_INDEX if isinstance(extent, Dynamic) else extent for extent in shape]
    return MemRefType(element_of(value.type), sizes)


def _extent_text(domains: Domains, number: int) -> str:
    shape = "x".join(map(str, domains.shapes[number]))
    return f"coordinates of {shape}" if number in domains.separable else f"{shape}, not read"
