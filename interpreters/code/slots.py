"""Where a function keeps its values while it runs, and what is prepared of each operation.

Invariant: each value of a function has a slot of its own; an environment is a list with a word,
    vector, buffer or address in each slot. A prepared operation reads and writes slots alone, and
    the words of constants are in every environment from the start.
Entry: `Slots`, `Step`, `Builder`, `Meter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.interpreters.code.faults import StepsExceeded
from alpha.interpreters.code.floats import Floats
from alpha.interpreters.code.memory import Memory
from alpha.ir.refusals import Refusal, name_of

if TYPE_CHECKING:
    from alpha.interpreters.code.blocks import Block

Environment = list[Any]
Step = Callable[[Environment], None]

INDEX_BITS = 64
POINTER = "ptr_xdsl.ptr"
RETURNED = 0
"""The slot of what a function returns."""


class Meter:
    """How many operations may still be done."""

    def __init__(self, steps_max: int) -> None:
        self.steps_max = steps_max
        self.left = steps_max

    def spend(self, steps: int) -> None:
        """Count operations.

        Raises:
            StepsExceeded: more than the budget.
        """
        self.left -= steps
        if self.left < 0:
            raise StepsExceeded(f"more than {self.steps_max} operations")


def element_text(type: Attribute) -> str:
    """`f64`, `f32`, `index`, `iN`, or `ptr` for the type of a word, or of a vector's lanes.

    Raises:
        Refusal: `target-unsupported` for a type that code doesn't have.
    """
    if isinstance(type, VectorType | MemRefType):
        type = type.element_type
    match type:
        case Float64Type():
            return "f64"
        case Float32Type():
            return "f32"
        case IndexType():
            return "index"
        case IntegerType() if type.width.data in (1, 8, 16, 32, 64):
            return f"i{type.width.data}"
        case _ if type.name == POINTER:
            return "ptr"
        case _:
            wanted = "i1, i8, i16, i32, i64, index, f32, f64, a pointer, or a vector of them"
            raise Refusal("target-unsupported", wanted, str(type))


def is_float(type: Attribute) -> bool:
    """Whether words of this type, or lanes of this vector type, are floats."""
    return element_text(type) in ("f32", "f64")


def width_of(type: Attribute) -> int:
    """The bits of an integer type, or of the lanes of a vector of integers."""
    element = element_text(type)
    return INDEX_BITS if element in ("index", "ptr") else int(element[1:])


def lanes_of(type: Attribute) -> int | None:
    """The lanes of a vector type, None for another.

    Raises:
        Refusal: `target-unsupported` unless the vector has one axis.
    """
    if not isinstance(type, VectorType):
        return None
    shape = type.get_shape()
    if len(shape) != 1:
        raise Refusal("target-unsupported", "vectors with one axis", str(type))
    return int(shape[0])


def unsupported(op: Operation) -> Refusal:
    """The refusal of an operation that code doesn't have, by its name and the type it works on."""
    typed = [*op.results, *op.operands]
    of = f" of {typed[0].type}" if typed else ""
    wanted = "an operation of the code level"
    return Refusal("target-unsupported", wanted, f"{name_of(op)}{of}", op)


class Slots:
    """The slots of one function while it is prepared, and what its operations may use."""

    def __init__(self, floats: Floats, memory: Memory, meter: Meter) -> None:
        self.floats = floats
        self.memory = memory
        self.meter = meter
        self.template: Environment = [None]
        self._slots: dict[SSAValue, int] = {}

    def of(self, value: SSAValue) -> int:
        """The slot of a value, which it gets when it is first met."""
        slot = self._slots.get(value)
        if slot is None:
            slot = self._slots[value] = len(self.template)
            self.template.append(None)
        return slot

    def all(self, values: Iterable[SSAValue]) -> tuple[int, ...]:
        """The slots of values, in order."""
        return tuple(self.of(value) for value in values)

    def fix(self, value: SSAValue, word: Any) -> None:
        """Give a value its word in every environment."""
        self.template[self.of(value)] = word


class Prepare:
    """What a builder of operations with regions or calls needs besides slots."""

    def __init__(
        self,
        slots: Slots,
        block: Callable[[Any], Block],
        call: Callable[[str, list[Any]], list[Any]],
        get_global: Callable[[str], Any],
        syscall: Callable[[Operation, list[Any]], Any],
        target: str,
    ) -> None:
        self.slots = slots
        self.block = block
        self.call = call
        self.get_global = get_global
        self.syscall = syscall
        self.target = target


Builder = Callable[[Operation, Prepare], Step | None]
"""Prepares an operation; None if there is nothing to do when it runs."""
