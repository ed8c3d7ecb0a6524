"""Which loops can run on vectors: what each value of a loop is for a row of iterations.

Invariant: a plan is made only of operations that work lane by lane, of loads and stores of words in
    a row, and of inner loops whose bounds are the same in all lanes.
Entry: `plan_of`, `Plan`, `UNIFORM`, `IN_A_ROW`, `VARYING`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from alpha.ir.code_values import known_integer
from alpha.ir.dialects.arith_vectors import SelectOp
from alpha.passes.loops.lanes import COMPARISONS
from alpha.passes.loops.rebuilding import is_elementwise, is_marked, yielded

UNIFORM, IN_A_ROW, VARYING = "uniform", "in a row", "varying"
"""One word for all lanes; an index that grows by one from lane to lane; a word a lane."""

VECTOR_BITS_MIN = 128
"""Bits of the narrowest vector that targets have."""


@dataclass(frozen=True)
class Plan:
    """A loop that can run on vectors: the lanes of one, and what each value inside is."""

    lanes: int
    kinds: dict[SSAValue, str]
    nested: bool


class _NoPlan(Exception):
    """Something in the loop doesn't work on vectors."""


def plan_of(op: scf.ForOp, bits: int) -> Plan | None:
    """How a loop runs on vectors of so many bits, or None if it doesn't."""
    if not is_marked(op) or known_integer(op.lb) != 0 or known_integer(op.step) != 1:
        return None
    lanes = _lanes(op, bits)
    if lanes is None or op.iter_args:
        return None
    planner = _Planner(op)
    try:
        planner.block(op.body.block)
    except _NoPlan:
        return None
    nested = any(isinstance(part, scf.ForOp) for part in op.body.block.ops)
    return Plan(lanes, planner.kinds, nested) if planner.stores else None


def _lanes(op: scf.ForOp, bits: int) -> int | None:
    """The lanes of a vector of the loop's words: fewer than a target has if it has few iterations.

    None if there are words of types that no vector of `VECTOR_BITS_MIN` bits has in as many lanes.
    """
    widths = {_bits(type) for type in _word_types(op)}
    if not widths or None in widths:
        return None
    known = [width for width in widths if width is not None]
    lanes, least = bits // max(known), -(-VECTOR_BITS_MIN // min(known))
    trips = known_integer(op.ub)
    while trips is not None and lanes > trips:
        lanes //= 2
    return lanes if lanes >= max(least, 2) else None


def _bits(type: Attribute) -> int | None:
    match type:
        case Float64Type():
            return 64
        case Float32Type():
            return 32
        case IntegerType() if type.width.data in (8, 16, 32, 64):
            return type.width.data
        case _:
            return None


def _word_types(op: scf.ForOp) -> Iterator[Attribute]:
    """The types of words that the loop works on: all but indices, truths and memory."""
    for part in op.walk():
        values = part.results if not isinstance(part, memref.StoreOp) else (part.value,)
        for value in values:
            truth = isinstance(value.type, IntegerType) and value.type.width.data == 1
            if not truth and not isinstance(value.type, IndexType):
                yield value.type


def _compares(truth: SSAValue) -> bool:
    """Whether a truth is a comparison, which can be made of vectors, too."""
    return isinstance(truth.owner, Operation) and truth.owner.name in COMPARISONS


class _Planner:
    """Goes through a loop once; raises _NoPlan where it can't run on vectors."""

    def __init__(self, op: scf.ForOp) -> None:
        self.kinds: dict[SSAValue, str] = {op.body.block.args[0]: IN_A_ROW}
        self.stores = False
        self._written = {part.memref for part in op.walk() if isinstance(part, memref.StoreOp)}

    def kind(self, value: SSAValue) -> str:
        """What a value is; one from outside is the same in all lanes."""
        return self.kinds.get(value, UNIFORM)

    def block(self, block: Block) -> None:
        """Go through a block, but for what ends it."""
        for op in block.ops:
            match op:
                case scf.YieldOp():
                    continue
                case scf.ForOp():
                    self._loop(op)
                case memref.LoadOp():
                    self._load(op)
                case memref.StoreOp():
                    self._store(op)
                case _:
                    self._elementwise(op)

    def _elementwise(self, op: Operation) -> None:
        if not is_elementwise(op):
            raise _NoPlan
        kinds = [self.kind(operand) for operand in op.operands]
        result = op.results[0]
        if all(kind == UNIFORM for kind in kinds):
            self.kinds[result] = UNIFORM
        elif isinstance(result.type, IndexType) or IN_A_ROW in kinds:
            moved = isinstance(op, arith.AddiOp) and sorted(kinds) == [IN_A_ROW, UNIFORM]
            back = isinstance(op, arith.SubiOp) and kinds == [IN_A_ROW, UNIFORM]
            if not moved and not back:
                raise _NoPlan
            self.kinds[result] = IN_A_ROW
        else:
            if op.name == SelectOp.name and kinds[0] == UNIFORM and not _compares(op.operands[0]):
                raise _NoPlan
            self.kinds[result] = VARYING

    def _load(self, op: memref.LoadOp) -> None:
        kinds = [self.kind(index) for index in op.indices]
        if all(kind == UNIFORM for kind in kinds):
            if op.memref in self._written:
                raise _NoPlan
            self.kinds[op.res] = UNIFORM
            return
        self._check_row(kinds)
        self.kinds[op.res] = VARYING

    def _store(self, op: memref.StoreOp) -> None:
        self._check_row([self.kind(index) for index in op.indices])
        if self.kind(op.value) == IN_A_ROW:
            raise _NoPlan
        self.stores = True

    def _check_row(self, kinds: list[str]) -> None:
        if kinds[-1:] != [IN_A_ROW] or any(kind != UNIFORM for kind in kinds[:-1]):
            raise _NoPlan

    def _loop(self, op: scf.ForOp) -> None:
        if any(self.kind(bound) != UNIFORM for bound in (op.lb, op.ub, op.step)):
            raise _NoPlan
        index, *carried = op.body.block.args
        self.kinds[index] = UNIFORM
        for argument, initial in zip(carried, op.iter_args, strict=True):
            self.kinds[argument] = self.kind(initial)
        changed = True
        while changed:
            self.block(op.body.block)
            changed = False
            for argument, value in zip(carried, yielded(op), strict=True):
                if self.kind(value) != self.kind(argument):
                    if IN_A_ROW in (self.kind(value), self.kind(argument)):
                        raise _NoPlan
                    changed = self.kinds[argument] != VARYING
                    self.kinds[argument] = VARYING
        for result, argument in zip(op.results, carried, strict=True):
            self.kinds[result] = self.kind(argument)
