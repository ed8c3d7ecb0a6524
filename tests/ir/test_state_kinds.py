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
