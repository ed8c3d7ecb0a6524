"""Random programs of maps and folds: every order, kind and element, odd sizes, involved indices.

Entry: `random_program`. The text is always one that verifies: an index is written only after it
was seen to lie inside at every point of its domain.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 17)
FEW_WORDS = 300
AXES = "ijkmpq"

UNARY = ("arith.negf", "math.absf", "math.sqrt", "math.sqrt", "math.absf")
FUNCTIONS = ("math.exp", "math.log", "math.tanh", "pointwise.sigmoid")
BINARY = (
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "pointwise.min",
    "pointwise.max",
    "math.copysign",
)
PREDICATES = ("olt", "ogt", "oeq", "une", "ule", "ord")
CONSTANTS = ("1.0", "-0.5", "0.0", "-0.0", "3.25")


@dataclass
class Text:
    """A program while it is written: its values with their shapes, and its lines."""

    random: random.Random
    element: str
    unary: tuple[str, ...]
    values: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def name(self, prefix: str) -> str:
        """A name that wasn't used."""
        self.names += 1
        return f"%{prefix}{self.names}"

    def type(self, shape: tuple[int, ...]) -> str:
        """The type of a value of this shape."""
        if not shape:
            return self.element
        return f"tensor<{''.join(f'{extent}x' for extent in shape)}{self.element}>"


def random_program(seed: int, functions: bool = False) -> str:
    """One contribution or update; with `functions`, exp and its kin may be in it."""
    chance = random.Random(seed)
    unary = UNARY + FUNCTIONS if functions else UNARY
    text = Text(chance, chance.choice(("f64", "f64", "f32")), unary)
    kind = chance.choice(("contribution", "local", "update"))
    shapes = _shapes(text, kind)
    arguments = [(text.name("a"), shape) for shape in shapes]
    text.values += arguments
    for _ in range(chance.randint(1, 6)):
        _operation(text, kind)
    made = text.values[len(arguments) :]
    returned = chance.sample(made, min(len(made), chance.randint(1, 3)))
    if chance.random() < 0.2 or not returned:
        returned.append(chance.choice(arguments))
    if chance.random() < 0.1:
        returned.append(returned[0])
    results = ", ".join(text.type(shape) for _, shape in returned)
    names = ", ".join(name for name, _ in returned)
    listed = [f"{name} : {text.type(shape)}" for name, shape in arguments]
    body = "\n".join(f"  {line}" for line in (*text.lines, f"pointwise.return {names}"))
    if kind == "contribution":
        split = chance.randint(0, len(listed))
        heads = f"({', '.join(listed[:split])}) sample({', '.join(listed[split:])})"
        return f"pointwise.contribution @p{heads} -> ({results}) {{\n{body}\n}}\n"
    return f"pointwise.update @p({', '.join(listed)}) -> ({results}) {{\n{body}\n}}\n"


def _shapes(text: Text, kind: str) -> list[tuple[int, ...]]:
    chance = text.random
    if kind == "local":
        # Words of one domain, scalars, and samples that lie with the coordinates.
        domain = _shape(chance, chance.randint(1, 2))
        shapes = [domain] * chance.randint(1, 3) + [()] * chance.randint(0, 2)
        return shapes + [(*domain, chance.choice((1, 3, 4)))] * chance.randint(0, 1)
    return [_shape(chance, chance.choice((0, 1, 1, 2, 2, 3))) for _ in range(chance.randint(1, 4))]


def _shape(chance: random.Random, axes: int) -> tuple[int, ...]:
    while True:
        shape = tuple(chance.choice(EXTENTS) for _ in range(axes))
        if chance.random() < 0.02 and shape:
            shape = (*shape[:-1], 0)
        if prod(shape) <= FEW_WORDS:
            return shape


def _operation(text: Text, kind: str) -> None:
    chance = text.random
    scalars = [name for name, shape in text.values if not shape]
    if scalars and chance.random() < 0.25:
        result = text.name("s")
        text.lines.append(scalar(text, result, scalars))
        text.values.append((result, ()))
        return
    if kind == "local" and chance.random() < 0.85:
        _local(text)
        return
    if any(prod(shape) for _, shape in text.values if shape) and chance.random() < 0.3:
        _chained(text)
        return
    over = _shape(chance, chance.choice((0, 1, 1, 2)))
    if chance.random() < 0.5 and any(shape for _, shape in text.values):
        over = chance.choice([shape for _, shape in text.values if shape])[:2]
    along = ()
    if chance.random() < 0.6:
        along = _shape(chance, chance.choice((1, 1, 1, 2)))
        if chance.random() < 0.1:
            along = (chance.choice((33, 70, 100)),)
    _domain(text, over, along, [])


def _local(text: Text) -> None:
    """A map or fold over the first argument's domain, at its own coordinates where it can be."""
    chance = text.random
    domain = text.values[0][1]
    along = ()
    if chance.random() < 0.4:
        along = (chance.choice((1, 3, 4)),)
    own = [value for value in text.values if value[1][: len(domain)] == domain]
    chosen = [chance.choice(own) for _ in range(chance.randint(1, 3))]
    _domain(text, domain, along, chosen)


def _chained(text: Text) -> None:
    """A map or fold at a value's own coordinates, along none of its axes, some, or one more."""
    chance = text.random
    chosen = chance.choice([value for value in text.values if prod(value[1]) and value[1]])
    shape = chosen[1]
    split = chance.randint(0, len(shape))
    more = (chance.choice((1, 3, 17, 40)),) * chance.choice((0, 0, 1))
    own = [value for value in text.values if value[1] == shape]
    _domain(text, shape[:split], shape[split:] + more, [chosen, chance.choice(own)])


def _domain(
    text: Text,
    over: tuple[int, ...],
    along: tuple[int, ...],
    own: list[tuple[str, tuple[int, ...]]],
) -> None:
    chance = text.random
    extents = over + along
    if prod(extents) > 4 * FEW_WORDS:
        return
    inputs: list[str] = []
    names: list[str] = []
    others = [chance.choice(text.values) for _ in range(chance.randint(0 if own else 1, 3))]
    if own:
        others = [value for value in others if not value[1]]
    for name, shape in (*own, *others):
        argument = text.name("x")
        index = _own_index(shape, extents) if (name, shape) in own else None
        index = index or _index(chance, shape, extents)
        if index is None:
            continue
        suffix = f"[{', '.join(index)}]" if index else ""
        inputs.append(f"{argument} = {name}{suffix}")
        names.append(argument)
    if not names:
        return
    kind = "max" if chance.random() < 0.3 and 0 not in along else "add"
    if kind == "max" and 0 in extents:
        kind = "add"
    body: list[str] = []
    for _ in range(chance.randint(0, 4)):
        result = text.name("b")
        body.append(scalar(text, result, names))
        names.append(result)
    count = 1 if along else chance.choice((1, 1, 2))
    yielded = [names[-1], *(chance.choice(names) for _ in range(count - 1))]
    results = [text.name("v") for _ in yielded]
    axes = [f"{AXES[n]} : {extent}" for n, extent in enumerate(extents)]
    head = f"pointwise.map over [{', '.join(axes)}]"
    if along:
        order = _order(chance, prod(along))
        spoken = f" over [{', '.join(axes[: len(over)])}]" if over else ""
        head = f"pointwise.fold {kind} {order}{spoken} along [{', '.join(axes[len(over) :])}]"
    types = ", ".join(text.type(over) for _ in results)
    lines = [f"{', '.join(results)} = {head} ({', '.join(inputs)}) {{"]
    lines += [f"  {line}" for line in (*body, f"pointwise.yield {', '.join(yielded)}")]
    text.lines += [*lines, f"}} : {types}"]
    text.values += [(result, over) for result in results]


def _order(chance: random.Random, length: int) -> str:
    lanes = chance.choice((1, 2, 4, 8, 8, 16, 32, 128))
    return chance.choice(("left", "pairs", f"lanes<{lanes}>", f"lanes<{lanes}>"))


def scalar(text: Text, result: str, operands: Sequence[str]) -> str:
    """A line that computes a scalar from some of these."""
    chance = text.random

    def pick() -> str:
        return chance.choice(operands)

    roll = chance.random()
    if roll < 0.12:
        return f"{result} = arith.constant {chance.choice(CONSTANTS)} : {text.element}"
    if roll < 0.3:
        return f"{result} = {chance.choice(text.unary)} {pick()} : {text.element}"
    if roll < 0.4:
        return f"{result} = math.fma {pick()}, {pick()}, {pick()} : {text.element}"
    if roll < 0.52:
        truth = text.name("c")
        predicate = chance.choice(PREDICATES)
        compare = f"{truth} = arith.cmpf {predicate}, {pick()}, {pick()} : {text.element}"
        return f"{compare}\n  {result} = arith.select {truth}, {pick()}, {pick()} : {text.element}"
    return f"{result} = {chance.choice(BINARY)} {pick()}, {pick()} : {text.element}"


def _own_index(shape: tuple[int, ...], extents: tuple[int, ...]) -> list[str] | None:
    """Each axis as it is, if the value has the extents that the domain begins with."""
    if any(shape[n] < extents[n] for n in range(min(len(shape), len(extents)))):
        return None
    return [AXES[n] for n in range(len(shape))] if len(shape) <= len(extents) else None


def _index(
    chance: random.Random, shape: tuple[int, ...], extents: tuple[int, ...]
) -> list[str] | None:
    """An index that lies inside the shape at every point, or None if none was found."""
    if 0 in shape:
        return None if 0 not in extents else ["0"] * len(shape)
    index: list[str] = []
    for size in shape:
        for _ in range(30):
            candidate = _candidate(chance, size, extents)
            if _inside(candidate, size, extents):
                index.append(candidate)
                break
        else:
            index.append(str(chance.randrange(size)))
    return index


def _candidate(chance: random.Random, size: int, extents: tuple[int, ...]) -> str:
    if not extents:
        return str(chance.randrange(size))
    axis, other = (AXES[chance.randrange(len(extents))] for _ in range(2))
    number = chance.randint(1, 4)
    forms = (
        axis,
        axis,
        axis,
        f"{axis} mod {size}",
        f"{axis} floordiv {number}",
        f"{size - 1} - {axis}",
        f"{axis} + {number}",
        f"({axis} + {other}) mod {size}",
        f"{axis} * {number}",
        f"({axis} * {number} - {other}) mod {size}",
        f"{axis} mod {number}",
        f"({axis} - {number}) floordiv 2 + {number}",
        str(chance.randrange(size)),
    )
    return chance.choice(forms)


def _inside(index: str, size: int, extents: tuple[int, ...]) -> bool:
    python = index.replace("floordiv", "//").replace("mod", "%")
    compiled = compile(python, "index", "eval")
    for point in product(*(range(extent) for extent in extents)):
        names = dict(zip(AXES, point, strict=False))
        if not 0 <= eval(compiled, {}, names) < size:
            return False
    return True
