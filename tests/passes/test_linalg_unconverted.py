"""Programs before `--convert-linalg-to-pointwise`: nothing says what they compute."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from linalg_oracle.running import convert
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.dialects.linalg import LINALG
from alpha.ir.dialects.pointwise_programs import UpdateOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learners import Learner, find_learner
from alpha.ir.refusals import Refusal, place_of
from alpha.ir.separability import explain, require_separable
from alpha.ir.unconverted import is_unconverted, require_converted

LEARNER = """
region.learner @negated {
  region.state @w : tensor<2xf64> = dense<1.0>
  pointwise.update @step(%w : tensor<2xf64>) -> (tensor<2xf64>) {
    %r = linalg.negf ins(%w : tensor<2xf64>) outs(%w : tensor<2xf64>) -> tensor<2xf64>
    pointwise.return %r
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %w1 = pointwise.apply @step(%w) : tensor<2xf64>
    region.advance @w = %w1
  }
}
"""


def parsed(text: str) -> ModuleOp:
    """A verified module."""
    module = parse_text(make_context(), text, "in.mlir")
    verify_module(module)
    return module


QUESTIONS: dict[str, Callable[[ModuleOp, LearnerOp], object]] = {
    "require_converted": lambda module, op: require_converted(op),
    "explain": lambda module, op: explain(Learner.of(op)),
    "require_separable": lambda module, op: require_separable(Learner.of(op)),
    "find_learner": lambda module, op: find_learner(module, "in.mlir"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_whoever_asks_is_refused(name: str) -> None:
    module = parsed(LEARNER)
    (learner,) = [op for op in module.walk() if isinstance(op, LearnerOp)]
    with pytest.raises(Refusal) as caught:
        QUESTIONS[name](module, learner)
    assert caught.value.lines() == [
        "in.mlir:5:5: error: [target-unsupported] expected pointwise operations alone: run "
        "--convert-linalg-to-pointwise first, found linalg.negf"
    ]
    module = convert(LEARNER)
    (learner,) = [op for op in module.walk() if isinstance(op, LearnerOp)]
    QUESTIONS[name](module, learner)


def test_every_operation_of_the_dialect_is_unconverted() -> None:
    names = {op.name for op in LINALG.operations}
    assert {"linalg.generic", "linalg.matvec", "linalg.dot", "linalg.matmul"} <= names
    module = parsed(LEARNER)
    (update,) = [op for op in module.walk() if isinstance(op, UpdateOp)]
    assert [is_unconverted(op) for op in update.body.block.ops] == [True, False]


def test_a_captured_value_comes_from_the_program() -> None:
    text = """
func.func @f(%s : f64) {
  pointwise.update @u(%w : tensor<2xf64>) -> (tensor<2xf64>) {
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%w : tensor<2xf64>) {
    ^bb0(%out: f64):
      %t = arith.mulf %out, %s : f64
      linalg.yield %t : f64
    } -> tensor<2xf64>
    pointwise.return %r
  }
  func.return
}
"""
    with pytest.raises(Refusal) as caught:
        parsed(text)
    assert caught.value.code == "source-structure"


def test_the_dialect_is_loaded_when_a_text_names_it() -> None:
    script = f"""
import sys
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
text = {LEARNER!r}
pointwise = text.replace("linalg.negf ins(%w : tensor<2xf64>) outs(%w : tensor<2xf64>) ->",
    "pointwise.map over [i : 2] (%x = %w[i]) {{ pointwise.yield %x }} :")
verify_module(parse_text(make_context(), pointwise, "in.mlir"))
for name in ("alpha.ir.dialects.linalg", "alpha.ir.dialects.tensor", "xdsl.dialects.math"):
    assert name not in sys.modules, name
verify_module(parse_text(make_context(), text, "in.mlir"))
assert "alpha.ir.dialects.linalg" in sys.modules
assert "xdsl.dialects.linalg" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_program_that_is_converted_has_its_places() -> None:
    module = convert(LEARNER)
    (update,) = [op for op in module.walk() if isinstance(op, UpdateOp)]
    first = update.body.block.first_op
    assert first is not None and first.name == "pointwise.map"
    assert str(place_of(first)) == "in.mlir:5:5"
    assert "linalg" not in print_module(module)
