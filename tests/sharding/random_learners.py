"""Random learners that are separable, and random distributions of them.

Invariant: a learner has several states in families of one shape each (scalars, matrices and shapes
    without a word among them), states that nothing advances, shared words, several sets of samples
    and sums, and updates that follow one another; its words stay small.
Entry: `random_learner`, `random_distribution`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from sharding.product import MODES

from alpha.ir.builder import LearnerBuilder, Program, Round, Value, f32, f64, maximum, sqrt, tensor
from alpha.ir.frontend.registry import make_context
from alpha.ir.learner_words import resolve
from alpha.ir.learners import find_learner
from alpha.ir.shapes import shape_of
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

Shape = tuple[int, ...]

SHAPES: Sequence[Shape] = ((), (1,), (2,), (3,), (5,), (2, 3), (3, 1, 2), (0,), (2, 0))
SAMPLE_SHAPES: Sequence[Shape] = ((), (2,), (3,), (2, 2))
ORDERS = ("left", "pairs", "lanes<2>")


@dataclass
class Family:
    """States of one shape, by name, and the means of that shape."""

    name: str
    shape: Shape
    states: list[str]
    means: list[str] = field(default_factory=list)


class Making:
    """A learner in the making: its parts, and the values of the round by name."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.element = random.choice((f64, f64, f32))
        self.learner = LearnerBuilder("random")
        self.families: list[Family] = []
        self.shared: list[str] = []
        self.sums: list[Callable[[Round, dict[str, Value]], None]] = []
        self.updates: list[Callable[[Round, dict[str, Value]], None]] = []
        self.advanced: dict[str, str] = {}

    def words(self, shape: Sequence[int]) -> Any:
        """Random words, nested as the shape says."""
        if shape:
            return [self.words(shape[1:]) for _ in range(shape[0])]
        return (
            self.random.choice((1, -1)) * self.random.random() * 2.0 ** self.random.randrange(-9, 2)
        )

    def fields(self) -> None:
        """States, shared states and constants."""
        random, make = self.random, self.learner
        for number in range(random.randrange(1, 4)):
            shape = random.choice(SHAPES)
            names = [f"{'abc'[number]}{each}" for each in range(random.randrange(1, 4))]
            self.families.append(Family("abc"[number], shape, names))
            for name in names:
                make.state(name, tensor(*shape, element=self.element), self.words(shape))
            self.constant(f"k{number}", shape)
        self.shared = [f"s{number}" for number in range(random.randrange(3))]
        for name in self.shared:
            make.state(name, self.element, self.words(()), shared=True)
        self.constant("rate", ())
        if random.random() < 0.5:
            make.state("kept", tensor(2, element=self.element), self.words((2,)))

    def constant(self, name: str, shape: Sequence[int]) -> None:
        self.learner.constant(name, tensor(*shape, element=self.element), self.words(shape))

    def contract(self, count: int) -> dict[str, Any]:
        """Groups of so many samples, or nothing: then the owners declare them."""
        if self.random.random() < 0.6:
            return {}
        ends = sorted(self.random.randrange(count + 1) for _ in range(self.random.randrange(6)))
        sizes = [high - low for low, high in pairwise([0, *ends, count])]
        return {"groups": sizes, "combine": self.random.choice(("left", "tree<2>", "tree<3>"))}

    def contribution(self, number: int, samples: str, shapes: Sequence[Shape], count: int) -> None:
        """A sum over these samples for one or two families, and perhaps an observation."""
        random, contract = self.random, self.contract(count)
        targets = [random.choice(self.families) for _ in range(random.randrange(1, 3))]
        read = sorted(
            {random.choice(each.states) for each in self.families if random.random() < 0.7}
        )
        read += [name for name in self.shared if random.random() < 0.3]
        observed = [f"seen {number}"] if random.random() < 0.6 else []
        shape = {name: each.shape for each in self.families for name in each.states}
        types = [tensor(*shape.get(name, ()), element=self.element) for name in read]
        sample = [tensor(*each, element=self.element) for each in shapes]
        orders = [random.choice(ORDERS) for _ in range(9)]

        @self.learner.contribution(types, sample, observed=observed, name=f"sum{number}")
        def rule(p: Program, *values: Value) -> tuple[Value, ...]:
            scalar = p.constant(0.5, self.element)
            for value, order in zip(values, orders, strict=False):
                scalar = scalar * 0.5 + folded(p, value, order)
            results = [pulled(p, each.shape, values, scalar) for each in targets]
            return (*results, *([scalar * scalar] if observed else []))

        def add(r: Round, values: dict[str, Value]) -> None:
            arguments = [r.read(name) for name in read]
            *sums, count = r.sum(f"sum{number}", arguments, over=samples, **contract)
            for place, (total, target) in enumerate(zip(sums, targets, strict=True)):
                values[name := f"mean {number} {place}"] = r.mean(total, count)
                target.means.append(name)

        self.sums.append(add)

    def update(self, number: int, family: Family) -> None:
        """An update of some states of a family, and perhaps of a shared word."""
        random = self.random
        written = random.sample(family.states, random.randrange(1, len(family.states) + 1))
        shared = [
            name for name in self.shared if random.random() < 0.6 and name not in self.advanced
        ]

        def add(r: Round, values: dict[str, Value]) -> None:
            names = [*family.states, *family.means, f"k{'abc'.index(family.name)}"]
            for each in (*names, *self.shared, "rate"):
                if each not in values:
                    values[each] = r.read(each)
            named = [values[each] for each in (*names, *self.shared, "rate")]
            own = len(names)

            @self.learner.update([value.type for value in named], name=f"step{number}")
            def rule(p: Program, *args: Value) -> tuple[Value, ...]:
                rate = args[-1]
                places = [family.states.index(name) for name in written]
                new = stepped(p, family.shape, args[:own], args[own:], places)
                both = [args[own + self.shared.index(name)] * 0.9 + rate * 0.01 for name in shared]
                return (*new, *both)

            results = r.apply(f"step{number}", named)
            found = results if isinstance(results, tuple) else (results,)
            values.update(zip([*written, *shared], found, strict=True))

        self.updates.append(add)
        self.advanced.update(dict.fromkeys([*written, *shared], ""))


def folded(p: Program, value: Value, order: str) -> Value:
    """One scalar of all words of a value."""
    shape = shape_of(value.type)
    if not shape:
        return value
    index, axes = _index(shape)
    return p.fold("add", order, [value[index]], lambda a: a * 0.25, along=axes)


def pulled(p: Program, shape: Shape, values: Sequence[Value], scalar: Value) -> Value:
    """A tensor of this shape, of the values that have it and of a scalar."""
    alike = [value for value in values if shape_of(value.type) == shape]

    def body(q: Value, *words: Value) -> Value:
        total = q * 0.125
        for word in words:
            total = total - word * q
        return total

    return _mapped(p, shape, [scalar, *alike], body)


def stepped(
    p: Program, shape: Shape, own: Sequence[Value], free: Sequence[Value], places: list[int]
) -> tuple[Value, ...]:
    """New words for the values at these places, each of all words of its coordinate."""

    def body(*words: Value) -> tuple[Value, ...]:
        mine, serving = words[: len(own)], words[len(own) :]
        step = mine[-1]
        for word in (*mine, *serving):
            step = step * 0.5 + word / (1.0 + word * word)
        return tuple(mine[place] * 0.5 + maximum(step, sqrt(abs(step)) * 0.25) for place in places)

    found = _mapped(p, shape, [*own, *free], body)
    return found if isinstance(found, tuple) else (found,)


def _mapped(p: Program, shape: Shape, values: Sequence[Value], body: Any) -> Any:
    if not shape:
        return body(*values)
    index, axes = _index(shape)
    inputs = [value[index] if shape_of(value.type) else value for value in values]
    return p.map(inputs, body, over=axes)


def _index(shape: Sequence[int]) -> tuple[str, dict[str, int]]:
    names = "ijkl"[: len(shape)]
    return ", ".join(names), dict(zip(names, shape, strict=True))


def random_learner(random: Random) -> LearnerFile:
    """A learner with its words, as the tools have it when they have read one."""
    making = Making(random)
    making.fields()
    for number in range(random.randrange(1, 3)):
        count = random.choice((1, 2, 3, 5, 7))
        shapes = [random.choice(SAMPLE_SHAPES) for _ in range(random.randrange(1, 3))]
        types = [tensor(*shape, element=making.element) for shape in shapes]
        words = [making.words((count, *shape)) for shape in shapes]
        making.learner.samples(f"data{number}", count, types, words)
        for each in range(random.randrange(1, 3)):
            making.contribution(2 * number + each, f"data{number}", shapes, count)
    for number in range(random.randrange(1, 5)):
        making.update(number, random.choice(making.families))

    @making.learner.round
    def rounds(r: Round) -> None:
        values: dict[str, Value] = {}
        for add in (*making.sums, *making.updates):
            add(r, values)
        r.advance(**{name: values[name] for name in making.advanced})

    module = making.learner.module()
    learner = find_learner(module, "random")
    return LearnerFile("random", make_context(), module, learner, resolve(learner, Path()))


def random_distribution(random: Random, file: LearnerFile) -> Distribution:
    """Some owners on some topology, with some modes in some order by some map; not verified."""
    owners = random.choice((1, 2, 2, 3, 3, 4, 5, 6))
    topologies = ["star", "tree<1>", "tree<2>", "tree<3>", *(["pair"] * 2 if owners == 2 else [])]
    module = file.module.clone()
    topology = random.choice(topologies)
    run_pass(file.context, module, "distribute", owners=owners, topology=topology)
    map = random.choice(("cyclic", "block", "block_cyclic<2>", "block_cyclic<3>"))
    for mode in random.sample(MODES, random.randrange(4)):
        run_pass(file.context, module, f"partition_{mode}", map=map)
    distribution = find_distribution(module)
    assert distribution is not None
    return distribution
