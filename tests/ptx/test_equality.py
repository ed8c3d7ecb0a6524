"""What `alpha verify --targets sm86` says of kernels that are right, and of ones that aren't."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from code_level.running import parsed, programs_of

from alpha.backends.ptx import equality
from alpha.backends.ptx.equality import Emitted, emitted_kernels, equality_of
from alpha.tools.mains import alpha

LEARNER = "examples/least_squares_adam.mlir"
SUM = """
pointwise.contribution @f(%w : tensor<3xf32>) sample(%x : tensor<3xf32>) -> (tensor<3xf32>) {
  %g = pointwise.map over [i : 3] (%a = %w[i], %b = %x[i]) {
    %ab = arith.mulf %a, %b : f32
    pointwise.yield %ab
  } : tensor<3xf32>
  pointwise.return %g
}
pointwise.update @nothing(%w : tensor<0xf64>) -> (tensor<0xf64>) {
  pointwise.return %w
}
"""


def changed(emitted: Emitted, pattern: str, replacement: str) -> Emitted:
    """The kernels with every place of a pattern changed."""
    text, places = re.subn(pattern, replacement, emitted.text)
    assert places
    return replace(emitted, text=text)


def test_kernels_that_are_right_are_equal() -> None:
    module = parsed(SUM)
    emitted = emitted_kernels(module)
    assert [equality_of(program, emitted) for program in programs_of(module)] == ["equal"] * 2


def test_the_first_word_that_differs_is_named() -> None:
    module = parsed(SUM)
    (program, _) = programs_of(module)
    wrong = changed(emitted_kernels(module), r"mul\.rn\.f32", "add.rn.f32")
    assert equality_of(program, wrong) == "differs: result 0, word 0"


def test_a_fault_of_a_kernel_is_named() -> None:
    module = parsed(SUM)
    (program, _) = programs_of(module)
    wrong = changed(emitted_kernels(module), r"( +)mul\.rn\.f32.*\n", "")
    assert equality_of(program, wrong).startswith("differs: uninitialized-register: line ")


def test_verify_refuses_wrong_kernels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert alpha.main(["verify", LEARNER, "--targets", "sm86", "--rounds", "1"]) == 0
    assert len(re.findall(r"^  @\w+ +sm86 +equal$", capsys.readouterr().out, re.MULTILINE)) == 2

    def emit(module: object) -> Emitted:
        return changed(emitted_kernels(module), r"sub\.rn", "add.rn")  # pyright: ignore

    monkeypatch.setattr(equality, "emitted_kernels", emit)
    assert alpha.main(["verify", LEARNER, "--targets", "sm86", "--rounds", "1"]) == 1
    assert "error: [verify-bits-differ] expected the words of @" in capsys.readouterr().err
