"""Random loops, choices and calls, whose regions hold random operations again.

Loops run a number of times that the text bounds, whatever the words are: so every call ends.

Entry: `Body`, `Callee`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functions.idioms import idiom
from functions.memories import Memories
from functions.scalar_operations import float_operation, integer_operation, truth
from functions.vector_operations import vector_operation
from functions.writing import NUMBERS, POINTER, Value, Writer, width_of

DEPTH_MAX = 3
STRUCTURE_COST = 40
"""What a loop or a choice must be worth at least."""


class Callee(NamedTuple):
    """A function that may be called: parameters, results, and how many operations it may do."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    cost: int


class Body:
    """The statements of one function, in the order in which they are written.

    `vectors` says how often an operation is one on vectors; `callees` may be called.
    """

    def __init__(self, writer: Writer, callees: Sequence[Callee], vectors: float) -> None:
        self.writer, self.callees, self.vectors = writer, callees, vectors
        self.memories = Memories(writer)

    def statements(self, count: int) -> None:
        """So many statements, fewer if they would cost too much."""
        for _ in range(count):
            if not self.writer.affords(1):
                return
            self.statement()

    def statement(self) -> None:
        """One operation, access, loop, choice, or call."""
        writer = self.writer
        chance = writer.random
        roll = chance.random()
        deep = len(writer.scopes) > DEPTH_MAX or not writer.affords(STRUCTURE_COST)
        if roll < 0.1 and not deep:
            chance.choice((self._for, self._for, self._while, self._if, self._if, self._switch))()
        elif roll < 0.13 and self.callees:
            self._call()
        elif roll < 0.17:
            self._new_memory()
        elif roll < 0.32:
            self.memories.access(chance.random() < 0.6)
        elif roll < 0.39:
            idiom(writer, self.memories, self.vectors > 0)
        elif roll < 0.39 + 0.61 * self.vectors:
            vector_operation(writer)
        elif chance.random() < 0.58:
            integer_operation(writer)
        else:
            float_operation(writer)

    def _new_memory(self) -> None:
        """An array of the frame, and a pointer to it now and then; not in a loop."""
        writer = self.writer
        if len(writer.scopes) > 1 or not writer.affords(20):
            return
        array = self.memories.local()
        if array.element in NUMBERS and not array.first and not array.rows:
            self.memories.pointer_to(array)

    # Regions

    def region(
        self, weight: int, count: int, results: Sequence[str], end: str = "scf.yield"
    ) -> None:
        """A region's statements and its end, which hands on values of these types."""
        writer = self.writer
        with writer.region(weight):
            self.inner(count, results, end)

    def inner(self, count: int, results: Sequence[str], end: str = "scf.yield") -> None:
        """The same in a region that is open already."""
        writer = self.writer
        self.memories.open()
        self.statements(count)
        if writer.random.random() < 0.4:
            self.memories.access(False)
        handed = [self.handed(type) for type in results]
        writer.line(f"scf.yield {_typed(handed)}" if handed else "scf.yield")
        self.memories.close()

    def handed(self, type: str) -> Value:
        """A value for what follows a region: if possible one that nothing else uses."""
        writer = self.writer
        fresh = [each for each in writer.unused(writer.scopes[-1]) if each.type == type]
        return writer.used(fresh[-1]) if fresh else writer.pick(type)

    def leave(self, types: Sequence[str]) -> None:
        """Return from the function with values of these types."""
        handed = [self.handed(type) for type in types]
        self.writer.line(f"func.return {_typed(handed)}" if handed else "func.return")

    def results(self, types: Sequence[str]) -> str:
        """New values of these types, as the left side of what gives them."""
        made = [self.writer.add(Value(self.writer.name("%r"), type)) for type in types]
        return f"{', '.join(each.name for each in made)} = " if made else ""

    def types(self, least: int, most: int) -> list[str]:
        """Some types of values, as loops carry them."""
        chance = self.writer.random
        chosen = (*self.writer.types.scalars, "i64", "f64")
        if chance.random() < self.vectors:
            chosen = self.writer.types.all
        return [chance.choice(chosen) for _ in range(chance.randint(least, most))]

    def _count(self) -> int:
        return self.writer.random.randint(1, 6)

    # Loops and choices

    def _for(self) -> None:
        writer = self.writer
        chance = writer.random
        type = chance.choice(("index", "index", "index", "i32", "i64"))
        most = chance.randint(1, 5)
        unrolled = chance.random() < 0.2
        if unrolled:
            low, high, step, below = self._known_bounds(type, most)
        else:
            low, high, below = self._bounds(type, most)
            step = writer.used(writer.constant(type, 1))
            if chance.random() < 0.3:
                step = self._step(type)
        carried = self.types(0, 3)
        starts = [writer.pick(each) for each in carried]
        index = Value(writer.name("%i"), type, below)
        given = [Value(writer.name("%c"), each) for each in carried]
        made = [Value(writer.name("%r"), each) for each in carried]
        left = f"{', '.join(each.name for each in made)} = " if made else ""
        text = f"scf.for {index.name} = {low.name} to {high.name} step {step.name} "
        if carried:
            pairs = (f"{one.name} = {two.name}" for one, two in zip(given, starts, strict=True))
            text += f"iter_args({', '.join(pairs)}) -> ({', '.join(carried)}) "
        text += "" if type == "index" else f": {type} "
        writer.line(f"{left}{text}{{")
        with writer.region(most) as scope:
            scope += [index, *given]
            self.inner(self._count(), carried)
        writer.line("} {unroll}" if unrolled else "}")
        writer.scopes[-1] += made

    def _known_bounds(self, type: str, most: int) -> tuple[Value, Value, Value, int | None]:
        """Bounds and a step that are constants, anywhere among the numbers of a type."""
        writer = self.writer
        chance = writer.random
        top = 1 << (width_of(type) - 1)
        low, step = chance.choice((0, 0, 1, -2, -top, top - 100, top >> 1)), chance.randint(1, 4)
        high = max(-top, low + chance.randint(0, most) * step - chance.randrange(step))
        first, last, by = (writer.used(writer.constant(type, each)) for each in (low, high, step))
        below = low + most * step if type == "index" and low in (0, 1) else None
        return first, last, by, below

    def _bounds(self, type: str, most: int) -> tuple[Value, Value, int | None]:
        """Bounds of at most so many iterations, and what the indices are below if they say it."""
        writer = self.writer
        chance = writer.random
        if chance.random() < 0.6:
            low = chance.choice((0, 0, 0, 1, 2))
            ends = writer.used(writer.constant(type, low))
            if chance.random() < 0.4:
                high = writer.used(writer.constant(type, low + chance.randint(0, most)))
            else:
                size = writer.used(writer.constant(type, most + 1))
                text = f"arith.remui {writer.pick(type).name}, {size.name} : {type}"
                count = writer.used(writer.make(type, text, most + 1 if type == "index" else None))
                high = writer.used(
                    writer.make(type, f"arith.addi {count.name}, {ends.name} : {type}")
                )
            return ends, high, low + most if type == "index" else None
        # Any bounds: the lower one small, of either sign.
        mask, less = (writer.used(writer.constant(type, each)) for each in (15, 9))
        text = f"arith.andi {writer.pick(type).name}, {mask.name} : {type}"
        low = writer.used(writer.make(type, text))
        low = writer.used(writer.make(type, f"arith.subi {low.name}, {less.name} : {type}"))
        size = writer.used(writer.constant(type, most + 1))
        text = f"arith.remui {writer.pick(type).name}, {size.name} : {type}"
        count = writer.used(writer.make(type, text))
        high = writer.used(writer.make(type, f"arith.addi {low.name}, {count.name} : {type}"))
        return low, high, None

    def _step(self, type: str) -> Value:
        """A step of 1 to 3."""
        writer = self.writer
        if writer.random.random() < 0.5:
            return writer.used(writer.constant(type, writer.random.randint(1, 3)))
        one, three = (writer.used(writer.constant(type, each)) for each in (1, 3))
        text = f"arith.remui {writer.pick(type).name}, {three.name} : {type}"
        rest = writer.used(writer.make(type, text))
        return writer.used(writer.make(type, f"arith.addi {rest.name}, {one.name} : {type}"))

    def _while(self) -> None:
        """A loop that ends when its counter has, or when its condition says so."""
        writer = self.writer
        chance = writer.random
        most = chance.randint(1, 5)
        start = writer.used(writer.constant("i32", most))
        carried = self.types(0, 2)
        starts = [start, *(writer.pick(each) for each in carried)]
        types = ["i32", *carried]
        before = [Value(writer.name("%c"), each) for each in types]
        after = [Value(writer.name("%d"), each) for each in types]
        made = [Value(writer.name("%r"), each) for each in types]
        pairs = (f"{one.name} = {two.name}" for one, two in zip(before, starts, strict=True))
        listed = f"({', '.join(types)})"
        names = ", ".join(each.name for each in made)
        writer.line(f"{names} = scf.while ({', '.join(pairs)}) : {listed} -> {listed} {{")
        with writer.region(most + 1) as scope:
            scope += before
            self.memories.open()
            self.statements(chance.randint(0, 3))
            zero = writer.used(writer.constant("i32", 0))
            left = f"arith.cmpi sgt, {before[0].name}, {zero.name} : i32"
            condition = writer.used(writer.make("i1", left))
            if chance.random() < 0.6:
                other = truth(writer)
                text = f"arith.andi {condition.name}, {other.name} : i1"
                condition = writer.used(writer.make("i1", text))
            handed = [before[0], *(self.handed(each) for each in carried)]
            writer.line(f"scf.condition({condition.name}) {_typed(handed)}")
            self.memories.close()
        writer.line("} do {")
        writer.label(f"  ^{writer.name('w')}({_parameters(after)}):")
        with writer.region(most) as scope:
            scope += after
            self.memories.open()
            self.statements(self._count())
            one = writer.used(writer.constant("i32", 1))
            text = f"arith.subi {after[0].name}, {one.name} : i32"
            fewer = writer.used(writer.make("i32", text))
            handed = [fewer, *(self.handed(each) for each in carried)]
            writer.line(f"scf.yield {_typed(handed)}")
            self.memories.close()
        writer.line("}")
        writer.scopes[-1] += made

    def _if(self) -> None:
        writer = self.writer
        condition = truth(writer)
        types = self.types(0, 3)
        made = [Value(writer.name("%r"), each) for each in types]
        left = f"{', '.join(each.name for each in made)} = " if made else ""
        results = f"-> ({', '.join(types)}) " if types else ""
        writer.line(f"{left}scf.if {condition.name} {results}{{")
        self.region(1, self._count(), types)
        if types or writer.random.random() < 0.4:
            writer.line("} else {")
            self.region(1, self._count(), types)
        writer.line("}")
        writer.scopes[-1] += made

    def _switch(self) -> None:
        """`scf.index_switch` on few numbers, so that each arm is taken now and then."""
        writer = self.writer
        chance = writer.random
        flag = writer.pick("index")
        if chance.random() < 0.8:
            flag = self.memories.index_below(chance.randint(2, 5))
        types = self.types(0, 2)
        made = [Value(writer.name("%r"), each) for each in types]
        left = f"{', '.join(each.name for each in made)} = " if made else ""
        results = f" -> {', '.join(types)}" if types else ""
        writer.line(f"{left}scf.index_switch {flag.name}{results}")
        for case in sorted(chance.sample((0, 1, 2, 3, 7, -1), chance.randint(1, 4))):
            writer.line(f"case {case} {{")
            self.region(1, chance.randint(0, 3), types)
            writer.line("}")
        writer.line("default {")
        self.region(1, chance.randint(0, 3), types)
        writer.line("}")
        writer.scopes[-1] += made

    def _call(self) -> None:
        writer = self.writer
        callee = writer.random.choice(self.callees)
        if not writer.affords(callee.cost) or writer.weight > 8:
            return
        arguments = [self._argument(type) for type in callee.parameters]
        left = self.results(callee.results)
        inputs, results = ", ".join(callee.parameters), ", ".join(callee.results)
        text = f"func.call @{callee.name}({', '.join(arguments)}) : ({inputs}) -> ({results})"
        writer.line(f"{left}{text}")
        writer.cost += writer.weight * callee.cost

    def _argument(self, type: str) -> str:
        """A value, an array or a pointer of this type, all made here if there is none."""
        memories, chance = self.memories, self.writer.random
        if type == POINTER:
            found = [each for each in memories.pointers() if each.size >= BYTES_PASSED]
            if found:
                return chance.choice(found).name
            return memories.pointer_to(memories.local("i64", BYTES_PASSED // 8)).name
        if type.startswith("memref<"):
            count, element = type.removeprefix("memref<").removesuffix(">").split("x")
            found = (each for each in memories.visible() if not each.constant)
            arrays = [each for each in found if each.type == type]
            if arrays and chance.random() < 0.7:
                return chance.choice(arrays).name
            return memories.local(element, int(count)).name
        return self.writer.pick(type).name


BYTES_PASSED = 32
"""What a function that is called may use of the bytes that a pointer points to."""


def _typed(values: Sequence[Value]) -> str:
    names, types = (", ".join(each) for each in zip(*(value[:2] for value in values), strict=True))
    return f"{names} : {types}"


def _parameters(values: Sequence[Value]) -> str:
    return ", ".join(f"{each.name}: {each.type}" for each in values)
