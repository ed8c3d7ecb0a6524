"""Learners on every target, against the interpreter of programs: the examples, and functions.

Inputs lie at odd addresses; a share of the words are special ones. Each program runs on several
numbers of samples or coordinates, none among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from code_level.running import Case, case, differences, parsed, programs_of, varies, words_maker
from selection.compiled import ARM, BASELINES, TARGETS, Target, compile_text

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.interpreters.words import Words

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
COUNTS = (0, 3, 17)

FUNCTION = """pointwise.update @apply(%a : {t}, %b : {t}) -> ({t}, {e}) {{
  %r = pointwise.map over [i : 8] (%x = %a[i], %y = %b[i]) {{
    %u = {function} %x : {e}
    %w = arith.mulf %u, %y : {e}
    pointwise.yield %w
  }} : {t}
  %s = pointwise.fold add lanes<4> along [i : 8] (%x = %a[i]) {{
    %u = {function} %x : {e}
    pointwise.yield %u
  }} : {e}
  pointwise.return %r, %s
}}
"""
"""A function of words, and of the lanes of a fold."""


def _cases(text: str) -> list[Case]:
    found: list[Case] = []
    for program in programs_of(parsed(text)):
        for count in COUNTS if varies(program) else COUNTS[:1]:
            special = 0.2 if count % 3 == 0 else 0.0
            found.append(case(program, count, Words(), words_maker(count, special)))
    return found


def _differences(text: str, cases: Sequence[Case], target: Target) -> list[str]:
    calls = [
        Call(
            each.name,
            [
                *(Buffer(words, offset=4) for words in (*each.arguments, *each.results())),
                *each.extents,
            ],
        )
        for each in cases
    ]
    with Caller(compile_text(text, target), target.machine) as caller:
        return [
            f"{target.name}: {line}"
            for each, result in zip(cases, caller.call(calls), strict=True)
            for line in differences(each, result.buffers[len(each.arguments) :])
        ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    cases = _cases(text)
    if not cases:
        assert "region.learner" not in text
        return
    for target in BASELINES:
        assert not _differences(text, cases, target)


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("function", ["math.exp", "math.log", "math.tanh", "pointwise.sigmoid"])
def test_functions(function: str, element: str) -> None:
    text = FUNCTION.format(function=function, e=element, t=f"tensor<8x{element}>")
    cases = _cases(text)
    for target in TARGETS:
        assert not _differences(text, cases, target)


def test_scalar_and_vector_forms_are_there() -> None:
    """What is compared above has vectors in it."""
    text = (Path(__file__).parents[2] / "examples" / "diabetes_adam.mlir").read_text("utf-8")
    assert "fsqrt v" in compile_text(text, ARM)
