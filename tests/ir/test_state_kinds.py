"""What states are to a learner, and which of them each partitioning shares out."""

from __future__ import annotations

from pathlib import Path

from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learners import find_learner
from alpha.ir.sharding.distribution import find_distribution
from alpha.ir.state_kinds import kinds_of, partitioned
from alpha.tools.distributing import run_pass

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

MORE = """
  region.state @kept : tensor<4xf64> = dense<0.0>
  region.state @kept_shared : f64 = 1.0 {shared}
"""


READ = """
region.learner @read {
  region.state @w : f64 = 1.0
  region.state @s : f64 = 1.0 {shared}
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @sum(%w : f64, %s : f64) sample(%x : f64) -> (f64) {
    %a = arith.mulf %w, %x : f64
    %b = arith.mulf %a, %s : f64
    pointwise.return %b
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %a = arith.subf %w, %g : f64
    pointwise.return %a
  }
  region.round {
    %w, %s = region.read @w, @s : f64, f64
    %t, %n = pointwise.sum @sum(%w, %s) over @data : f64
    %g = pointwise.mean %t, %n
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
"""


def test_shared_words_that_a_contribution_reads_are_no_parameter() -> None:
    module = parse_source(make_context(), READ.encode(), "learner.mlir")
    verify_module(module)
    learner = find_learner(module, "learner.mlir")
    assert learner.parameters() == ["w", "s"]
    assert kinds_of(learner) == {"w": "parameter", "s": "shared"}


def test_every_state_has_one_kind() -> None:
    text = (EXAMPLES / "least_squares_adam.mlir").read_text()
    head, line, rest = text.partition("  region.constant")
    context = make_context()
    module = parse_source(context, f"{head}{MORE}{line}{rest}".encode(), "learner.mlir")
    verify_module(module)
    kinds = kinds_of(find_learner(module, "learner.mlir"))
    assert kinds == {
        "w": "parameter",
        "m": "optimizer",
        "v": "optimizer",
        "b1_power": "shared",
        "b2_power": "shared",
        "kept": "shared",
        "kept_shared": "shared",
    }
    assert [*kinds][:3] == ["w", "m", "v"]
    assert partitioned("optimizer", kinds) == ["m", "v"]
    assert partitioned("parameters", kinds) == ["w"]
    assert partitioned("gradients", kinds) == []
    for mode, names in (("optimizer", {"m", "v"}), ("parameters", {"w"}), ("gradients", set())):
        copy = module.clone()
        run_pass(context, copy, f"partition_{mode}")
        distribution = find_distribution(copy)
        assert distribution is not None
        assert {name for name in kinds if distribution.map_of(name) is not None} == names
