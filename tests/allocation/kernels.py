"""Functions of real rows that the tests of quality and time allocate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alpha.backends.core.program import (
    Address,
    Block,
    Edge,
    Extra,
    Function,
    Instruction,
    Value,
)
from alpha.backends.core.registers import Register, View
from alpha.backends.core.target import Target


class Sketch:
    """Builds a function of a target's rows, at the end of one block at a time."""

    def __init__(self, target: Target, arrivals: Sequence[Register]) -> None:
        self.target = target
        views = [target.views[target.convention.kept_view["gpr"]]] * len(arrivals)
        self.function = Function("f", [], [], list(arrivals))
        self.parameters = self.block(*views)

    def block(self, *views: View) -> list[Value]:
        """Begin a block; returns its parameters. It is the last of `function.blocks`."""
        parameters = [self.function.value(view) for view in views]
        self.function.blocks.append(Block(parameters))
        return parameters

    def add(self, name: str, *uses: Value, extras: Sequence[Extra] = ()) -> Value:
        """An instruction with at most one result, which is returned."""
        row = self.target.rows[name]
        views = [slot.kind for slot in row.defs if isinstance(slot.kind, View)]
        defs = [self.function.value(view) for view in views]
        made = Instruction(row, defs, list(uses), tuple(extras))
        self.function.blocks[-1].instructions.append(made)
        return defs[0] if defs else -1

    def end(
        self, name: str, *uses: Value, extras: Sequence[Extra] = (), edges: Sequence[Edge] = ()
    ) -> None:
        """The last instruction of a block."""
        made = Instruction(self.target.rows[name], [], list(uses), tuple(extras), tuple(edges))
        self.function.blocks[-1].instructions.append(made)


def arguments(target: Target, count: int) -> list[Register]:
    """The registers of so many general arguments."""
    return [Register("gpr", number) for number in target.convention.arguments["gpr"][:count]]


def sha256_block(target: Target) -> Function:
    """One block of SHA-256, all 64 rounds: about 2,700 instructions, 24 words live."""
    sketch = Sketch(target, arguments(target, 2))
    state, data = sketch.parameters

    def rotated(value: Value, *bits: int) -> Value:
        parts = [sketch.add("rorx_32", value, extras=(each,)) for each in bits]
        found = parts[0]
        for part in parts[1:]:
            found = sketch.add("xor_32", found, part)
        return found

    def shifted(value: Value, bits: int) -> Value:
        return sketch.add("shr_32_imm", value, extras=(bits,))

    def at(base: Value, number: int) -> Value:
        return sketch.add("load_32", base, extras=(Address(offset=4 * number),))

    words = [at(data, number) for number in range(16)]
    first = [at(state, number) for number in range(8)]
    a, b, c, d, e, f, g, h = first
    for number in range(64):
        if number >= 16:
            one, other = words[-15], words[-2]
            low = sketch.add("xor_32", rotated(one, 7, 18), shifted(one, 3))
            high = sketch.add("xor_32", rotated(other, 17, 19), shifted(other, 10))
            word = sketch.add("add_32", words[-16], low)
            word = sketch.add("add_32", word, words[-7])
            words.append(sketch.add("add_32", word, high))
        choice = sketch.add("and_32", e, f)
        choice = sketch.add("xor_32", choice, sketch.add("andn_32", e, g))
        one = sketch.add("add_32", h, rotated(e, 6, 11, 25))
        one = sketch.add("add_32", one, choice)
        one = sketch.add("add_32_imm", one, extras=(1234567 + number,))
        one = sketch.add("add_32", one, words[number])
        most = sketch.add("and_32", sketch.add("xor_32", a, b), c)
        most = sketch.add("xor_32", most, sketch.add("and_32", a, b))
        other = sketch.add("add_32", rotated(a, 2, 13, 22), most)
        h, g, f, e = g, f, e, sketch.add("add_32", d, one)
        d, c, b, a = c, b, a, sketch.add("add_32", one, other)
    for number, value in enumerate((a, b, c, d, e, f, g, h)):
        total = sketch.add("add_32", value, at(state, number))
        sketch.add("store_32", state, total, extras=(Address(offset=4 * number),))
    sketch.end("ret")
    return sketch.function


@dataclass(frozen=True)
class Names:
    """How an instruction set calls what the loops are made of; `total` is where fma has its sum."""

    word: str
    vector: str
    fma: str
    total: int
    add: str
    add_imm: str
    branch: str
    jump: str
    call: str


X64 = Names("r64", "y", "vfmadd231pd_y", 2, "add", "add_imm", "cmp_branch", "jmp", "call")
X64_WIDE = replace(X64, vector="z", fma="vfmadd231pd_z")
A64 = Names("x", "q", "fmla_2d", 0, "add", "add_imm", "branch_cmp", "b", "bl")


def update_loop(
    target: Target,
    names: Names,
    sums: int,
    fixed: int = 1,
    through: int = 0,
    check_first: bool = False,
) -> Function:
    """A loop that adds products to so many vectors, by turns with so many that don't change.

    One more vector is live in it, the word that is loaded; `through` more live through it and are
    used behind it. With `check_first`, a block of its own decides whether the loop goes on.
    """
    sketch = Sketch(target, arguments(target, 2))
    pointer, last = sketch.parameters
    load = target.moves.load[names.vector].name
    store = target.moves.store[names.vector].name

    def loaded(base: Value, at: int) -> Value:
        return sketch.add(load, base, extras=(Address(offset=64 * at),))

    first = [loaded(pointer, at) for at in range(sums)]
    factors = [loaded(pointer, at) for at in range(sums, sums + fixed)]
    kept = [loaded(pointer, at) for at in range(sums + fixed, sums + fixed + through)]
    sketch.end(names.jump, edges=[Edge(1, [pointer, *first])])
    vectors = [target.views[names.vector]] * sums
    at, *totals = sketch.block(target.views[names.word], *vectors)
    if check_first:
        edges = [Edge(2, []), Edge(3, [])]
        sketch.end(names.branch, at, last, extras=("ne",), edges=edges)
        sketch.block()
    made: list[Value] = []
    for number, total in enumerate(totals):
        uses = [loaded(at, number), factors[number % fixed]]
        uses.insert(names.total, total)
        made.append(sketch.add(names.fma, *uses))
    following = sketch.add(names.add_imm, at, extras=(64,))
    edges = [Edge(1, [following, *made]), Edge(2, [])]
    if check_first:
        sketch.end(names.jump, edges=edges[:1])
    else:
        sketch.end(names.branch, following, last, extras=("ne",), edges=edges)
    sketch.block()
    for number, value in enumerate([*kept, *(totals if check_first else made)]):
        sketch.add(store, pointer, value, extras=(Address(offset=64 * number),))
    sketch.end("ret")
    return sketch.function


def nested_loops(target: Target, names: Names, sums: int, through: int) -> Function:
    """A loop around one that fills the registers; so many vectors only live through both."""
    sketch = Sketch(target, arguments(target, 2))
    pointer, last = sketch.parameters
    load = target.moves.load[names.vector].name
    store = target.moves.store[names.vector].name
    word, vector = target.views[names.word], target.views[names.vector]
    address = (Address(),)
    kept = [sketch.add(load, pointer, extras=address) for _ in range(through)]
    sketch.end(names.jump, edges=[Edge(1, [pointer])])
    (outer,) = sketch.block(word)
    first = [sketch.add(load, outer, extras=address) for _ in range(sums)]
    sketch.end(names.jump, edges=[Edge(2, [outer, *first])])
    inner, *totals = sketch.block(word, *[vector] * sums)
    factor = sketch.add(load, inner, extras=address)
    made: list[Value] = []
    for total in totals:
        uses = [factor, factor]
        uses.insert(names.total, total)
        made.append(sketch.add(names.fma, *uses))
    following = sketch.add(names.add_imm, inner, extras=(64,))
    edges = [Edge(2, [following, *made]), Edge(3, [])]
    sketch.end(names.branch, following, last, extras=("ne",), edges=edges)
    sketch.block()
    for total in made:
        sketch.add(store, outer, total, extras=address)
    following = sketch.add(names.add_imm, outer, extras=(64,))
    edges = [Edge(1, [following]), Edge(4, [])]
    sketch.end(names.branch, following, last, extras=("ne",), edges=edges)
    sketch.block()
    for value in kept:
        sketch.add(store, pointer, value, extras=address)
    sketch.end("ret")
    return sketch.function


def calling_loop(target: Target, names: Names, carried: int) -> Function:
    """A loop that calls a function with a counter and adds its result to so many sums."""
    sketch = Sketch(target, arguments(target, 2))
    pointer, last = sketch.parameters
    word = target.views[names.word]
    first = [sketch.add(names.add_imm, pointer, extras=(each,)) for each in range(carried + 1)]
    sketch.end(names.jump, edges=[Edge(1, first)])
    at, *totals = sketch.block(*[word] * (carried + 1))
    result = sketch.function.value(word)
    convention = target.convention
    call = Instruction(target.rows[names.call], [result], [pointer, at], ("called",))
    call.fixed_uses = convention.arguments["gpr"][:2]
    call.fixed_defs = convention.results["gpr"][:1]
    call.clobbers = convention.clobbered()
    sketch.function.blocks[-1].instructions.append(call)
    made = [sketch.add(names.add, total, result) for total in totals]
    following = sketch.add(names.add_imm, at, extras=(1,))
    edges = [Edge(1, [following, *made]), Edge(2, [])]
    sketch.end(names.branch, following, last, extras=("ne",), edges=edges)
    sketch.block()
    store = target.moves.store[names.word].name
    for number, total in enumerate(made):
        sketch.add(store, pointer, total, extras=(Address(offset=8 * number),))
    sketch.end("ret")
    return sketch.function


def long_block(target: Target, length: int, live: int) -> Function:
    """Instructions in one block, each on two values of those that are live, which it replaces."""
    sketch = Sketch(target, arguments(target, 1))
    values = [
        sketch.add("load_64", *sketch.parameters, extras=(Address(offset=8 * at),))
        for at in range(live)
    ]
    for at in range(length):
        one, other = at % live, (at * 7 + at // 5) % live
        values[one] = sketch.add("add" if at % 3 else "andn", values[one], values[other])
    for at, value in enumerate(values):
        sketch.add("store_64", *sketch.parameters, value, extras=(Address(offset=8 * at),))
    sketch.end("ret")
    return sketch.function
