"""The named operations of `linalg` whose loops and body their name says: rows of two tables.

Invariant: the body, which MLIR writes in the generic form alone, is the one that the name says.
Why: with maps, iterators and body at hand, one conversion serves named and generic operations.
Refuses: pointwise-type, and what structured operations refuse.
Entry: `NAMED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Self

from xdsl.dialects import arith, math
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import irdl_op_definition
from xdsl.parser import Parser
from xdsl.printer import Printer

from alpha.ir.attributes.linalg import LoopKind
from alpha.ir.dialects.linalg_structured import (
    SegmentedOp,
    StructuredOp,
    YieldOp,
    check_operands,
    parse_group,
    parse_results,
)
from alpha.ir.refusals import Place, Refusal
from alpha.ir.shapes import element_of, shape_of, types_text
from alpha.ir.syntax import place_at

Compute = Callable[[Sequence[SSAValue]], list[Operation]]


class Row(NamedTuple):
    """A named operation: how many operands after `ins`, what a point computes, and what it is.

    `subscripts` is as in numpy's einsum; without it the loops are those of the result, and an
    operand is indexed by all of them, or, if it is the scalar of a fill, by none.
    """

    sources: int
    compute: Compute
    doc: str
    subscripts: str = ""


def _multiply_add(words: Sequence[SSAValue]) -> list[Operation]:
    product = arith.MulfOp(words[0], words[1])
    return [product, arith.AddfOp(words[2], product)]


def _first(words: Sequence[SSAValue]) -> list[Operation]:
    return []


def _one(scalar: Callable[[SSAValue], Operation]) -> Compute:
    return lambda words: [scalar(words[0])]


def _two(scalar: Callable[[SSAValue, SSAValue], Operation]) -> Compute:
    return lambda words: [scalar(words[0], words[1])]


ROWS: Mapping[str, Row] = {
    "dot": Row(2, _multiply_add, "The sum of x[k] * y[k] from the word of `outs` on.", "k,k->"),
    "matvec": Row(2, _multiply_add, "out[i] + the sum of A[i, k] * x[k].", "ik,k->i"),
    "vecmat": Row(2, _multiply_add, "out[i] + the sum of x[k] * A[k, i].", "k,ki->i"),
    "matmul": Row(2, _multiply_add, "out[i, j] + the sum of A[i, k] * B[k, j].", "ik,kj->ij"),
    "fill": Row(1, _first, "A scalar at every point."),
    "copy": Row(1, _first, "The words of a tensor."),
    "add": Row(2, _two(arith.AddfOp), "a + b, word by word."),
    "sub": Row(2, _two(arith.SubfOp), "a - b, word by word."),
    "mul": Row(2, _two(arith.MulfOp), "a * b, word by word."),
    "div": Row(2, _two(arith.DivfOp), "a / b, word by word."),
    "max": Row(2, _two(arith.MaximumfOp), "IEEE maximum, which no pointwise operation is."),
    "min": Row(2, _two(arith.MinimumfOp), "IEEE minimum, which no pointwise operation is."),
    "negf": Row(1, _one(arith.NegfOp), "-a, word by word."),
    "abs": Row(1, _one(math.AbsFOp), "The magnitude of a, word by word."),
    "sqrt": Row(1, _one(math.SqrtOp), "The square root of a, word by word."),
    "exp": Row(1, _one(math.ExpOp), "exp(a), word by word."),
    "log": Row(1, _one(math.LogOp), "The natural logarithm of a, word by word."),
    "tanh": Row(1, _one(math.TanhOp), "tanh(a), word by word."),
}


def scalar_body(operands: Sequence[SSAValue], compute: Compute) -> Region:
    """A body on the words of these operands that yields what `compute` ends in."""
    block = Block(arg_types=[element_of(value.type) for value in operands])
    for argument in block.args:
        argument.name_hint = "in"
    block.args[-1].name_hint = "out"
    ops = compute(block.args)
    block.add_ops([*ops, YieldOp(ops[-1].results[0] if ops else block.args[0])])
    return Region(block)


def check_body(op: StructuredOp, compute: Compute) -> None:
    """Refuse a body, written in the generic form, that isn't the one that the name says.

    Raises:
        Refusal: `pointwise-type`.
    """
    if not op.body.is_structurally_equivalent(scalar_body(op.operands, compute)):
        raise Refusal("pointwise-type", f"the body of {op.name}", "another one", op)


def check_named(
    name: str,
    counts: tuple[int, int],
    sources: Sequence[SSAValue],
    inits: Sequence[SSAValue],
    at: Operation | Place | None,
) -> None:
    """Refuse operands of another number than the name says, or with words of several types.

    Raises:
        Refusal: `pointwise-type`.
    """
    check_operands(name, sources, inits, at)
    if (len(sources), len(inits)) != counts:
        wanted = f"{counts[0]} after ins and {counts[1]} after outs in {name}"
        raise Refusal("pointwise-type", wanted, f"{len(sources)} and {len(inits)}", at)
    types = [value.type for value in (*sources, *inits)]
    if len({element_of(type) for type in types}) != 1:
        wanted = f"words of one type in {name}"
        raise Refusal("pointwise-type", wanted, types_text(types), at)


class NamedOp(SegmentedOp):
    """An operation that is a row of the table."""

    def __init__(
        self,
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
        types: Sequence[Attribute],
        attributes: dict[str, Attribute] | None = None,
    ) -> None:
        super().__init__(
            operands=[list(ins), list(outs)],
            result_types=[list(types)],
            regions=[scalar_body([*ins, *outs], self.row().compute)],
            attributes=attributes or {},
        )

    @classmethod
    def row(cls) -> Row:
        """The operation's row."""
        return ROWS[cls.name.removeprefix("linalg.")]

    def _subscripts(self) -> tuple[str, ...]:
        """For each operand a letter an axis."""
        row = self.row()
        if row.subscripts:
            return tuple(row.subscripts.replace("->", ",").split(","))
        all_loops = "".join(chr(ord("a") + axis) for axis in range(self._rank()))
        fills = self.name == "linalg.fill"
        return (*("" if fills else all_loops for _ in range(row.sources)), all_loops)

    def _rank(self) -> int:
        return len(shape_of(self.outs[0].type))

    def _loops(self) -> str:
        """The loops: those of the result, then those of the sum."""
        *ins, out = self._subscripts()
        return "".join(dict.fromkeys(out + "".join(ins)))

    def maps(self) -> Sequence[AffineMap]:
        loops = self._loops()
        return [
            AffineMap(
                len(loops), 0, tuple(AffineExpr.dimension(loops.index(axis)) for axis in axes)
            )
            for axes in self._subscripts()
        ]

    def iterators(self) -> Sequence[LoopKind]:
        out = self._subscripts()[-1]
        return [LoopKind.PARALLEL if loop in out else LoopKind.REDUCTION for loop in self._loops()]

    def verify_(self) -> None:
        row = self.row()
        check_named(self.name, (row.sources, 1), self.ins, self.outs, self)
        super().verify_()
        check_body(self, row.compute)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        place = place_at(parser, parser.pos)
        attributes = parser.parse_optional_attr_dict()
        ins, outs = parse_group(parser, "ins"), parse_group(parser, "outs")
        types = parse_results(parser)
        check_named(cls.name, (cls.row().sources, 1), ins, outs, place)
        return cls(ins, outs, types, attributes)

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        self.print_operands(printer)
        self.print_results(printer)


def _define(name: str, row: Row) -> type[NamedOp]:
    body = {"name": f"linalg.{name}", "__doc__": row.doc, "__module__": __name__}
    return irdl_op_definition(type(f"{name.capitalize()}Op", (NamedOp,), body))


NAMED: tuple[type[NamedOp], ...] = tuple(_define(name, row) for name, row in ROWS.items())
"""The operations of the table, in its order."""
