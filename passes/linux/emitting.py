"""Writes the operations of a role's function: addresses, calls, loops and words.

Invariant: operations stand in the order in which they are written. Whatever is called is declared
    once, with the types of its first call.
Entry: `Emitter`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, func, memref, ptr, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    FunctionType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from alpha.ir.code_values import INDEX, index_attr
from alpha.ir.dialects.linux import TextOp
from alpha.passes.linux.data_layout import ALIGNMENT, WORD_BYTES
from alpha.passes.linux.memory import ARENA, DATA, Place

ELEMENTS = {"f64": f64, "f32": f32, "i64": i64}
POINTER = ptr.PtrType()
EDGE = MemRefType(i64, [8])
EDGES = MemRefType(i64, [DYNAMIC_INDEX, 8])

Body = Callable[[SSAValue], None]


class Emitter:
    """A function that is being written; `block` is where the next operation goes."""

    def __init__(self, taken: Callable[[str], bool]) -> None:
        """`taken` says whether a name is that of a function that stands in the module."""
        self.block = Block()
        self.globals: list[Operation] = []
        self.declared: dict[str, func.FuncOp] = {}
        self._taken = taken
        self._constants: dict[bytes, str] = {}
        self._types: dict[str, MemRefType] = {}
        self._bases: dict[str, SSAValue] = {}

    def set_base(self, base: str, pointer: SSAValue) -> None:
        """From here on places with this base begin at the pointer."""
        self._bases[base] = pointer

    # Operations

    def add(self, op: Operation) -> SSAValue:
        """An operation with one result."""
        self.block.add_op(op)
        return op.results[0]

    def number(self, value: int) -> SSAValue:
        """An integer of 64 bits."""
        return self.add(arith.ConstantOp(IntegerAttr(value, i64)))

    def index(self, value: int) -> SSAValue:
        """An index."""
        return self.add(arith.ConstantOp(index_attr(value)))

    def word(self, value: float, element: str) -> SSAValue:
        """A word that is known, rounded to its type."""
        return self.add(arith.ConstantOp(FloatAttr(value, ELEMENTS[element])))

    def call(
        self, name: str, operands: Sequence[SSAValue], results: Sequence[Attribute] = ()
    ) -> Sequence[SSAValue]:
        """Call a function of the module or of the runtime."""
        if name not in self.declared and not self._taken(name):
            types = FunctionType.from_lists([value.type for value in operands], results)
            self.declared[name] = func.FuncOp.external(name, types.inputs.data, types.outputs.data)
        op = func.CallOp(name, list(operands), list(results))
        self.block.add_op(op)
        return op.results

    def text(self, text: str) -> Sequence[SSAValue]:
        """The address of a text and the number of its bytes."""
        op = TextOp(text)
        self.block.add_op(op)
        return op.results

    # Memory

    def pointer(self, place: Place) -> SSAValue:
        """The address of a place."""
        if place.base not in self._bases:
            assert place.base not in (ARENA, DATA), "a place before there is memory"
            held = self.add(memref.GetGlobalOp(place.base, self._types[place.base]))
            base = self.add(ptr.ToPtrOp(held))
        else:
            base = self._bases[place.base]
        return self.offset(base, place.offset)

    def offset(self, pointer: SSAValue, bytes: int) -> SSAValue:
        """An address so many bytes further."""
        return self.add(ptr.PtrAddOp(pointer, self.number(bytes))) if bytes else pointer

    def further(self, pointer: SSAValue, turn: SSAValue, bytes: int) -> SSAValue:
        """An address `turn` times so many bytes further."""
        distance = self.add(arith.MuliOp(turn, self.index(bytes)))
        return self.add(ptr.PtrAddOp(pointer, distance))

    def typed(self, pointer: SSAValue, type: Attribute) -> SSAValue:
        """An address as what a function takes."""
        if isinstance(type, MemRefType):
            return self.add(ptr.FromPtrOp(pointer, type))
        return pointer

    def load(self, place: Place, word: int = 0) -> SSAValue:
        """A word of a place."""
        at = self.pointer(place.part(word, 1) if place.words > 1 else place)
        return self.add(ptr.LoadOp(at, ELEMENTS[place.element]))

    def store(self, value: SSAValue, place: Place, word: int = 0) -> None:
        """Write a word of a place."""
        at = self.pointer(place.part(word, 1) if place.words > 1 else place)
        self.block.add_op(ptr.StoreOp(at, value))

    def constant(self, data: bytes, element: str) -> Place:
        """A place whose words are known, and can't be changed; equal ones are one."""
        name = self._constants.get(data)
        if name is None:
            name = self._constants[data] = f"role.words.{len(self._constants)}"
            padded = data + bytes(-len(data) % 8)
            count = len(padded) // 8
            words = DenseIntOrFPElementsAttr(TensorType(i64, [count]), BytesAttr(padded))
            type, private = MemRefType(i64, [count]), StringAttr("private")
            made = memref.GlobalOp.get(
                StringAttr(name), type, words, private, UnitAttr(), ALIGNMENT
            )
            self.globals.append(made)
            self._types[name] = type
        return Place(name, 0, len(data) // WORD_BYTES[element], element)

    # Loops and branches

    def loop(self, count: int, body: Body) -> None:
        """Do something `count` times; it is given the number of the turn, an index."""
        first, last, step = self.index(0), self.index(count), self.index(1)
        block = Block(arg_types=[INDEX])
        outside, self.block = self.block, block
        body(block.args[0])
        block.add_op(scf.YieldOp())
        self.block = outside
        outside.add_op(scf.ForOp(first, last, step, [], Region(block)))

    def inside(self, body: Callable[[], None]) -> Block:
        """What something writes, in a block of its own that ends as a branch does."""
        outside, self.block = self.block, Block()
        body()
        made, self.block = self.block, outside
        made.add_op(scf.YieldOp())
        return made

    def store_at(self, value: SSAValue, pointer: SSAValue) -> None:
        """Write a word, or an address, where a pointer says."""
        self.block.add_op(ptr.StoreOp(pointer, value))
