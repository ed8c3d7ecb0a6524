"""Random `linalg.generic` operations: as text, as loops in Python, and with random operands.

Invariant: what is drawn is legal and has a conversion, so that a refusal is a fault.
Entry: `operations`, `Operation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from linalg_oracle.loops import Index
from linalg_oracle.running import DTYPES, type_of

Scalar = Any  # a float64 or float32 of numpy

SCALARS: dict[str, tuple[int, Callable[..., Scalar]]] = {
    "arith.addf": (2, lambda a, b: a + b),
    "arith.subf": (2, lambda a, b: a - b),
    "arith.mulf": (2, lambda a, b: a * b),
    "arith.divf": (2, lambda a, b: a / b),
    "arith.negf": (1, lambda a: -a),
    "math.absf": (1, abs),
    "math.sqrt": (1, np.sqrt),
    "pointwise.min": (2, lambda a, b: a if a < b else b),
    "arith.constant": (0, lambda: None),
}
CONSTANT = 0.75


@dataclass(frozen=True)
class Step:
    """One operation of a body: its name, and its operands by their numbers."""

    name: str
    operands: tuple[int, ...]


@dataclass(frozen=True)
class Operation:
    """A generic operation on `ins`, `captured` scalars and `outs`; each index is a list of loops.

    The values of the body are numbered: words of ins, of outs, captured scalars, then steps.
    `results` are the values that are yielded; those of a reduction are folded by `kind` with out
    on the side that `swapped` says.
    """

    element: str
    extents: tuple[int, ...]
    parallel: tuple[bool, ...]
    ins: tuple[Index, ...]
    outs: tuple[Index, ...]
    captured: int
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    kind: str
    swapped: bool
    zero: float

    @property
    def reduces(self) -> bool:
        """Whether it is a reduction."""
        return not all(self.parallel)

    def shape(self, index: Index) -> tuple[int, ...]:
        """The shape of an operand with this index."""
        return tuple(self.extents[loop] for loop in index)

    def inits(self) -> list[float]:
        """The word that every word of an init of a reduction has."""
        return [-np.inf if self.kind == "max" else self.zero] * len(self.outs)

    def body(self, *words: Scalar, captured: Sequence[Scalar] = ()) -> tuple[Scalar, ...]:
        """One point: the words of ins, then of outs."""
        values = [*words, *captured]
        for step in self.steps:
            if step.name == "arith.constant":
                values.append(DTYPES[self.element](CONSTANT))
            else:
                values.append(SCALARS[step.name][1](*(values[each] for each in step.operands)))
        yields = [values[each] for each in self.results]
        if not self.reduces:
            return tuple(yields)
        old = words[len(self.ins) :]
        if self.kind == "max":
            return tuple(out if out > new else new for out, new in zip(old, yields, strict=True))
        return tuple(out + new for out, new in zip(old, yields, strict=True))

    def text(self) -> str:
        """An update whose arguments are ins, captured scalars and, unless it reduces, inits."""
        element, kinds = self.element, ["reduction", "parallel"]
        loops = ", ".join(f"d{loop}" for loop in range(len(self.extents)))
        maps = [
            f"affine_map<({loops}) -> ({', '.join(f'd{loop}' for loop in index)})>"
            for index in (*self.ins, *self.outs)
        ]
        ins = [type_of(self.shape(index), element) for index in self.ins]
        outs = [type_of(self.shape(index), element) for index in self.outs]
        results = [type if shape else element for type, shape in self._results(outs)]
        arguments = [f"%x{n} : {type}" for n, type in enumerate(ins)]
        arguments += [f"%s{n} : {element}" for n in range(self.captured)]
        lines: list[str] = []
        for number, type in enumerate(outs):
            if self.reduces:
                word = f"%c{number}"
                lines.append(f"{word} = arith.constant {self._literal()} : {element}")
                lines.append(f"%e{number} = tensor.empty() : {type}")
                fill = f"ins({word} : {element}) outs(%e{number} : {type})"
                lines.append(f"%o{number} = linalg.fill {fill} -> {type}")
            else:
                arguments.append(f"%o{number} : {type}")
        names = ", ".join(f"%g{n}" for n in range(len(outs)))
        iterators = ", ".join(f'"{kinds[each]}"' for each in self.parallel)
        trait = f"indexing_maps = [{', '.join(maps)}], iterator_types = [{iterators}]"
        operands = ", ".join(f"%x{n}" for n in range(len(ins)))
        inits = ", ".join(f"%o{n}" for n in range(len(outs)))
        lines.append(f"{names} = linalg.generic {{{trait}}}")
        lines.append(f"  ins({operands} : {', '.join(ins)}) outs({inits} : {', '.join(outs)}) {{")
        lines += self._body_lines()
        lines.append(f"}} -> ({', '.join(outs)})")
        returned: list[str] = []
        for number, (type, shape) in enumerate(self._results(outs)):
            returned.append(f"%g{number}" if shape else f"%r{number}")
            if not shape:
                lines.append(f"%r{number} = tensor.extract %g{number}[] : {type}")
        lines.append(f"pointwise.return {', '.join(returned)}")
        head = f"pointwise.update @u({', '.join(arguments)}) -> ({', '.join(results)}) {{"
        return "\n".join([head, *(f"  {line}" for line in lines), "}"])

    def _results(self, outs: Sequence[str]) -> list[tuple[str, tuple[int, ...]]]:
        return [(type, self.shape(index)) for type, index in zip(outs, self.outs, strict=True)]

    def _literal(self) -> str:
        if self.kind == "max":
            return {"f64": "0xFFF0000000000000", "f32": "0xFF800000"}[self.element]
        return f"{self.zero:.1f}"

    def _body_lines(self) -> list[str]:
        element = self.element
        inner = [f"%in{n}" for n in range(len(self.ins))]
        outer = [f"%out{n}" for n in range(len(self.outs))]
        values = [*inner, *outer, *(f"%s{n}" for n in range(self.captured))]
        lines = [f"^bb0({', '.join(f'{name}: {element}' for name in (*inner, *outer))}):"]
        for number, step in enumerate(self.steps):
            operands = ", ".join(values[each] for each in step.operands)
            operands = str(CONSTANT) if step.name == "arith.constant" else operands
            lines.append(f"  %v{number} = {step.name} {operands} : {element}")
            values.append(f"%v{number}")
        yields = [values[each] for each in self.results]
        if self.reduces:
            for number, (out, value) in enumerate(zip(outer, yields, strict=True)):
                if self.kind == "max":
                    lines.append(f"  %t{number} = arith.cmpf ogt, {out}, {value} : {element}")
                    both = f"%t{number}, {out}, {value}"
                    lines.append(f"  %y{number} = arith.select {both} : {element}")
                else:
                    both = ", ".join((value, out) if self.swapped else (out, value))
                    lines.append(f"  %y{number} = arith.addf {both} : {element}")
            yields = [f"%y{number}" for number in range(len(outer))]
        types = ", ".join(element for _ in yields)
        return [*lines, f"  linalg.yield {', '.join(yields)} : {types}"]


@st.composite
def operations(draw: st.DrawFn) -> Operation:
    """Any number of loops, of either kind, in any order, with permuted indices of some of them."""
    kinds = draw(st.sampled_from((st.booleans(), st.just(True))))
    parallel = tuple(draw(st.lists(kinds, min_size=0, max_size=4)))
    kind = draw(st.sampled_from(("add", "add", "max")))
    least = 1 if kind == "max" else 0
    extents = tuple(draw(st.integers(least, 3)) for _ in parallel)
    loops = range(len(parallel))
    indices = draw(
        st.lists(st.lists(st.sampled_from(loops), unique=True), min_size=1, max_size=3)
        if parallel
        else st.lists(st.just([]), min_size=1, max_size=2)
    )
    over = [loop for loop in loops if parallel[loop]]
    outs = draw(st.lists(st.permutations(over), min_size=1, max_size=2))
    # Every loop is the index of something, which says how often it runs.
    seen = {loop for index in (*indices, over) for loop in index}
    missing = [loop for loop in loops if loop not in seen]
    if missing:
        indices[0] = [*indices[0], *missing]
    ins = tuple(tuple(index) for index in indices)
    captured = draw(st.integers(0, 2))
    reduces = not all(parallel)
    first_step = len(ins) + len(outs) + captured
    usable = [n for n in range(first_step) if not reduces or not 0 <= n - len(ins) < len(outs)]
    steps: list[Step] = []
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from(sorted(SCALARS)))
        operands = tuple(draw(st.sampled_from(usable)) for _ in range(SCALARS[name][0]))
        usable.append(first_step + len(steps))
        steps.append(Step(name, operands))
    results = tuple(draw(st.sampled_from(usable)) for _ in outs)
    return Operation(
        element=draw(st.sampled_from(sorted(DTYPES))),
        extents=extents,
        parallel=parallel,
        ins=ins,
        outs=tuple(tuple(out) for out in outs),
        captured=captured,
        steps=tuple(steps),
        results=results,
        kind=kind if reduces else "add",
        swapped=draw(st.booleans()),
        zero=draw(st.sampled_from((0.0, -0.0))),
    )


def points(operation: Operation) -> int:
    """How many points the loops have."""
    return prod(operation.extents)
