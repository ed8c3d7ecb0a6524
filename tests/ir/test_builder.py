"""The builder gives the IR that the text gives, and refuses what the text would be refused for."""

from __future__ import annotations

import textwrap
from pathlib import Path

import numpy as np
import pytest
from learners.rebuilt_examples import REBUILT
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute

import alpha.ir.builder as builder_module
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
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import inline_words, resolve
from alpha.ir.learners import find_learner

EXAMPLES = Path(__file__).parents[2] / "examples"
Values = tuple[Value, ...]


def _parsed(text: str, name: str = "text.mlir") -> ModuleOp:
    module = parse_source(make_context(), text.encode(), name)
    verify_module(module)
    return module


def _without_names(module: ModuleOp) -> str:
    """The printed text, in which values have numbers."""
    copy = module.clone()
    for op in copy.walk():
        values = [*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)]
        for value in values:
            value.name_hint = None
    return print_module(copy)


def _digests(module: ModuleOp) -> tuple[str, dict[str, str]]:
    learner = find_learner(module, "learner")
    parts = learner_parts(learner, resolve(learner, EXAMPLES))
    return learner_digest(parts), parts


def test_every_example_is_rebuilt() -> None:
    # A distribution that is written by hand is one of a learner, which isn't built in Python.
    texts = {path.name: path.read_text() for path in EXAMPLES.glob("*.mlir")}
    learners = {name for name, text in texts.items() if "region.learner" in text}
    by_hand = {name for name, text in texts.items() if "shard.learner" in text}
    assert set(REBUILT) == learners - by_hand


@pytest.mark.parametrize("name", sorted(REBUILT))
def test_an_example_is_rebuilt_to_the_bit(name: str) -> None:
    text = _parsed((EXAMPLES / name).read_text(), name)
    built = REBUILT[name]().module()
    assert built.is_structurally_equivalent(text)
    assert _without_names(built) == _without_names(text)
    assert _digests(built) == _digests(text)
    again = _parsed(print_module(built))
    assert again.is_structurally_equivalent(text)


def _descent(
    *,
    rate: float = 0.1,
    factor: float = 2.0,
    start: object = 0.0,
    order: str = "left",
    index: str = "i",
    shared: bool = False,
    groups: list[int] | None = None,
    owners: int | None = None,
) -> ModuleOp:
    learner = LearnerBuilder("descent", owners=owners)
    learner.state("w", tensor(2), start)
    learner.state("n", f64, 1.0, shared=shared)
    learner.constant("rate", f64, rate)
    learner.samples("data", 3, [tensor(2)], [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]])

    @learner.contribution([tensor(2)], [tensor(2)], observed=["pull"])
    def pull(p: Program, w: Value, x: Value) -> Values:
        g = p.map([w["i"], x[index]], lambda wi, xi: factor * (wi - xi), over={"i": 2})
        return g, p.fold("add", order, [g["i"]], lambda gi: gi, along={"i": 2})

    @learner.update([tensor(2), tensor(2), f64, f64])
    def step(p: Program, w: Value, g: Value, rate: Value, n: Value) -> Values:
        new = p.map([w["i"], g["i"], rate], lambda wi, gi, r: wi - r * gi, over={"i": 2})
        return new, n + 1.0

    @learner.round
    def descend(r: Round) -> None:
        w, rate, n = r.read("w", "rate", "n")
        total, count = r.sum("pull", [w], over="data", groups=groups)
        w1, n1 = r.apply("step", [w, r.mean(total, count), rate, n])
        r.advance(w=w1, n=n1)

    return learner.module()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"rate": 0.10000000000000002}, "constant rate"),
        ({"factor": 3.0}, "contribution pull"),
        ({"start": [0.0, -0.0]}, "state w"),
        ({"order": "pairs"}, "contribution pull"),
        ({"order": "lanes<2>"}, "contribution pull"),
        ({"index": "1 - i"}, "contribution pull"),
        ({"shared": True}, "state n"),
    ],
)
def test_a_change_is_noticed(change: dict, part: str) -> None:
    before, after = _descent(), _descent(**change)
    assert not before.is_structurally_equivalent(after)
    assert _without_names(before) != _without_names(after)
    old, new = _digests(before)[1], _digests(after)[1]
    assert [name for name in old if old[name] != new[name]] == [part]
    assert _digests(before)[0] != _digests(after)[0]


@pytest.mark.parametrize("change", [{"groups": [1, 2]}, {"groups": [0, 3]}, {"owners": 2}])
def test_owners_and_contract_change_the_module_and_not_the_digest(change: dict) -> None:
    assert not _descent().is_structurally_equivalent(_descent(**change))
    assert _digests(_descent()) == _digests(_descent(**change))


def test_modules_are_built_anew() -> None:
    learner = REBUILT["least_squares_sgd.mlir"]()
    first, second = learner.module(), learner.module()
    assert first is not second and first.is_structurally_equivalent(second)


def test_the_example_of_the_documentation_is_a_learner() -> None:
    text = textwrap.dedent(str(builder_module.__doc__).split("\n\n", 2)[2])
    names = dict(vars(builder_module))
    exec(compile(text, "documentation", "exec"), names)
    assert find_learner(names["module"], "documentation").name == "descent"


def _scalars(p: Program, a: Value, b: Value) -> Values:
    c = (a + b) * (a - b) / -a
    d = 1.0 - (2.0 + a) * 3.0
    e = sqrt(abs(c)) + absf(copysign(d, -1.0)) * exp(log(tanh(sigmoid(d))))
    f = fma(a, 0.5, e)
    g = minimum(f, 0.0) + maximum(1.0, f)
    h = select(a < b, g, f) + select(a <= b, 1.0, g) + select(a > 0.0, g, 1.0)
    return h, select(compare("une", a, b), a, b), 2.0 * h, h / 4.0, 1.0 / h, select(a >= b, a, b)


SCALARS = """
region.learner @scalars {
  region.state @a : T = 1.0
  region.state @b : T = 2.0
  pointwise.update @_scalars(%a : T, %b : T) -> (T, T, T, T, T, T) {
    %1 = arith.addf %a, %b : T
    %2 = arith.subf %a, %b : T
    %3 = arith.mulf %1, %2 : T
    %4 = arith.negf %a : T
    %c = arith.divf %3, %4 : T
    %two = arith.constant 2.0 : T
    %5 = arith.addf %two, %a : T
    %three = arith.constant 3.0 : T
    %6 = arith.mulf %5, %three : T
    %one = arith.constant 1.0 : T
    %d = arith.subf %one, %6 : T
    %7 = math.absf %c : T
    %8 = math.sqrt %7 : T
    %minus = arith.constant -1.0 : T
    %9 = math.copysign %d, %minus : T
    %10 = math.absf %9 : T
    %s = pointwise.sigmoid %d : T
    %t = math.tanh %s : T
    %l = math.log %t : T
    %x = math.exp %l : T
    %scaled = arith.mulf %10, %x : T
    %e = arith.addf %8, %scaled : T
    %half = arith.constant 0.5 : T
    %f = math.fma %a, %half, %e : T
    %zero = arith.constant 0.0 : T
    %11 = pointwise.min %f, %zero : T
    %again = arith.constant 1.0 : T
    %12 = pointwise.max %again, %f : T
    %g = arith.addf %11, %12 : T
    %13 = arith.cmpf olt, %a, %b : T
    %14 = arith.select %13, %g, %f : T
    %15 = arith.cmpf ole, %a, %b : T
    %16 = arith.constant 1.0 : T
    %17 = arith.select %15, %16, %g : T
    %18 = arith.addf %14, %17 : T
    %19 = arith.constant 0.0 : T
    %20 = arith.cmpf ogt, %a, %19 : T
    %21 = arith.constant 1.0 : T
    %22 = arith.select %20, %g, %21 : T
    %h = arith.addf %18, %22 : T
    %23 = arith.cmpf une, %a, %b : T
    %24 = arith.select %23, %a, %b : T
    %25 = arith.constant 2.0 : T
    %26 = arith.mulf %25, %h : T
    %27 = arith.constant 4.0 : T
    %28 = arith.divf %h, %27 : T
    %29 = arith.constant 1.0 : T
    %30 = arith.divf %29, %h : T
    %31 = arith.cmpf oge, %a, %b : T
    %32 = arith.select %31, %a, %b : T
    pointwise.return %h, %24, %26, %28, %30, %32
  }
  region.round {
    %a, %b = region.read @a, @b : T, T
    %1, %2, %3, %4, %5, %6 = pointwise.apply @_scalars(%a, %b) : T, T, T, T, T, T
    region.advance @a = %1, @b = %2
  }
}
"""


@pytest.mark.parametrize(("name", "type"), [("f64", f64), ("f32", f32)])
def test_every_scalar_operation(name: str, type: Attribute) -> None:
    learner = LearnerBuilder("scalars")
    learner.state("a", type, 1.0)
    learner.state("b", type, 2.0)
    learner.update([type, type])(_scalars)

    @learner.round
    def advance(r: Round) -> None:
        first, second, *_ = r.apply("_scalars", list(r.read("a", "b")))
        r.advance(a=first, b=second)

    text = _parsed(SCALARS.replace(": T", f": {name}").replace("T", name))
    assert _without_names(learner.module()) == _without_names(text)


def _state(type: Attribute, initial: object, **flags: object) -> ModuleOp:
    learner = LearnerBuilder("one")
    learner.state("w", type, initial, **flags)  # pyright: ignore[reportArgumentType]
    learner.update([type], name="keep")(lambda p, w: w)

    @learner.round
    def keep(r: Round) -> None:
        r.advance(w=r.apply("keep", [r.read("w")]))

    return learner.module()


ROWS = [[0.1, -2.0, 3.5], [1e300, 5e-324, -0.0]]
IDENTITY = (
    '#region.identity<schema = "s", field = "w", domain = stride(0, 1, 6), '
    "representation = f64, version = 0>"
)


@pytest.mark.parametrize(
    ("type", "initial"),
    [
        (tensor(2, 3), ROWS),
        (tensor(2, 3), tuple(tuple(row) for row in ROWS)),
        (tensor(2, 3), np.array(ROWS)),
        (tensor(2, 3), np.array(ROWS).T.copy().T),
        (tensor(2, 3, element=f32), np.array([[0.1, 2, 3], [4, 5, 6]], np.float32)),
        (tensor(2, 3), [[1, 2, 3], [4, 5, 6]]),
        (tensor(0), []),
        (tensor(0, 3), np.zeros((0, 3))),
        (tensor(2, 0), np.zeros((2, 0))),
        (tensor(1 << 20), 0.1),
        (tensor(1 << 20, element=f32), 0.1),
        (tensor(2), [0.1, 0.1]),
        (f64, 0.1),
        (f64, np.float64(0.1)),
        (f32, 0.1),
        (tensor(), 3),
    ],
)
def test_initial_words(type: Attribute, initial: object) -> None:
    module = _state(type, initial)
    state = find_learner(module, "one").states["w"]
    words = inline_words(state.initial, state.type)
    wanted = np.broadcast_to(np.asarray(initial, words.dtype), words.shape)
    assert words.tobytes() == wanted.tobytes()
    assert _parsed(print_module(module)).is_structurally_equivalent(module)
    assert len(print_module(module)) < 1000


def test_files_and_identities_are_those_of_the_text() -> None:
    texts = {
        'from "w.npy"': _state(tensor(6), file("w.npy")),
        'from "all.safetensors"["w"]': _state(tensor(6), file("all.safetensors", "w")),
        f"= dense<0.0> {{identity = {IDENTITY}}}": _state(tensor(6), 0.0, identity=IDENTITY),
        "= dense<0.0> {shared}": _state(tensor(6), 0.0, shared=True),
    }
    for value, built in texts.items():
        text = f"""
        region.learner @one {{
          region.state @w : tensor<6xf64> {value}
          pointwise.update @keep(%w : tensor<6xf64>) -> (tensor<6xf64>) {{
            pointwise.return %w
          }}
          region.round {{
            %w = region.read @w : tensor<6xf64>
            %w1 = pointwise.apply @keep(%w) : tensor<6xf64>
            region.advance @w = %w1
          }}
        }}
        """
        assert _parsed(text).is_structurally_equivalent(built)
