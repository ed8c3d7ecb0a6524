"""Which updates are separable, which aren't, and which operation and coordinate are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from learners.one_round import Field, build
from learners.rebuilt_examples import REBUILT

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.words import Words
from alpha.ir.builder import Program, Value, sqrt
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner, find_learner
from alpha.ir.refusals import Refusal
from alpha.ir.separability import explain, require_separable

LEARNERS = Path(__file__).parents[1] / "learners"
EXAMPLES = Path(__file__).parents[2] / "examples"
SEPARABLE = "pointwise-not-separable"
SHARED = "pointwise-shared-overclaim"


def _learner(path: Path, change: Callable[[str], str] = str) -> Learner:
    text = change(path.read_text())
    module = parse_source(make_context(), text.encode(), str(path))
    verify_module(module)
    return find_learner(module, str(path))


ADMITTED_FILES = [
    *sorted(path for path in EXAMPLES.glob("*.mlir") if "region.learner" in path.read_text()),
    *(LEARNERS / f"{name}.mlir" for name in ("adamw", "rmsprop", "adagrad", "lion", "nesterov")),
    LEARNERS / "clip_by_word.mlir",
]

REFUSED_FILES = {
    "clip_by_norm": ("@w[3]", "mean %g[0]", "%squares = pointwise.fold"),
    "lars": ("@w[3]", "state @w[0]", "%ww = pointwise.fold"),
    "lamb": ("@w[3]", "state @w[0]", "%ww = pointwise.fold"),
    "adafactor": ("@w[0, 1]", "mean %g[0, 0]", "%row_sums = pointwise.fold"),
    "matrix_step": ("@w[0, 1]", "mean %g[0, 0]", "%gram = pointwise.fold"),
    "neighbour": ("@w[0]", "state @w[1]", "%w1 = pointwise.map"),
    "neighbour_slices": ("@w[3]", "state @w[0]", "%d = pointwise.map"),
    "learned_rate": ("@w[0]", "state @rate", "%w1 = pointwise.map"),
}


def test_every_file_is_tested() -> None:
    admitted = {path.stem for path in ADMITTED_FILES}
    assert {path.stem for path in LEARNERS.glob("*.mlir")} <= admitted | set(REFUSED_FILES)


@pytest.mark.parametrize("path", ADMITTED_FILES, ids=lambda path: path.stem)
def test_a_separable_learner_is_admitted(path: Path) -> None:
    learner = _learner(path)
    assert explain(learner) == []
    require_separable(learner)


@pytest.mark.parametrize("name", sorted(REFUSED_FILES))
def test_another_is_refused_with_a_witness_and_a_place(name: str) -> None:
    word, read, operation = REFUSED_FILES[name]
    path = LEARNERS / f"{name}.mlir"
    with pytest.raises(Refusal) as caught:
        require_separable(_learner(path))
    refusal = caught.value
    assert refusal.code == SEPARABLE
    assert refusal.expected.startswith(f"new words of {word} from words of ")
    result, _, kind = operation.partition(" = ")
    assert refusal.found == f"{read} through {kind} ({result})"
    assert refusal.place is not None and refusal.place.file == str(path)
    line = path.read_text().splitlines()[refusal.place.line - 1]
    assert line.strip().startswith(operation)


ADAM = EXAMPLES / "least_squares_adam.mlir"


def test_adam_with_its_second_moment_declared_shared() -> None:
    def overclaim(text: str) -> str:
        return text.replace(
            "@v : tensor<4xf64> = dense<0.0>", "@v : tensor<4xf64> = dense<0.0> {shared}"
        )

    learner = _learner(ADAM, overclaim)
    assert [(v.code, v.state, v.source.word(v.read or ())) for v in explain(learner)] == [
        (SHARED, "v", "mean %g[0]")
    ]
    with pytest.raises(Refusal) as caught:
        require_separable(learner)
    refusal = caught.value
    assert refusal.code == SHARED and "through pointwise.map (%w1, %m1, %v1)" in refusal.found
    assert refusal.place is not None
    line = ADAM.read_text().splitlines()[refusal.place.line - 1]
    assert line.strip() == "%w1, %m1, %v1 = pointwise.map over [i : 4]"


def test_adam_with_powers_that_are_not_declared_shared() -> None:
    learner = _learner(ADAM, lambda text: text.replace(" {shared}", ""))
    found = {(v.code, v.state, v.source.name) for v in explain(learner)}
    assert found == {(SEPARABLE, "w", "b1_power"), (SEPARABLE, "w", "b2_power")}


def test_every_violation_is_a_note() -> None:
    with pytest.raises(Refusal) as caught:
        require_separable(_learner(LEARNERS / "lamb.mlir"))
    notes = [note.message for note in caught.value.notes]
    sources = ("mean %g[0]", "state @m[0]", "state @v[0]")
    assert len(notes) == len(sources)
    for note, source in zip(notes, sources, strict=True):
        assert note.startswith(f"[{SEPARABLE}] expected new words of @w[3] from")
        assert note.endswith(f"found {source} through pointwise.fold (%uu)")
    assert all(note.place is not None for note in caught.value.notes)


def test_the_trust_ratio_of_lamb_differs_by_who_computes_it() -> None:
    def trust(size: int, w: list[float], u: list[float]) -> float:
        def rule(p: Program, ratio: Value, w: Value, u: Value) -> tuple[Value, ...]:
            along = {"i": size}
            norms = [
                sqrt(p.fold("add", "left", [x["i"]], lambda a: a * a, along=along)) for x in (w, u)
            ]
            return norms[0] / norms[1], w

        fields = [Field("ratio", "state", ()), Field("w", "state", (size,))]
        learner = build([*fields, Field("u", "mean", (size,))], rule)
        assert {violation.code for violation in explain(learner)} == {SEPARABLE}
        states = {"ratio": np.array(0.0), "w": np.array(w)}
        words = LearnerWords(states, {}, {"u": [np.array([u])]})
        interpreter = LearnerInterpreter(learner, words, Words())
        interpreter.step()
        return float(interpreter.state["ratio"])

    assert trust(2, [3.0, 4.0], [1.0, 2.0]) == 2.23606797749979
    assert [trust(1, [3.0], [1.0]), trust(1, [4.0], [2.0])] == [3.0, 2.0]


def test_what_python_builds_is_analysed_as_the_text_is() -> None:
    for build_example in REBUILT.values():
        learner = find_learner(build_example().module(), "built")
        assert explain(learner) == []
