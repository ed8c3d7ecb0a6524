"""What is built wrongly is refused, at the place in Python that made it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Attribute

from alpha.ir.builder import (
    LearnerBuilder,
    Program,
    Round,
    Value,
    compare,
    f32,
    f64,
    file,
    select,
    sqrt,
    tensor,
)
from alpha.ir.refusals import TABLE, Refusal

IDENTITY = (
    '#region.identity<schema = "s", field = "w", domain = stride(0, 1, 6), '
    "representation = f64, version = 0>"
)


def _state(type: Attribute, initial: object, **flags: object) -> ModuleOp:
    learner = LearnerBuilder("one")
    learner.state("w", type, initial, **flags)  # pyright: ignore[reportArgumentType]
    learner.update([type], name="keep")(lambda p, w: w)

    @learner.round
    def keep(r: Round) -> None:
        r.advance(w=r.apply("keep", [r.read("w")]))

    return learner.module()


def _update(rule: Callable[..., object], count: int = 2) -> ModuleOp:
    """A learner whose update is a rule of `count` tensors of 4 words and one scalar."""
    learner = LearnerBuilder("wrong")
    names = [f"w{number}" for number in range(count)]
    for name in names:
        learner.state(name, tensor(4), 0.0)
    learner.constant("rate", f64, 0.1)
    learner.update([*[tensor(4)] * count, f64], name="step")(rule)

    @learner.round
    def step(r: Round) -> None:
        words = r.read(*names, "rate")
        r.advance(w0=r.apply("step", list(words)))

    return learner.module()


def _round(rule: Callable[[Round], None], **given: object) -> ModuleOp:
    learner = LearnerBuilder("wrong", **given)  # pyright: ignore[reportArgumentType]
    learner.state("w", tensor(4), 0.0)
    learner.samples("data", 2, [tensor(4)], [[[0.0] * 4, [1.0] * 4]])
    learner.samples("other", 2, [tensor(4)], [[[0.0] * 4, [1.0] * 4]])
    learner.contribution([tensor(4)], [tensor(4)], name="pull")(lambda p, w, x: x)
    learner.update([tensor(4), tensor(4)], name="step")(lambda p, w, g: g)
    learner.round(rule)
    return learner.module()


def _advance_twice(r: Round) -> None:
    w = r.read("w")
    r.advance(w=r.apply("step", [w, w]))
    r.advance(w=r.apply("step", [w, w]))


def _sum_of_update(r: Round) -> None:
    r.sum("step", [r.read("w")] * 2, "data")


def _whole(r: Round, **contract: object) -> None:
    w = r.read("w")
    total, count = r.sum("pull", [w], "data", **contract)  # pyright: ignore[reportArgumentType]
    r.advance(w=r.apply("step", [w, r.mean(total, count)]))


def _other_count(r: Round) -> None:
    w = r.read("w")
    total, _ = r.sum("pull", [w], "data")
    _, count = r.sum("pull", [w], "other")
    r.advance(w=r.apply("step", [w, r.mean(total, count)]))


def _map(rule: Callable[..., Value], index: str = "i", extent: int = 4) -> ModuleOp:
    return _update(lambda p, w, g, r: p.map([w[index], g["i"]], rule, over={"i": extent}))


def _fold(kind: str, order: str, **axes: dict[str, int]) -> ModuleOp:
    return _update(lambda p, w, g, r: p.fold(kind, order, [w["i"]], lambda wi: wi, **axes))


def _samples(count: int, sources: list[object]) -> None:
    LearnerBuilder("wrong").samples("data", count, [tensor(2), f64], sources)


REFUSED: dict[str, tuple[Callable[[], object], str, str]] = {
    "a value from outside the body, on the left": (
        lambda: _update(lambda p, w, g, r: p.map([w["i"]], lambda wi: r * wi, over={"i": 4})),
        "pointwise-footprint",
        "a value from outside the body",
    ),
    "a value from outside the body, on the right": (
        lambda: _update(lambda p, w, g, r: p.map([w["i"]], lambda wi: wi * r, over={"i": 4})),
        "pointwise-footprint",
        "a value from outside the body",
    ),
    "an index outside": (lambda: _map(lambda a, b: a, "i + 1"), "pointwise-footprint", "[4]"),
    "an index of two axes": (lambda: _map(lambda a, b: a, "i, i"), "pointwise-domain", "2 ind"),
    "an unknown axis": (lambda: _map(lambda a, b: a, "j"), "pointwise-domain", "'j'"),
    "two indices in one": (lambda: _map(lambda a, b: a, "i], [i"), "source-syntax", "the end"),
    "an extent below 0": (lambda: _map(lambda a, b: a, "i", -1), "pointwise-domain", "-1"),
    "another extent": (lambda: _map(lambda a, b: a, "i", 3), "pointwise-type", "tensor<3xf64>"),
    "arithmetic on tensors": (
        lambda: _update(lambda p, w, g, r: w + g),
        "pointwise-type",
        "tensor<4xf64>",
    ),
    "a branch": (
        lambda: _map(lambda a, b: a if a > b else b),
        "pointwise-type",
        "select(condition, a, b)",
    ),
    "a number as result": (lambda: _update(lambda p, w, g, r: 1.0), "pointwise-type", "1.0"),
    "nothing as result": (lambda: _update(lambda p, w, g, r: None), "pointwise-type", "None"),
    "numbers alone": (lambda: sqrt(2.0), "pointwise-type", "numbers alone"),  # pyright: ignore
    "a predicate": (
        lambda: _map(lambda a, b: select(compare("less", a, b), a, b)),
        "pointwise-type",
        "less",
    ),
    "a truth as result": (lambda: _map(lambda a, b: a < b), "pointwise-type", "i1"),
    "a word out of range": (lambda: _state(f32, 1e39), "source-syntax", "1e+39"),
    "a word that isn't finite": (lambda: _state(f64, float("inf")), "numeric-nonfinite", "inf"),
    "too few words": (lambda: _state(tensor(4), [1.0, 2.0]), "region-domain", "2 words"),
    "too few equal words": (lambda: _state(tensor(4), [1.0, 1.0]), "region-domain", "2 words"),
    "words for a scalar": (lambda: _state(f64, [1.0]), "region-domain", "1 words"),
    "rows of two lengths": (lambda: _state(tensor(3), [[1.0], [1.0, 2.0]]), "region-domain", "[1]"),
    "a type without words": (lambda: _state(i64, 1.0), "pointwise-type", "i64"),
    "a file of another kind": (lambda: file("w.csv"), "region-data-file", "w.csv"),
    "a source too many": (
        lambda: _samples(2, [0.0, 0.0, 0.0]),
        "region-samples-components",
        "found 3",
    ),
    "an order of six lanes": (
        lambda: _fold("add", "lanes<6>", along={"i": 4}),
        "pointwise-fold-lanes",
        "6",
    ),
    "an unknown order": (lambda: _fold("add", "right", along={"i": 4}), "source-syntax", "right"),
    "an unknown fold": (lambda: _fold("mul", "left", along={"i": 4}), "pointwise-type", "mul"),
    "no axis to reduce": (
        lambda: _fold("add", "left", along={}, over={"i": 4}),
        "pointwise-domain",
        "at least 1 axis to reduce along",
    ),
    "one axis twice": (
        lambda: _fold("add", "left", along={"i": 4}, over={"i": 4}),
        "pointwise-domain",
        "i, i",
    ),
    "an unknown state": (lambda: _round(lambda r: r.read("v")), "region-symbol-unknown", "@v"),
    "a program as state": (
        lambda: _round(lambda r: r.read("step")),
        "region-symbol-unknown",
        "@step",
    ),
    "an update as contribution": (
        lambda: _round(_sum_of_update),
        "region-symbol-unknown",
        "@step",
    ),
    "unknown samples": (
        lambda: _round(lambda r: r.advance(w=r.sum("pull", [r.read("w")], "rows")[0])),
        "region-symbol-unknown",
        "@rows",
    ),
    "an argument too few": (
        lambda: _round(lambda r: r.advance(w=r.apply("step", [r.read("w")]))),
        "pointwise-type",
        "(tensor<4xf64>)",
    ),
    "another state's name": (
        lambda: _round(lambda r: r.advance(v=r.apply("step", [r.read("w")] * 2))),
        "region-symbol-unknown",
        "@v",
    ),
    "no end": (lambda: _round(lambda r: r.read("w")), "source-structure", "region.read"),
    "two ends": (lambda: _round(_advance_twice), "source-structure", "region.advance"),
    "another count": (lambda: _round(_other_count), "pointwise-type", "@other"),
    "a contract of other samples": (
        lambda: _round(lambda r: _whole(r, groups=[1, 2])),
        "region-contract-groups",
        "3",
    ),
    "a combination": (
        lambda: _round(lambda r: _whole(r, groups=[2], combine="right")),
        "source-syntax",
        "right",
    ),
    "owners of other samples": (
        lambda: _round(_whole, owners=2, samples=[1, 2]),
        "region-contract-groups",
        "3",
    ),
    "three in a pair": (
        lambda: _round(_whole, owners=3, topology="pair"),
        "shard-owner-range",
        "3",
    ),
    "a topology": (lambda: _round(_whole, owners=3, topology="ring"), "source-syntax", "ring"),
    "no round": (lambda: LearnerBuilder("empty").module(), "region-round-count", "0"),
    "an identity of another field": (
        lambda: _state(tensor(6), 0.0, identity=IDENTITY.replace('"w"', '"v"')),
        "region-identity",
        "'v'",
    ),
    "an attribute that ends early": (
        lambda: _state(tensor(6), 0.0, identity="#region.identity<"),
        "source-syntax",
        "#region.identity<",
    ),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_what_is_built_wrongly_is_refused(case: str) -> None:
    build, code, words = REFUSED[case]
    with pytest.raises(Refusal) as caught:
        build()
    refusal = caught.value
    assert (refusal.code, words in refusal.message) == (code, True), refusal.message
    assert code in TABLE
    assert refusal.place is not None and refusal.place.file == __file__, refusal.place


def test_a_refusal_has_the_place_in_python() -> None:
    def rule(p: Program, w: Value, g: Value, r: Value) -> Value:
        return p.map(
            [w["i"], g["i"]],
            lambda a, b: a + r * b,
            over={"i": 4},
        )

    with pytest.raises(Refusal) as caught:
        _update(rule)
    place = caught.value.place
    assert place is not None
    line = Path(__file__).read_text().splitlines()[place.line - 1]
    assert line[place.column - 1 :].startswith("r * b")
