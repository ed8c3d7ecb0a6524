"""Writes lists of operations: Python's operators on the words of a list put steps into it.

Invariant: a constant stands in a list once, before its first use; no other step is merged, removed
    or moved, so that a list reads as its function is written.
Entry: `Word`, `written`, and the functions from `fma` to `truncated`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from alpha.ir.mathematics.steps import CONSTANT, OPERAND, OPERATIONS, OperationList, Step

_WORD_MODULUS = 1 << 64


@dataclass
class _Writer:
    """The steps so far, and where the constants among them are."""

    steps: list[Step] = field(default_factory=list)
    constants: dict[tuple[str, str], int] = field(default_factory=dict)

    def put(self, operation: str, type: str, *operands: Word) -> Word:
        assert OPERATIONS[operation] == len(operands)
        numbers = tuple(operand.number for operand in operands)
        self.steps.append(Step(operation, numbers, type))
        return Word(self, len(self.steps) - 1, type)

    def constant(self, value: float | int, type: str) -> Word:
        if type == "i64":
            value = int(value) % _WORD_MODULUS
            key = type, str(value)
        else:
            value = float(value)
            key = type, value.hex()
        if key not in self.constants:
            self.constants[key] = len(self.steps)
            self.steps.append(Step(CONSTANT, (), type, value))
        return Word(self, self.constants[key], type)


@dataclass(frozen=True)
class Word:
    """The result of a step. Numbers among the operands become constants of the other's type."""

    writer: _Writer
    number: int
    type: str

    def _with(self, floats: str, integers: str, other: Operand, swapped: bool = False) -> Word:
        first, second = self, self.like(other)
        if swapped:
            first, second = second, first
        assert first.type == second.type
        operation = integers if self.type == "i64" else floats
        return self.writer.put(operation, self.type, first, second)

    def like(self, value: Operand) -> Word:
        """The value itself, or a constant of this word's type."""
        return value if isinstance(value, Word) else self.writer.constant(value, self.type)

    def __add__(self, other: Operand) -> Word:
        return self._with("arith.addf", "arith.addi", other)

    def __radd__(self, other: float) -> Word:
        return self._with("arith.addf", "arith.addi", other, swapped=True)

    def __sub__(self, other: Operand) -> Word:
        return self._with("arith.subf", "arith.subi", other)

    def __rsub__(self, other: float) -> Word:
        return self._with("arith.subf", "arith.subi", other, swapped=True)

    def __mul__(self, other: Operand) -> Word:
        assert self.type != "i64"
        return self._with("arith.mulf", "", other)

    def __truediv__(self, other: Operand) -> Word:
        assert self.type != "i64"
        return self._with("arith.divf", "", other)

    def __rtruediv__(self, other: float) -> Word:
        assert self.type != "i64"
        return self._with("arith.divf", "", other, swapped=True)

    def __neg__(self) -> Word:
        assert self.type != "i64"
        return self.writer.put("arith.negf", self.type, self)

    def __and__(self, other: int) -> Word:
        return self._bits("arith.andi", other)

    def __or__(self, other: int) -> Word:
        return self._bits("arith.ori", other)

    def __lshift__(self, other: int) -> Word:
        return self._bits("arith.shli", other)

    def __rshift__(self, other: int) -> Word:
        """A logical shift: zeros come in."""
        return self._bits("arith.shrui", other)

    def _bits(self, operation: str, other: int) -> Word:
        assert self.type == "i64"
        return self.writer.put(operation, "i64", self, self.like(other))

    def __lt__(self, other: Operand) -> Word:
        return self.writer.put("arith.cmpf.olt", "i1", self, self.like(other))

    def __gt__(self, other: Operand) -> Word:
        return self.writer.put("arith.cmpf.ogt", "i1", self, self.like(other))

    def equals(self, other: Operand) -> Word:
        """Whether both are equal, and neither is a NaN."""
        return self.writer.put("arith.cmpf.oeq", "i1", self, self.like(other))


Operand = Word | float


def fma(a: Word, b: Operand, c: Operand) -> Word:
    """a * b + c, rounded once."""
    return a.writer.put("math.fma", a.type, a, a.like(b), a.like(c))


def select(condition: Word, a: Operand, b: Operand) -> Word:
    """a where the condition holds, else b; one of them is a word."""
    word = a if isinstance(a, Word) else b
    assert isinstance(word, Word)
    return condition.writer.put("arith.select", word.type, condition, word.like(a), word.like(b))


def smaller(a: float, b: Word) -> Word:
    """a < b ? a : b, which is b where it is a NaN."""
    bound = b.like(a)
    return select(bound < b, bound, b)


def larger(a: float, b: Word) -> Word:
    """a > b ? a : b, which is b where it is a NaN."""
    bound = b.like(a)
    return select(bound > b, bound, b)


def absolute(a: Word) -> Word:
    """|a|."""
    return a.writer.put("math.absf", a.type, a)


def copysign(a: Word, b: Word) -> Word:
    """The magnitude of a with the sign of b."""
    return a.writer.put("math.copysign", a.type, a, b)


def bits_of(a: Word) -> Word:
    """The bits of an f64 word as i64."""
    assert a.type == "f64"
    return a.writer.put("arith.bitcast", "i64", a)


def word_of(a: Word) -> Word:
    """The f64 word of these 64 bits."""
    assert a.type == "i64"
    return a.writer.put("arith.bitcast", "f64", a)


def extended(a: Word) -> Word:
    """An f32 word in f64, exactly."""
    assert a.type == "f32"
    return a.writer.put("arith.extf", "f64", a)


def truncated(a: Word) -> Word:
    """An f64 word rounded to f32."""
    assert a.type == "f64"
    return a.writer.put("arith.truncf", "f32", a)


def written(operation: str, element: str, function: Callable[[Word], Word]) -> OperationList:
    """The list of what a function does with its operand."""
    writer = _Writer()
    result = function(writer.put(OPERAND, element))
    assert result.number == len(writer.steps) - 1
    assert result.type == element
    return OperationList(operation, element, tuple(writer.steps))
