"""Random loads and stores: of arrays by indices that lie inside, of bytes at any place.

Invariant: every word that is read was written before, by the caller or where the array was made. A
    float goes into memory of integers only if it is no NaN, whose bits aren't defined.
Entry: `Array`, `Bytes`, `Memories`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from functions.scalar_operations import known
from functions.vector_operations import known_lanes
from functions.writing import (
    FLOATS,
    NUMBERS,
    POINTER,
    Value,
    Writer,
    element_of,
    lanes_of,
    width_of,
)

ELEMENTS = (*NUMBERS, *FLOATS)


class Array(NamedTuple):
    """A memref: its name, its type, and the words that may be read, which end it.

    The last axis has `words` of them, from `first` on; the first axis has `rows`, or is the last.
    Nothing is stored to a `constant` one.
    """

    name: str
    type: str
    element: str
    words: int
    first: int = 0
    rows: int = 0
    constant: bool = False


class Bytes(NamedTuple):
    """A pointer to so many bytes, in which nobody reads a float as it was written."""

    name: str
    size: int


@dataclass
class Memories:
    """The memory that a function may use; `local` are what its frame has of it."""

    writer: Writer
    arrays: list[list[Array]] = field(default_factory=lambda: [[]])
    bytes: list[list[Bytes]] = field(default_factory=lambda: [[]])

    def open(self) -> None:
        """A region begins: what it makes isn't there behind it."""
        self.arrays.append([])
        self.bytes.append([])

    def close(self) -> None:
        """The innermost region ends."""
        self.arrays.pop()
        self.bytes.pop()

    def visible(self) -> list[Array]:
        """All arrays."""
        return [each for scope in self.arrays for each in scope]

    def pointers(self) -> list[Bytes]:
        """All pointers to bytes."""
        return [each for scope in self.bytes for each in scope]

    # Indices

    def index_below(self, count: int) -> Value:
        """An index from 0 to `count` - 1: one that is known to be, or one that is brought there."""
        writer = self.writer
        chance = writer.random
        known_ones = [
            value
            for value in writer.visible("index")
            if value.below is not None and value.below <= count
        ]
        roll = chance.random()
        if known_ones and roll < 0.6:
            value = writer.used(chance.choice(known_ones))
            room = count - (value.below or 0)
            if room and chance.random() < 0.5:
                more = chance.randint(1, room)
                step = writer.used(writer.constant("index", more))
                text = f"arith.addi {value.name}, {step.name} : index"
                return writer.used(writer.make("index", text, (value.below or 0) + more))
            return value
        if roll < 0.75:
            number = chance.randrange(count)
            text = f"arith.constant {number} : index"
            return writer.used(writer.make("index", text, number + 1))
        given, power = writer.pick("index"), 1 << (count.bit_length() - 1)
        if chance.random() < 0.5:
            limit = writer.used(writer.constant("index", power - 1))
            text = f"arith.andi {given.name}, {limit.name} : index"
            return writer.used(writer.make("index", text, power))
        limit = writer.used(writer.constant("index", count))
        text = f"arith.remui {given.name}, {limit.name} : index"
        return writer.used(writer.make("index", text, count))

    def place(self, array: Array, words: int) -> str:
        """The operands of an access: where so many words of an array begin."""
        last = self._behind(self.index_below(array.words - words + 1), array.first)
        if array.rows:
            return f"{array.name}[{self.index_below(array.rows).name}, {last.name}] : {array.type}"
        return f"{array.name}[{last.name}] : {array.type}"

    def _behind(self, index: Value, first: int) -> Value:
        if not first:
            return index
        writer = self.writer
        start = writer.used(writer.constant("index", first))
        return writer.used(writer.make("index", f"arith.addi {index.name}, {start.name} : index"))

    # Accesses

    def access(self, read: bool) -> None:
        """A load or a store of a word or of a vector, by an array or a pointer."""
        chance = self.writer.random
        arrays = [each for each in self.visible() if read or not each.constant]
        pointers = self.pointers()
        if pointers and (not arrays or chance.random() < 0.3):
            self._by_pointer(chance.choice(pointers), read)
        elif arrays:
            self._by_array(chance.choice(arrays), read)

    def _by_array(self, array: Array, read: bool) -> None:
        writer = self.writer
        lanes = writer.types.bits // width_of(array.element)
        whole = not array.rows and array.element in ("i32", "i64", *FLOATS)
        if whole and array.words >= lanes and writer.random.random() < 0.3:
            self._whole(array, read)
            return
        if read:
            writer.make(array.element, f"memref.load {self.place(array, 1)}")
            return
        value = writer.pick(array.element)
        writer.line(f"memref.store {value.name}, {self.place(array, 1)}")

    def _whole(self, array: Array, read: bool) -> None:
        """A vector of an array, or some lanes of one, which may reach beyond the end."""
        writer = self.writer
        type = writer.types.vector(array.element)
        lanes = lanes_of(type)
        if writer.random.random() < 0.6:
            if read:
                writer.make(type, f"vector.load {self.place(array, lanes)}, {type}")
                return
            value = writer.pick(type)
            writer.line(f"vector.store {value.name}, {self.place(array, lanes)}, {type}")
            return
        room = writer.random.randint(1, lanes)
        truths = [lane < room and writer.random.random() < 0.8 for lane in range(lanes)]
        listed = ", ".join("true" if truth else "false" for truth in truths)
        place, typed = self.place(array, room), f"vector<{lanes}xi1>"
        place, _, memory = place.partition(" : ")
        value = writer.pick(type)
        mask = writer.name("%t")
        writer.line(f"{mask} = arith.constant dense<[{listed}]> : {typed}")
        if read:
            text = f"vector.maskedload {place}, {mask}, {value.name} : {memory}, {typed}, {type}"
            writer.make(type, f"{text} into {type}")
        else:
            text = f"vector.maskedstore {place}, {mask}, {value.name} : {memory}, {typed}, {type}"
            writer.line(text)

    def _by_pointer(self, bytes: Bytes, read: bool) -> None:
        writer = self.writer
        types = writer.types
        fitting = [each for each in ELEMENTS if width_of(each) <= 8 * bytes.size]
        type = writer.random.choice(fitting)
        if writer.random.random() < 0.25 and bytes.size >= types.bits // 8:
            type = writer.random.choice((*types.of_floats, *types.of_integers))
        size = lanes_of(type) * width_of(element_of(type)) // 8
        offset = self.index_below(bytes.size - size + 1)
        pointer = writer.name("%p")
        writer.line(
            f"{pointer} = ptr_xdsl.ptradd {bytes.name}, {offset.name} : "
            f"({POINTER}, index) -> {POINTER}"
        )
        if read:
            writer.make(type, f"ptr_xdsl.load {pointer} : {POINTER} -> {type}")
            return
        value = writer.pick(type)
        if element_of(type) in FLOATS:
            value = known_lanes(writer, value) if lanes_of(type) > 1 else known(writer, value)
        writer.line(f"ptr_xdsl.store {value.name}, {pointer} : {type}, {POINTER}")

    # Arrays of the module

    def of_module(self, name: str) -> str:
        """A new array of the module by this name, its words given: the text that makes it."""
        writer = self.writer
        chance = writer.random
        element, count = chance.choice(ELEMENTS), chance.choice((1, 2, 3, 5, 8))
        rows, constant = chance.choice((0, 0, 2, 3)), chance.random() < 0.5
        shape = f"{rows}x{count}" if rows else f"{count}"
        words = [
            f"[{', '.join(writer.spelled(element) for _ in range(count))}]"
            for _ in range(rows or 1)
        ]
        given = f"[{', '.join(words)}]" if rows else words[0]
        type = f"memref<{shape}x{element}>"
        array = Array(writer.name("%g"), type, element, count, 0, rows, constant)
        writer.line(f"{array.name} = memref.get_global @{name} : {type}")
        self.arrays[-1].append(array)
        return (
            f'"memref.global"() <{{sym_name = "{name}", sym_visibility = "private", '
            f"{'constant, ' if constant else ''}type = {type}, "
            f"initial_value = dense<{given}> : tensor<{shape}x{element}>}}> : () -> ()\n"
        )

    # Arrays of the frame

    def local(self, element: str | None = None, count: int | None = None) -> Array:
        """A new array in the frame with words in it; of these sizes if they are given."""
        writer = self.writer
        chance = writer.random
        exact = count is not None
        element = element or chance.choice(ELEMENTS)
        count = count or chance.choice((1, 2, 3, 4, 5, 7, 8))
        rows = 0 if exact or chance.random() < 0.75 else chance.randint(1, 3)
        first = chance.choice((100, 1000, 5000)) if not exact and chance.random() < 0.08 else 0
        shape = f"{rows}x{first + count}" if rows else f"{first + count}"
        array = Array(writer.name("%m"), f"memref<{shape}x{element}>", element, count, first, rows)
        writer.line(f"{array.name} = memref.alloca() : {array.type}")
        for row in range(max(rows, 1)):
            for at in range(count):
                index = writer.constant("index", first + at).name
                place = f"{writer.constant('index', row).name}, {index}" if rows else index
                value = writer.pick(element)
                writer.line(f"memref.store {value.name}, {array.name}[{place}] : {array.type}")
        self.arrays[-1].append(array)
        return array

    def pointer_to(self, array: Array) -> Bytes:
        """A pointer to an array of integers of the frame, all of whose words were written."""
        writer = self.writer
        name = writer.name("%p")
        writer.line(f"{name} = ptr_xdsl.to_ptr {array.name} : {array.type} -> {POINTER}")
        made = Bytes(name, array.words * width_of(array.element) // 8)
        self.bytes[-1].append(made)
        return made
