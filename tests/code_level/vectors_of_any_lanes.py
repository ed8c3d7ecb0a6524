"""A function on vectors of any number of lanes, with every operation that has parts, and a run.

The memory that is read ends where the last lane does, and the memory that is written has words
between the vectors that nobody may touch.
Entry: `Function`, `memory_after`, `ELEMENTS`.
"""

from __future__ import annotations

import random

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.code import Code
from alpha.interpreters.code.memory import DTYPES
from alpha.interpreters.words import Words

ELEMENTS = {"f64": "f32", "f32": "f64", "i64": "f64", "i32": "f32"}
"""What words are, and what they are converted to."""


class Function:
    """The text of a function, which stores every vector in a row of its own."""

    def __init__(self, seed: int, lanes: int, element: str) -> None:
        self.chance = random.Random(seed)
        self.lanes, self.element = lanes, element
        self.type, self.truths = f"vector<{lanes}x{element}>", f"vector<{lanes}xi1>"
        self.lines: list[str] = []
        self.size = 1
        self.truth_size = 1
        self.read = lanes

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def index(self, place: int) -> str:
        """An index that is known, or the sum of one and an argument, which is zero."""
        name = f"%at{len(self.lines)}"
        self.line(f"{name} = arith.constant {place} : index")
        if self.chance.random() < 0.5:
            return name
        self.line(f"{name}s = arith.addi {name}, %zero : index")
        return f"{name}s"

    def store(self, name: str, lanes: int | None = None) -> None:
        lanes = lanes or self.lanes
        at = self.index(self.size)
        self.line(f"vector.store {name}, %o[{at}] : memref<?x{self.element}>, {self._of(lanes)}")
        self.size += lanes + 1

    def store_truths(self, name: str, lanes: int | None = None) -> None:
        lanes = lanes or self.lanes
        at = self.index(self.truth_size)
        self.line(f"vector.store {name}, %t[{at}] : memref<?xi1>, vector<{lanes}xi1>")
        self.truth_size += lanes + 1

    def store_word(self, name: str) -> None:
        self.line(f"memref.store {name}, %o[{self.index(self.size)}] : memref<?x{self.element}>")
        self.size += 2

    def mask(self) -> tuple[str, list[bool]]:
        """A constant mask by its name, and what it is."""
        kind = self.chance.random()
        truths = [self.chance.random() < kind for _ in range(self.lanes)]
        words = ", ".join(str(truth).lower() for truth in truths)
        name = f"%mask{len(self.lines)}"
        self.line(f"{name} = arith.constant dense<[{words}]> : {self.truths}")
        return name, truths

    def _of(self, lanes: int) -> str:
        return f"vector<{lanes}x{self.element}>"

    def lane(self) -> int:
        return self.chance.randrange(self.lanes)

    @property
    def floats(self) -> bool:
        return self.element[0] == "f"

    def text(self) -> str:
        """The whole function."""
        for part in (_memory, _words, _choices, _picks, _carried, _converted, _moved_truths):
            part(self)
        e = self.element
        head = f"%a : memref<?x{e}>, %b : memref<?x{e}>, %o : memref<?x{e}>, %t : memref<?xi1>"
        head += f", %w : {e}, %p : i1, %zero : index, %n : index"
        body = "\n".join(self.lines)
        return f"func.func @f({head}) {{\n{body}\n  func.return\n}}\n"


def _memory(f: Function) -> None:
    f.line("%c1 = arith.constant 1 : index")
    f.line(f"%x = vector.load %a[{f.index(1)}] : memref<?x{f.element}>, {f.type}")
    mask, truths = f.mask()
    f.read = max((lane + 1 for lane in range(f.lanes) if truths[lane]), default=0)
    types = f"memref<?x{f.element}>, {f.truths}, {f.type}"
    f.line(f"%y = vector.maskedload %b[{f.index(0)}], {mask}, %x : {types} into {f.type}")
    f.store("%y")
    mask, _ = f.mask()
    f.line(f"vector.maskedstore %o[{f.index(f.size)}], {mask}, %y : {types}")
    f.size += f.lanes + 1


def _words(f: Function) -> None:
    dot = ".5" if f.floats else ""
    words = ", ".join(f"{f.chance.randrange(-9, 9)}{dot}" for _ in range(f.lanes))
    f.line(f"%c = arith.constant dense<[{words}]> : {f.type}")
    f.line(f"%all = arith.constant dense<{3}{dot}> : {f.type}")
    f.line(f"%s = vector.broadcast %w : {f.element} to {f.type}")
    add, mul = ("addf", "mulf") if f.floats else ("addi", "xori")
    f.line(f"%e0 = arith.{add} %x, %y : {f.type}")
    f.line(f"%e1 = arith.{mul} %e0, %c : {f.type}")
    f.line(f"%e2 = arith.{add} %e1, %s : {f.type}")
    f.line(f"%e3 = arith.{mul} %e2, %all : {f.type}")
    f.store("%e3")
    if f.floats:
        f.line(f"%fma = vector.fma %x, %e1, %y : {f.type}")
        f.line(f"%root = math.absf %fma : {f.type}")
        f.store("%root")


def _choices(f: Function) -> None:
    compare = "cmpf olt" if f.floats else "cmpi slt"
    f.line(f"%less = arith.{compare}, %x, %y : {f.type}")
    f.line(f"%chosen = arith.select %less, %e0, %c : {f.truths}, {f.type}")
    f.store("%chosen")
    mask, _ = f.mask()
    f.line(f"%by_mask = arith.select {mask}, %x, %chosen : {f.truths}, {f.type}")
    f.store("%by_mask")
    f.line(f"%both = arith.andi %less, {mask} : {f.truths}")
    f.line(f"%by_both = arith.select %both, %by_mask, %y : {f.truths}, {f.type}")
    f.store("%by_both")
    f.line(f"%by_one = arith.select %p, %x, %y : {f.type}")
    f.store("%by_one")
    other, _ = f.mask()
    f.line(f"%known = arith.xori {mask}, {other} : {f.truths}")
    f.line(f"%by_known = arith.select %known, %x, %y : {f.truths}, {f.type}")
    f.store("%by_known")


def _picks(f: Function) -> None:
    f.line(f"%word = vector.extract %e0[{f.lane()}] : {f.element} from {f.type}")
    f.store_word("%word")
    f.line(f"%in = vector.insert %word, %y [{f.lane()}] : {f.element} into {f.type}")
    f.store("%in")
    for number in range(3):
        lanes = f.chance.randint(1, 2 * f.lanes + 1)
        picks = [f.chance.randrange(2 * f.lanes) for _ in range(lanes)]
        if number == 0:
            start = f.lane()
            picks = list(range(start, start + f.lanes))
        f.line(f"%sh{number} = vector.shuffle %x, %in {picks} : {f.type}, {f.type}")
        f.store(f"%sh{number}", len(picks))


def _carried(f: Function) -> None:
    """A loop that carries a vector, its truths, and a word."""
    add, compare = ("addf", "cmpf olt") if f.floats else ("addi", "cmpi slt")
    types = f"({f.type}, {f.truths}, {f.element})"
    given = "(%u = %x, %v = %less, %z = %w)"
    f.line(f"%r:3 = scf.for %i = %zero to %n step %c1 iter_args{given} -> {types} {{")
    f.line(f"  %u1 = arith.{add} %u, %y : {f.type}")
    f.line(f"  %u2 = arith.select %v, %u1, %c : {f.truths}, {f.type}")
    f.line(f"  %v1 = arith.{compare}, %u2, %u : {f.type}")
    f.line(f"  %z1 = vector.extract %u2[{f.lane()}] : {f.element} from {f.type}")
    f.line(f"  scf.yield %u2, %v1, %z1 : {types[1:-1]}")
    f.line("}")
    f.line(f"%last = arith.select %r#1, %r#0, %y : {f.truths}, {f.type}")
    f.store("%last")
    f.store_word("%r#2")


def _converted(f: Function) -> None:
    """Other words in as many lanes, whose truths choose among these."""
    other = ELEMENTS[f.element]
    names = ("bitcast", "bitcast")
    if f.floats:
        names = ("truncf", "extf") if other == "f32" else ("extf", "truncf")
    there, back = names
    types = f.type, f"vector<{f.lanes}x{other}>"
    f.line(f"%there = arith.{there} %x : {types[0]} to {types[1]}")
    f.line(f"%again = arith.{there} %y : {types[0]} to {types[1]}")
    f.line(f"%there_less = arith.cmpf ole, %there, %again : {types[1]}")
    if f.floats:
        f.line(f"%back = arith.{back} %there : {types[1]} to {types[0]}")
        f.line(f"%by_other = arith.select %there_less, %back, %y : {f.truths}, {types[0]}")
    else:
        f.line(f"%by_other = arith.select %there_less, %x, %y : {f.truths}, {types[0]}")
    f.store("%by_other")
    f.line(f"%for_other = arith.select %less, %there, %again : {f.truths}, {types[1]}")
    f.line(f"%less_other = arith.cmpf une, %for_other, %there : {types[1]}")
    f.line(f"%by_both_others = arith.select %less_other, %x, %c : {f.truths}, {types[0]}")
    f.store("%by_both_others")


def _moved_truths(f: Function) -> None:
    f.store_truths("%less")
    mask, _ = f.mask()
    f.store_truths(mask)
    f.line(f"%held = vector.load %t[{f.index(1)}] : memref<?xi1>, {f.truths}")
    f.line(f"%one = vector.extract %less[{f.lane()}] : i1 from {f.truths}")
    f.line(f"%moved = vector.insert %one, %held [{f.lane()}] : i1 into {f.truths}")
    f.line(f"%same = vector.broadcast %one : i1 to {f.truths}")
    f.line(f"%differ = arith.xori %moved, %same : {f.truths}")
    picks = [f.chance.randrange(2 * f.lanes) for _ in range(f.chance.randint(1, 2 * f.lanes))]
    f.line(f"%mixed = vector.shuffle %differ, {mask} {picks} : {f.truths}, {f.truths}")
    f.store_truths("%mixed", len(picks))
    f.line(f"%by_held = arith.select %moved, %x, %y : {f.truths}, {f.type}")
    f.store("%by_held")


def words(generator: np.random.Generator, size: int, element: str) -> np.ndarray:
    """Random words, some of them equal."""
    whole = generator.integers(-4, 5, size)
    if element[0] == "f":
        mixed = generator.standard_normal(size) * np.exp2(generator.integers(-3, 4, size))
        return np.where(generator.random(size) < 0.3, whole, mixed).astype(DTYPES[element])
    return whole.astype(np.int64).astype(DTYPES[element])


def memory_after(module: ModuleOp, f: Function, seed: int) -> list[bytes]:
    """All that the function may read or write, when it has run."""
    generator = np.random.default_rng(seed)
    a, b = (words(generator, size, f.element) for size in (f.lanes + 1, f.read))
    o = np.full(f.size + 8, 77, DTYPES[f.element])
    t = generator.random(f.truth_size + 8) < 0.5
    w = words(generator, 1, f.element)[0]
    word = w if f.floats else int(w)
    arguments = [a, b, o, t, word, bool(seed % 2), 0, 3]
    assert Code(module, Words()).call("f", arguments) == []
    return [array.tobytes() for array in (a, b, o, t)]
