"""No argument of the builder, of whatever kind, ends in an error of Python's or goes unheard."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, i64

from alpha.ir.builder import (
    LearnerBuilder,
    Program,
    Round,
    Value,
    absf,
    compare,
    copysign,
    exp,
    f32,
    f64,
    file,
    fma,
    log,
    maximum,
    minimum,
    select,
    sigmoid,
    sqrt,
    tanh,
    tensor,
)
from alpha.ir.refusals import TABLE, Refusal

Rule = Callable[..., object]


def _scalars(rule: Rule) -> ModuleOp:
    """A learner whose update is a rule of two scalars."""
    learner = LearnerBuilder("two")
    learner.state("a", f64, 1.0)
    learner.state("b", f64, 2.0)
    learner.update([f64, f64], name="step")(lambda p, a, b: rule(a, b))
    learner.round(lambda r: r.advance(a=r.apply("step", list(r.read("a", "b")))))
    return learner.module()


def _tensors(rule: Rule) -> ModuleOp:
    """A learner whose update is a rule of its program and two tensors of 4 words."""
    learner = LearnerBuilder("two")
    learner.state("w", tensor(4), 1.0)
    learner.update([tensor(4), tensor(4)], name="step")(rule)
    learner.round(lambda r: r.advance(w=r.apply("step", [r.read("w")] * 2)))
    return learner.module()


def _round(rule: Callable[[Round], object]) -> ModuleOp:
    learner = LearnerBuilder("one", owners=2)
    learner.state("w", f64, 1.0)
    learner.samples("data", 2, [f64], [[1.0, 2.0]])
    learner.contribution([f64], [f64], name="pull")(lambda p, w, x: w - x)
    learner.update([f64, f64], name="step")(lambda p, w, g: w - g)
    learner.round(rule)  # pyright: ignore[reportArgumentType]
    return learner.module()


def _refused(build: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        build()
    assert caught.value.code in TABLE
    place = caught.value.place
    assert place is not None and place.file == __file__, place
    return caught.value


COMPARED: dict[str, tuple[Rule, str]] = {
    "equal to a number": (lambda a, b: a if b == 0.0 else a - b, 'compare("oeq", a, b)'),
    "equal to a value": (lambda a, b: a if a == b else b, 'compare("oeq", a, b)'),
    "a number equal to it": (lambda a, b: a if 0.0 == b else b, 'compare("oeq", a, b)'),  # noqa: SIM300
    "equal to itself": (lambda a, b: a if a == a else b, 'compare("oeq", a, b)'),
    "equal to a word of numpy": (lambda a, b: a if np.float64(0) == b else b, "oeq"),
    "equal to nothing": (lambda a, b: a if a == None else b, 'compare("oeq", a, b)'),  # noqa: E711
    "unequal to a number": (lambda a, b: a if b != 0.0 else a - b, 'compare("une", a, b)'),
    "one of some numbers": (lambda a, b: a if b in (0.0, 1.0) else b, 'compare("oeq", a, b)'),
    "one of some values": (lambda a, b: a if b in [a] else b, 'compare("oeq", a, b)'),
    "in a value": (lambda a, b: a if 0.0 in b else b, 'compare("oeq", a, b)'),
    "greater": (lambda a, b: a if a > b else b, "select(condition, a, b)"),
    "a truth": (lambda a, b: a if b else b, "select(condition, a, b)"),
    "not": (lambda a, b: a * (not b), "select(condition, a, b)"),
    "and": (lambda a, b: a and b, "select(condition, a, b)"),
    "bool()": (lambda a, b: a * bool(b), "select(condition, a, b)"),
    "Python's maximum": (lambda a, b: max(a, b), "select(condition, a, b)"),
    "a chain": (lambda a, b: a < b < 1.0, "select(condition, a, b)"),
}


@pytest.mark.parametrize("case", sorted(COMPARED))
def test_a_question_that_python_would_answer_is_refused(case: str) -> None:
    rule, hint = COMPARED[case]
    assert hint in _refused(lambda: _scalars(rule)).message


OPERATORS: list[Rule] = [
    *(operator.pow, operator.mod, operator.floordiv, operator.matmul, divmod),
    *(operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift),
    *(lambda a, b, call=call: call(a) for call in (float, int, complex, len, iter, list, tuple)),
    *(lambda a, b, call=call: call(a) for call in (round, sum, set, bytes, reversed, hex)),
    *(lambda a, b, call=call: call(a) for call in (operator.invert, operator.pos, math.sqrt)),
    *(lambda a, b: [-each for each in a], lambda a, b: a(b), lambda a, b: 2.0**a),
    *(lambda a, b: np.array([1.0, 2.0]) * a, lambda a, b: a * np.array([1.0, 2.0])),
    *(lambda a, b: a["i"] * b, lambda a, b: a + b["i"], lambda a, b: a["i"]["j"]),
    *(lambda a, b: -a["i"], lambda a, b: a["i"] == b, lambda a, b: a["i"] in (1.0, 2.0)),
    *(lambda a, b: a + "1.0", lambda a, b: a * None, lambda a, b: [1.0] * a),
]


@pytest.mark.parametrize("rule", OPERATORS, ids=range(len(OPERATORS)))
def test_an_operator_that_no_program_has_is_refused(rule: Rule) -> None:
    _refused(lambda: _scalars(rule))


def test_values_are_keys_by_identity() -> None:
    def rule(a: Value, b: Value) -> Value:
        names = {a: "a", b: "b"}
        assert (names[a], names[b], len({a, b, a})) == ("a", "b", 2)
        return a + b

    _scalars(rule)


def test_numbers_of_every_kind_are_numbers() -> None:
    for number in (2, 2.0, np.float32(2), np.float64(2), np.int64(2), Fraction(2)):
        for rule in (lambda a, b, n=number: n * a, lambda a, b, n=number: a * n):
            assert "2.0" in str(_scalars(rule))


SAID: dict[str, tuple[Callable[[], object], str]] = {
    "a type as a text": (lambda: LearnerBuilder("a").state("w", "f64", 0.0), "the text 'f64'"),  # pyright: ignore
    "an element as a text": (lambda: tensor(4, element="f32"), "the text 'f32'"),  # pyright: ignore
    "a shape as a tuple": (lambda: tensor((2, 3)), "a tuple of 2"),  # pyright: ignore
    "a type of an argument": (
        lambda: LearnerBuilder("a").update(["f64"]),  # pyright: ignore
        "the text 'f64'",
    ),
    "a number to advance": (lambda: _round(lambda r: r.advance(q=1)), "found 1"),  # pyright: ignore
    "nothing to advance": (lambda: _round(lambda r: r.advance(w=None)), "found None"),  # pyright: ignore
    "a decorator without its types": (
        lambda: LearnerBuilder("a").update(_round),  # pyright: ignore
        "the function _round",
    ),
    "a body of too many": (
        lambda: _tensors(lambda p, w, g: p.map([w["i"]], lambda a, b: a, over={"i": 4})),
        "takes 1 argument as",
    ),
    "an input alone": (
        lambda: _tensors(lambda p, w, g: p.map(w["i"], lambda a: a, over={"i": 4})),
        "a list as the inputs",
    ),
    "an argument alone": (
        lambda: _round(lambda r: r.advance(w=r.apply("step", r.read("w")))),
        "a list as arguments",
    ),
    "a rule without a name": (
        lambda: LearnerBuilder("a").update([f64])(lambda p, w: w),
        "name = ... for an update",
    ),
    "samples of no owners": (lambda: LearnerBuilder("a", samples=[1, 2]), "owners"),
    "one observed name": (
        lambda: LearnerBuilder("a").contribution([f64], [f64], observed="loss"),
        "the text 'loss'",
    ),
}


@pytest.mark.parametrize("case", sorted(SAID))
def test_what_was_given_is_said(case: str) -> None:
    build, words = SAID[case]
    assert words in _refused(build).message


JUNK: list[object] = [
    *(None, True, 3, -1, 1.5, 1j, "f64", "", "a b", b"x", float("nan"), 1 << 70),
    *([], [None], ["i"], [[1.0], 2.0], (1, 2), {}, {"i": "4"}, {3: 4}, {"i": 1.5}, {1, 2}),
    *(f64, i64, tensor(2), [f64, "f64"], [tensor(2)], object(), range(3), Path("w.npy")),
    *(lambda: None, lambda *_: None, max, int, np.zeros(2), np.zeros((2, 2)), np.array("x")),
    *(np.float64(1.0), np.array(1.0), ModuleOp([]), Fraction(1, 3)),
]


def _calls() -> dict[str, tuple[Callable[..., object], dict[str, object]]]:
    """Every entry of the builder that is called outside a body, with arguments that are right."""
    one: dict[str, object] = {"name": "w", "type": f64, "initial": 0.0}
    make = LearnerBuilder
    return {
        "LearnerBuilder": (
            make,
            {"name": "a", "owners": 2, "topology": "star", "samples": [1, 2]},
        ),
        "tensor": (
            lambda size, element: tensor(2, size, element=element),
            {"size": 2, "element": f32},
        ),
        "file": (file, {"path": "w.npy", "key": ""}),
        "state": (
            lambda **given: make("a").state(**given),
            {**one, "shared": False, "identity": None},
        ),
        "constant": (lambda **given: make("a").constant(**given), one),
        "samples": (
            lambda **given: make("a").samples(**given),
            {"name": "d", "count": 2, "types": [f64], "sources": [[1.0, 2.0]]},
        ),
        "contribution": (
            lambda rule, **given: make("a").contribution(**given)(rule),
            {
                "parameters": [f64],
                "sample": [f64],
                "observed": [],
                "name": "f",
                "rule": lambda p, a, b: a,
            },
        ),
        "update": (
            lambda rule, **given: make("a").update(**given)(rule),
            {"arguments": [f64], "name": "f", "rule": lambda p, a: a},
        ),
        "round": (lambda rule: make("a").round(rule), {"rule": lambda r: None}),
    }


def _inside() -> dict[str, tuple[Callable[..., object], dict[str, object]]]:
    """Every entry that is called in a body."""

    def program(call: Callable[..., Any]) -> Callable[..., object]:
        return lambda **given: _tensors(lambda p, w, g: call(p, w, g, **given))

    def round(call: Callable[..., Any]) -> Callable[..., object]:
        return lambda **given: _round(lambda r: r.advance(w=call(r, **given)))

    def scalar(call: Callable[..., Any]) -> Callable[..., object]:
        return lambda **given: _scalars(lambda a, b: call(a, b, **given))

    def folded(p: Program, w: Value, g: Value, **given: Any) -> object:
        total = p.fold(**{"inputs": [w["i"]], **given})
        return p.map([w["i"], total], lambda a, b: a * b, over={"i": 4})

    body = {"body": lambda a: a}
    return {
        "map": (
            program(lambda p, w, g, **given: p.map([w["i"]], **given)),
            {**body, "over": {"i": 4}},
        ),
        "inputs": (program(lambda p, w, g, x: p.map(x, lambda a: a, over={"i": 4})), {"x": []}),
        "input": (program(lambda p, w, g, x: p.map([x], lambda a: a, over={"i": 4})), {"x": 1}),
        "index": (
            program(lambda p, w, g, x: p.map([w[x]], lambda a: a, over={"i": 4})),
            {"x": "i"},
        ),
        "fold": (
            program(folded),
            {**body, "kind": "add", "order": "left", "along": {"i": 4}, "over": None},
        ),
        "constant": (scalar(lambda a, b, value: a * a.constant(value)), {"value": 2.0}),
        "type": (program(lambda p, w, g, type: [p.constant(1.0, type), w][1]), {"type": f64}),
        "operand": (scalar(lambda a, b, x: a + x), {"x": 1.0}),
        "left": (scalar(lambda a, b, x: x - a), {"x": 1.0}),
        "result": (scalar(lambda a, b, x: x), {"x": 1.0}),
        "compare": (
            scalar(lambda a, b, predicate, x: select(compare(predicate, a, x), a, b)),
            {"predicate": "oeq", "x": 1.0},
        ),
        "select": (
            scalar(lambda a, b, c, x, y: select(c, x, y)),
            {"c": True, "x": 1.0, "y": 1.0},
        ),
        **{
            call.__name__: (scalar(lambda a, b, x, call=call: call(x, b)), {"x": 1.0})
            for call in (copysign, maximum, minimum)
        },
        **{
            call.__name__: (scalar(lambda a, b, x, call=call: call(x)), {"x": 1.0})
            for call in (absf, exp, log, sigmoid, sqrt, tanh)
        },
        "fma": (scalar(lambda a, b, x, y: fma(a, x, y)), {"x": 1.0, "y": 2.0}),
        "read": (round(lambda r, name: r.read(name)), {"name": "w"}),
        "sum": (
            round(lambda r, **given: r.sum(**{"arguments": [r.read("w")], **given})[0]),
            {"contribution": "pull", "over": "data", "groups": [1, 1], "combine": "left"},
        ),
        "arguments": (round(lambda r, x: r.sum("pull", x, "data")[0]), {"x": []}),
        "total": (round(lambda r, x: r.mean(x, x)), {"x": 1.0}),
        "apply": (
            round(lambda r, update: r.apply(update, [r.read("w"), r.read("w")])),
            {"update": "step"},
        ),
        "advance": (round(lambda r, x: x), {"x": 1.0}),
    }


ENTRIES = {**_calls(), **{f"in a body: {name}": call for name, call in _inside().items()}}


@pytest.mark.parametrize("entry", sorted(ENTRIES))
def test_junk_is_refused_or_right(entry: str) -> None:
    """Whatever stands in the place of one argument, the builder builds, or refuses with a place."""
    call, given = ENTRIES[entry]
    for name in given:
        for junk in JUNK:
            try:
                call(**{**given, name: junk})
            except Refusal as refusal:
                assert refusal.place is not None, (name, junk)
                assert refusal.place.file == __file__, (name, junk, refusal.place)
                assert "{" not in refusal.expected.replace("{'i': 4}", ""), refusal.message
                assert refusal.code in TABLE
            except Exception as error:
                raise AssertionError(f"{entry}: {name} = {junk!r}") from error
