"""The analysis against an oracle that analyses nothing: change one word, run, see what changes.

Random updates, with random index maps, folds and scalars. Soundness: whatever is seen to change is
among the dependences, and a learner in which a coordinate changes another's words is refused.
Exactness: updates that only add whole numbers can't cancel, so there all dependences are seen.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from learners.one_round import Field, Rule, Word, build, influences, words_of

import alpha.ir.index_forms as index_forms
import alpha.ir.separability.dependences as dependences_module
from alpha.ir.builder import Program, Value, maximum, minimum, select
from alpha.ir.learners import Learner
from alpha.ir.separability import explain
from alpha.ir.separability.dependences import Dependence, dependences_of
from alpha.ir.shapes import shape_of

AXES: tuple[str, ...] = ("i", "j", "k")


def _fields(generator: np.random.Generator) -> list[Field]:
    """A few fields of small shapes, most of them of one shape."""
    rank = int(generator.integers(0, 3))
    shape = tuple(int(extent) for extent in generator.integers(1, 4, rank))
    kinds = ["state", "mean"]
    kinds += list(generator.choice(["state", "shared", "constant", "mean", "samples"], 2))
    fields: list[Field] = []
    for number, kind in enumerate(kinds):
        own = shape
        if number > 1 and generator.random() < 0.5:
            own = tuple(int(extent) for extent in generator.integers(1, 4, generator.integers(3)))
        if kind == "samples":
            own = (*own, int(generator.integers(1, 3))) if own else (2,)
        fields.append(Field(f"{kind}{number}", kind, own))
    return fields


def _axes(shape: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(AXES, shape, strict=False))


class RandomRule:
    """A random update; the same generator state makes the same one."""

    def __init__(self, fields: list[Field], generator: np.random.Generator, adds: bool) -> None:
        """`adds` allows no operation but the sum of all that is read."""
        self._fields = fields
        self._generator = generator
        self._adds = adds

    def __call__(self, p: Program, *given: Value) -> tuple[Value, ...]:
        """Trace the update into the program."""
        known = list(given)
        for _ in range(int(self._generator.integers(1, 5))):
            known.append(self._step(p, known))
        return tuple(
            self._map(p, [*known, value], shape_of(value.type), last=True)
            for field, value in zip(self._fields, given, strict=True)
            if field.advances
        )

    def _step(self, p: Program, known: list[Value]) -> Value:
        scalars = [value for value in known if shape_of(value.type) == ()]
        if scalars and self._generator.random() < 0.3:
            return self._body(*self._some(scalars, 2))
        shape = shape_of(self._some(known, 1)[0].type)
        if self._generator.random() < 0.3:
            shape = tuple(int(extent) for extent in self._generator.integers(1, 4, len(shape)))
        if self._generator.random() < 0.4:
            return self._fold(p, known, shape)
        return self._map(p, known, shape)

    def _some(self, values: list[Value], count: int) -> list[Value]:
        picks = self._generator.integers(0, len(values), count)
        # A bias towards the newest values makes chains.
        return [values[max(pick, len(values) - 1 - int(pick))] for pick in picks]

    def _body(self, *words: Value) -> Value:
        result = words[0]
        for word in words[1:]:
            step = "add" if self._adds else self._generator.choice(["add", "sub", "mul", "min"])
            if step == "add":
                result = result + word
            elif step == "sub":
                result = maximum(result - word, minimum(word, 3.0))
            elif step == "mul":
                result = select(result < 8.0, result * word, -word)
            # with "min", the word is read and not used
        return result

    def _map(
        self, p: Program, known: list[Value], shape: tuple[int, ...], last: bool = False
    ) -> Value:
        over = _axes(shape)
        inputs = self._inputs(known, over or {"i": 1}, last)
        if not shape:
            total = p.fold("add", "left", inputs, self._body, along={"i": 1})
            return total if self._adds else -total
        return p.map(inputs, self._body, over=over)

    def _fold(self, p: Program, known: list[Value], shape: tuple[int, ...]) -> Value:
        over = _axes(shape)
        along = {"t": int(self._generator.integers(0 if self._generator.random() < 0.1 else 1, 4))}
        kind, order = "add", str(self._generator.choice(["left", "pairs", "lanes<2>"]))
        if not self._adds and along["t"] and self._generator.random() < 0.5:
            kind = "max"
        inputs = self._inputs(known, {**over, **along}, False)
        return p.fold(kind, order, inputs, self._body, along=along, over=over)

    def _inputs(self, known: list[Value], axes: dict[str, int], last: bool) -> list:
        values = self._some(known, int(self._generator.integers(1, 3)))
        if last:
            values.append(known[-1])
        return [self._read(value, axes) for value in values]

    def _read(self, value: Value, axes: dict[str, int]) -> object:
        shape = shape_of(value.type)
        if not shape:
            return value
        own = list(axes)[: len(shape)]
        fits = all(axes[axis] <= extent for axis, extent in zip(own, shape, strict=False))
        if fits and len(own) == len(shape) and self._generator.random() < 0.6:
            return value[", ".join(own)]
        return value[", ".join(self._index(axes, extent) for extent in shape)]

    def _index(self, axes: dict[str, int], extent: int) -> str:
        names = list(axes)
        axis = str(self._generator.choice(names))
        other = str(self._generator.choice(names))
        step = int(self._generator.integers(1, 4))
        forms = [f"({step} * {axis} + {other}) mod {extent}", f"({axis} + {step}) mod {extent}"]
        forms += [f"({axis} floordiv {step}) mod {extent}", f"{int(step) % extent}"]
        if axes[axis] <= extent:
            forms += [axis, f"{axis} mod {extent}", f"{axes[axis] - 1} - {axis}"] * 2
        return str(self._generator.choice(forms))


def _random(seed: int, adds: bool) -> tuple[list[Field], Learner, np.random.Generator]:
    generator = np.random.default_rng(seed)
    fields = _fields(generator)
    rules: list[Rule] = [RandomRule(fields, generator, adds)]
    if generator.random() < 0.3:
        rules.append(RandomRule(fields, generator, adds))
    return fields, build(fields, *rules), generator


def _words_read(dependence: Dependence, shape: tuple[int, ...]) -> set[tuple[tuple, tuple]]:
    """All pairs of a coordinate and an index of the source that a dependence stands for."""
    extents = (*shape, *dependence.bound)
    return {
        (point[: len(shape)], tuple(form.evaluate(point) for form in dependence.index))
        for point in product(*(range(extent) for extent in extents))
    }


def _predicted(learner: Learner, fields: list[Field]) -> set[tuple[Word, Word]]:
    means = [field.name for field in fields if field.kind == "mean"]
    names = {f"mean{number}": name for number, name in enumerate(means)}
    found: set[tuple[Word, Word]] = set()
    for state, dependences in dependences_of(learner).items():
        shape = shape_of(learner.states[state].type)
        for dependence in dependences:
            name = dependence.source.name
            source = names[name] if dependence.source.kind == "mean" else name
            for at, index in _words_read(dependence, shape):
                found.add(((state, at), (source, index)))
    return found


def _legal(fields: list[Field], pair: tuple[Word, Word]) -> bool:
    """Whether a separable update may let the second word change the first: the definition."""
    by_name = {field.name: field for field in fields}
    (target, at), (source, index) = pair
    state, field = by_name[target], by_name[source]
    if field.kind in ("constant", "shared"):
        return True
    if state.kind == "shared":
        return False
    if field.kind == "samples":
        rank = len(state.shape)
        return rank > 0 and field.shape[:rank] == state.shape and index[:rank] == at
    return field.shape == state.shape and index == at


@pytest.mark.parametrize("limit", ["none", "paths", "sizes"])
def test_what_is_seen_to_change_is_found(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if limit == "paths":
        monkeypatch.setattr(dependences_module, "PATHS_MAX", 1)
    if limit == "sizes":
        monkeypatch.setattr(index_forms, "SIZE_MAX", 1)
    refused = admitted = 0
    for seed in range(300 if limit == "none" else 50):
        fields, learner, generator = _random(seed, adds=False)
        seen = influences(learner, fields, words_of(fields, generator), 2.5)
        seen |= influences(learner, fields, words_of(fields, generator), -11.0)
        missing = seen - _predicted(learner, fields)
        assert not missing, (seed, sorted(missing))
        violations = {(v.state, v.source.kind, v.source.shape) for v in explain(learner)}
        by_name = {field.name: field for field in fields}
        for pair in seen:
            if not _legal(fields, pair):
                field = by_name[pair[1][0]]
                assert (pair[0][0], field.kind, field.shape) in violations, (seed, pair)
        refused += bool(violations)
        admitted += not violations
    assert refused > 20 and admitted > 2, (refused, admitted)


def test_where_nothing_cancels_exactly_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependences_module, "PATHS_MAX", 1 << 20)
    refused = admitted = 0
    for seed in range(1000, 1300):
        fields, learner, generator = _random(seed, adds=True)
        seen = influences(learner, fields, words_of(fields, generator), 1.0)
        assert seen == _predicted(learner, fields), seed
        violations = explain(learner)
        illegal = {pair for pair in seen if not _legal(fields, pair)}
        assert bool(violations) == bool(illegal), seed
        means = [field.name for field in fields if field.kind == "mean"]
        for violation in violations:
            name = violation.source.name
            name = means[int(name[4:])] if violation.source.kind == "mean" else name
            assert violation.read is not None
            witness = ((violation.state, violation.coordinate), (name, violation.read))
            assert witness in illegal, (seed, witness)
        refused += bool(violations)
        admitted += not violations
    assert refused > 40 and admitted > 20, (refused, admitted)
