"""Single ideas as updates: what a naive analysis refuses, and what it misses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_calls import calls_of
from learners.one_round import Field, build

from alpha.ir.builder import Program, Value, absf, maximum, select, sqrt
from alpha.ir.refusals import Refusal
from alpha.ir.separability import explain, require_separable

SEPARABLE = "pointwise-not-separable"
SHARED = "pointwise-shared-overclaim"

W4 = Field("w", "state", (4,))
G4 = Field("g", "mean", (4,))
W33 = Field("w", "state", (3, 3))
G33 = Field("g", "mean", (3, 3))
OVER4 = {"i": 4}
OVER33 = {"i": 3, "j": 3}


def _copy(p: Program, value: Value, index: str, **over: int) -> Value:
    return p.map([value[index]], lambda a: a, over=over)


def _add(p: Program, a: Value, b: Value, at: str = "i", **over: int) -> Value:
    return p.map([a[at], b[at]], lambda x, y: x + y, over=over or OVER4)


def _norm(p: Program, g: Value) -> Value:
    return sqrt(p.fold("add", "left", [g["i"]], lambda gi: gi * gi, along=OVER4))


def _flat_and_back(p: Program, w: Value) -> Value:
    flat = _copy(p, w, "k floordiv 3, k mod 3", k=12)
    return _copy(p, flat, "i * 3 + j", i=4, j=3)


def _unused(p: Program, w: Value, g: Value) -> Value:
    _norm(p, g)
    return p.map([w["i"], g["3 - i"]], lambda wi, gi: wi * wi, over=OVER4)


def _own_samples(p: Program, w: Value, a: Value) -> Value:
    total = p.fold("add", "left", [a["i, t"]], lambda x: x * x, over={"i": 3}, along={"t": 5})
    return _add(p, w, total, i=3)


def _along_one(p: Program, w: Value, g: Value) -> Value:
    total = p.fold("add", "left", [g["i + k"]], lambda x: x, over=OVER4, along={"k": 1})
    return _add(p, w, total)


ADMITTED: dict[str, tuple[list[Field], tuple[Callable[..., object], ...]]] = {
    "the index i mod 4 over extent 4": (
        [W4, G4],
        (lambda p, w, g: _add(p, w, _copy(p, g, "i mod 4", i=4)),),
    ),
    "the index (i * 2) floordiv 2": (
        [W4, G4],
        (lambda p, w, g: _add(p, w, _copy(p, g, "(i * 2) floordiv 2", i=4)),),
    ),
    "a quotient and its remainder": (
        [W4, G4],
        (lambda p, w, g: _add(p, w, _copy(p, g, "(i floordiv 2) * 2 + i mod 2", i=4)),),
    ),
    "a matrix transposed twice": (
        [W33],
        (lambda p, w: _copy(p, _copy(p, w, "j, i", i=3, j=3), "j, i", i=3, j=3),),
    ),
    "a vector reversed twice, by two updates": (
        [W4],
        (lambda p, w: _copy(p, w, "3 - i", i=4), lambda p, w: _copy(p, w, "3 - i", i=4)),
    ),
    "a ring turned by 3 and by 1": (
        [W4],
        (lambda p, w: _copy(p, _copy(p, w, "(i + 3) mod 4", i=4), "(i + 1) mod 4", i=4),),
    ),
    "a matrix laid flat and set up again": ([Field("w", "state", (4, 3))], (_flat_and_back,)),
    "a constant read at other coordinates": (
        [W4, Field("c", "constant", (4,))],
        (lambda p, w, c: _add(p, w, _copy(p, c, "3 - i", i=4)),),
    ),
    "a sum of a constant": (
        [W4, Field("c", "constant", (4,))],
        (lambda p, w, c: p.map([w["i"], _norm(p, c)], lambda a, b: a * b, over=OVER4),),
    ),
    "a shared vector read at other coordinates and turned": (
        [W4, Field("s", "shared", (4,))],
        (lambda p, w, s: (_add(p, w, _copy(p, s, "3 - i", i=4)), _copy(p, s, "3 - i", i=4)),),
    ),
    "an extent of 1, read at 0": (
        [Field("w", "state", (1,)), Field("g", "mean", (1,))],
        (lambda p, w, g: p.map([w["0"], g["i"]], lambda a, b: a - b, over={"i": 1}),),
    ),
    "rows of extent 1, read at 0": (
        [Field("w", "state", (1, 4)), Field("g", "mean", (1, 4))],
        (lambda p, w, g: p.map([w["i, j"], g["0, j"]], lambda a, b: a, over={"i": 1, "j": 4}),),
    ),
    "a fold along an axis of extent 1": ([W4, G4], (_along_one,)),
    "a fold of a vector of extent 1": (
        [Field("w", "state", (1,))],
        (
            lambda p, w: p.map(
                [p.fold("max", "left", [w["i"]], absf, along={"i": 1})],
                lambda a: a,
                over={"i": 1},
            ),
        ),
    ),
    "a field without words": (
        [Field("w", "state", (0,)), G4],
        (lambda p, w, g: p.map([w["i"], _norm(p, g)], lambda a, b: a * b, over={"i": 0}),),
    ),
    "a sum over an empty axis": (
        [W4, Field("g", "mean", (0, 4))],
        (
            lambda p, w, g: _add(
                p,
                w,
                p.fold("add", "left", [g["k, 0"]], lambda x: x, over=OVER4, along={"k": 0}),
            ),
        ),
    ),
    "scalars": (
        [Field("w", "state", ()), Field("m", "state", ()), Field("g", "mean", ())],
        (lambda p, w, m, g: (w - m * g, m + g),),
    ),
    "a neighbour that is read and not used": ([W4, G4], (_unused,)),
    "a choice by the coordinate's own words": (
        [W4, G4],
        (
            lambda p, w, g: p.map(
                [w["i"], g["i"]], lambda a, b: select(a < b, maximum(a, 0.0), b), over=OVER4
            ),
        ),
    ),
    "samples that lie with their coordinates": (
        [Field("w", "state", (3,)), Field("a", "samples", (3, 5))],
        (_own_samples,),
    ),
    "samples of as many words as coordinates": (
        [W4, Field("a", "samples", (4,))],
        (lambda p, w, a: _add(p, w, a),),
    ),
    "states that change places": (
        [W4, Field("v", "state", (4,))],
        (lambda p, w, v: (v, w),),
    ),
    "10^12 coordinates": (
        [Field("w", "state", (10**12,)), Field("g", "mean", (10**12,))],
        (
            lambda p, w, g: p.map(
                [w["i mod 1000000000000"], g["(i * 3) floordiv 3"]],
                lambda a, b: a - b,
                over={"i": 10**12},
            ),
        ),
    ),
}


@pytest.mark.parametrize("case", sorted(ADMITTED))
def test_what_a_naive_analysis_refuses_is_admitted(case: str) -> None:
    fields, rules = ADMITTED[case]
    learner = build(fields, *rules)  # pyright: ignore[reportArgumentType]
    assert explain(learner) == []
    # Far fewer than there are coordinates in the largest case, and steps in a search for one.
    assert calls_of(lambda: explain(learner)) < 20_000


def _slice(p: Program, w: Value, g: Value) -> Value:
    inner = _copy(p, g, "i + 1", i=3)
    return p.map([w["i"], inner["i floordiv 2"]], lambda a, b: a + b, over=OVER4)


def _choice(p: Program, w: Value, g: Value) -> Value:
    return p.map([w["i"], _norm(p, g)], lambda a, n: select(n > 1.0, a, -a), over=OVER4)


def _row_means(p: Program, w: Value, g: Value) -> Value:
    total = p.fold("add", "pairs", [g["i, j"]], lambda x: x, over={"i": 3}, along={"j": 3})
    return p.map([w["i, j"], total["i"]], lambda a, b: a * b, over=OVER33)


def _product(p: Program, w: Value, g: Value) -> Value:
    return p.fold(
        "add",
        "left",
        [w["i, k"], g["k, j"]],
        lambda a, b: a * b,
        over=OVER33,
        along={"k": 3},
    )


REFUSED: dict[str, tuple[list[Field], tuple[Callable[..., object], ...], tuple[str, ...]]] = {
    "a neighbour on a ring": (
        [W4, G4],
        (lambda p, w, g: _add(p, w, _copy(p, g, "(i + 1) mod 4", i=4)),),
        (SEPARABLE, "w[0]", "mean %mean0[1]", "pointwise.map"),
    ),
    "a neighbour through a slice": (
        [W4, G4],
        (_slice,),
        (SEPARABLE, "w[0]", "mean %mean0[1]", "pointwise.map"),
    ),
    "only the last coordinate, which reads the first": (
        [Field("w", "state", (10**6,)), Field("g", "mean", (10**6,))],
        (lambda p, w, g: _add(p, w, _copy(p, g, "i mod 999999", i=10**6), i=10**6),),
        (SEPARABLE, "w[999999]", "mean %mean0[0]", "pointwise.map"),
    ),
    "a transposed gradient": (
        [W33, G33],
        (lambda p, w, g: _add(p, w, _copy(p, g, "j, i", i=3, j=3), "i, j", i=3, j=3),),
        (SEPARABLE, "w[2, 0]", "mean %mean0[0, 2]", "pointwise.map"),
    ),
    "a vector reversed by one of two updates": (
        [W4, G4],
        (lambda p, w, g: _add(p, w, g), lambda p, w, g: _copy(p, w, "3 - i", i=4)),
        (SEPARABLE, "w[0]", "mean %mean0[3]", "pointwise.map"),
    ),
    "a norm": (
        [W4, G4],
        (lambda p, w, g: p.map([w["i"], _norm(p, g)], lambda a, b: a * b, over=OVER4),),
        (SEPARABLE, "w[3]", "mean %mean0[0]", "pointwise.fold"),
    ),
    "a norm in a condition": (
        [W4, G4],
        (_choice,),
        (SEPARABLE, "w[3]", "mean %mean0[0]", "pointwise.fold"),
    ),
    "a norm times zero": (
        [W4, G4],
        (lambda p, w, g: p.map([w["i"], _norm(p, g)], lambda a, n: a + 0.0 * n, over=OVER4),),
        (SEPARABLE, "w[3]", "mean %mean0[0]", "pointwise.fold"),
    ),
    "the mean of a row": (
        [W33, G33],
        (_row_means,),
        (SEPARABLE, "w[0, 2]", "mean %mean0[0, 0]", "pointwise.fold"),
    ),
    "a product of matrices": (
        [W33, G33],
        (_product,),
        (SEPARABLE, "w[2, 0]", "mean %mean0[0, 0]", "pointwise.fold"),
    ),
    "a scalar state of another domain": (
        [W4, Field("s", "state", ())],
        (lambda p, w, s: (p.map([w["i"], s], lambda a, b: a * b, over=OVER4), s),),
        (SEPARABLE, "w[0]", "state @s", "pointwise.map"),
    ),
    "a state of as many words in another shape": (
        [W4, Field("v", "state", (4, 1))],
        (lambda p, w, v: (_add(p, w, _copy(p, v, "i, 0", i=4)), v),),
        (SEPARABLE, "w[0]", "state @v[0, 0]", "pointwise.map"),
    ),
    "a mean of another shape": (
        [W33, Field("g", "mean", (3,))],
        (lambda p, w, g: p.map([w["i, j"], g["i"]], lambda a, b: a + b, over=OVER33),),
        (SEPARABLE, "w[0, 0]", "mean %mean0[0]", "pointwise.map"),
    ),
    "a shared power updated from a mean": (
        [W4, Field("g", "mean", ()), Field("p", "shared", ())],
        (lambda p, w, g, s: (w, s * g),),
        (SHARED, "p", "mean %mean0", "arith.mulf"),
    ),
    "a shared norm": (
        [W4, Field("p", "shared", ())],
        (lambda p, w, s: (w, s + _norm(p, w)),),
        (SHARED, "p", "state @w[0]", "pointwise.fold"),
    ),
    "a shared vector updated by its own coordinate of a state": (
        [W4, Field("s", "shared", (4,))],
        (lambda p, w, s: (w, _add(p, s, w)),),
        (SHARED, "s[0]", "state @w[0]", "pointwise.map"),
    ),
    "a sample of another coordinate": (
        [Field("w", "state", (3,)), Field("a", "samples", (3, 5))],
        (lambda p, w, a: _add(p, w, _copy(p, a, "2 - i, 4", i=3), i=3),),
        (SEPARABLE, "w[0]", "samples @a[2, 4]", "pointwise.map"),
    ),
    "samples and a scalar": (
        [Field("w", "state", ()), Field("a", "samples", (4,))],
        (lambda p, w, a: w + _norm(p, a),),
        (SEPARABLE, "w", "samples @a[0]", "pointwise.fold"),
    ),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_what_depends_on_another_coordinate_is_refused(case: str) -> None:
    fields, rules, (code, word, read, operation) = REFUSED[case]
    learner = build(fields, *rules)  # pyright: ignore[reportArgumentType]
    violations = explain(learner)
    assert violations
    first = violations[0]
    at = f"[{', '.join(map(str, first.coordinate))}]" if first.coordinate else ""
    assert first.read is not None
    found = (first.code, first.state + at, first.source.word(first.read), first.op.name)
    assert found == (code, word, read, operation)
    with pytest.raises(Refusal) as caught:
        require_separable(learner)
    assert caught.value.code == code
    assert caught.value.place is not None and caught.value.place.file == __file__
