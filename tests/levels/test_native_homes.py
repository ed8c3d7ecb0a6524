"""Words are kept as long as anybody reads them: a round that would go wrong in place doesn't.

Each learner below reads words of a state after new ones could have been made where they lie; with
the word computed too early or too late, the state ends in other bits.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from levels.endings import Ending, at_shard_level, difference, lowered, projected
from levels.natively import MACHINES, natively
from oracle_comparison.running import learner_file
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.role import find_roles
from alpha.ir.learner_words import LearnerWords
from alpha.ir.sharding.distribution import find_distribution
from alpha.passes.linux.homes import Homes
from alpha.tools.distributing import run_pass

ROUNDS = 5
LEARNER = """
region.learner @kept attributes {owners = #shard.owners<2, star, samples = [2, 1]>} {
  region.state @w : tensor<5xf64> = dense<[0.5, 0.25, 3.0, -1.0, 0.75]>
  region.state @u : tensor<5xf64> = dense<[1.5, -0.25, 0.5, 2.0, 0.125]>
  region.samples @data[3] : (tensor<5xf64>) = dense<[
    [1.5, 2.0, 3.0, 0.25, -0.5], [0.1, 0.2, 0.3, 0.4, 0.6], [7.0, 1.0, 2.0, 0.5, 1.75]]>
  pointwise.contribution @pull(%w : tensor<5xf64>) sample(%x : tensor<5xf64>) -> (tensor<5xf64>) {
    %d = pointwise.map over [i : 5] (%a = %w[i], %b = %x[i]) {
      %c = arith.subf %b, %a : f64
      pointwise.yield %c
    } : tensor<5xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<5xf64>, %u : tensor<5xf64>, %g : tensor<5xf64>)
      -> (tensor<5xf64>) {
    %w1 = pointwise.map over [i : 5] (%a = %w[i], %b = %u[i], %c = %g[i]) {
      %s = arith.addf %a, %b : f64
      %t = arith.mulf %s, %c : f64
      %q = arith.constant 0.125 : f64
      %r = arith.mulf %t, %q : f64
      %n = arith.subf %r, %b : f64
      pointwise.yield %n
    } : tensor<5xf64>
    pointwise.return %w1
  }
  pointwise.update @mirror(%w : tensor<5xf64>, %u : tensor<5xf64>) -> (tensor<5xf64>) {
    %w1 = pointwise.map over [i : 5] (%a = %w[4 - i], %b = %u[i]) {
      %s = arith.addf %a, %b : f64
      pointwise.yield %s
    } : tensor<5xf64>
    pointwise.return %w1
  }
  region.round {
    %w, %u = region.read @w, @u : tensor<5xf64>, tensor<5xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<5xf64>
    %g = pointwise.mean %sum, %count
    BODY
  }
}
"""
BODIES = {
    "in place": """
    %w1 = pointwise.apply @step(%w, %u, %g) : tensor<5xf64>
    region.advance @w = %w1""",
    "the old words are read by a later update": """
    %w1 = pointwise.apply @step(%w, %u, %g) : tensor<5xf64>
    %u1 = pointwise.apply @step(%u, %w, %g) : tensor<5xf64>
    region.advance @w = %w1, @u = %u1""",
    "the new words and the old ones": """
    %w1 = pointwise.apply @step(%w, %u, %g) : tensor<5xf64>
    %u1 = pointwise.apply @step(%w1, %w, %g) : tensor<5xf64>
    region.advance @w = %w1, @u = %u1""",
    "both operands are of the state": """
    %w1 = pointwise.apply @step(%w, %w, %g) : tensor<5xf64>
    region.advance @w = %w1""",
    "words of other coordinates": """
    %w1 = pointwise.apply @mirror(%w, %u) : tensor<5xf64>
    region.advance @w = %w1""",
    "a state becomes two": """
    %u1 = pointwise.apply @step(%w, %u, %g) : tensor<5xf64>
    region.advance @w = %u1, @u = %u1""",
    "the mean is used twice": """
    %w1 = pointwise.apply @step(%g, %u, %g) : tensor<5xf64>
    %u1 = pointwise.apply @step(%w, %g, %w1) : tensor<5xf64>
    region.advance @w = %w1, @u = %u1""",
}
MODES = {"none": (), "optimizer": ("optimizer",), "all": ("optimizer", "parameters", "gradients")}


def roles_of(
    body: str, modes: tuple[str, ...], folder: Path
) -> tuple[ModuleOp, tuple[LearnerWords, Ending]]:
    """The programs of the roles of a learner with this round, and the ending that they should have.

    It is refused to partition a learner whose words need those of other coordinates.
    """
    file = learner_file(LEARNER.replace("BODY", body), folder)
    run_pass(file.context, file.module, "distribute")
    for mode in modes:
        run_pass(file.context, file.module, f"partition_{mode}", map="block")
    distribution = find_distribution(file.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, file.words, ROUNDS)
    protocol = lowered(file.context, file.module, "gather", ROUNDS)
    assert protocol is not None
    return projected(file.context, protocol), (file.words, wanted)


@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize("body", BODIES)
def test_no_word_is_lost(body: str, modes: str, tmp_path: Path) -> None:
    if body == "words of other coordinates" and modes != "none":
        return
    module, (words, wanted) = roles_of(BODIES[body], MODES[modes], tmp_path)
    assert difference(natively(module, words, MACHINES), wanted) is None


PLACES = {
    "in place": {"w"},
    "the old words are read by a later update": {"u"},
    "the new words and the old ones": {"u"},
    "both operands are of the state": set(),
    "words of other coordinates": set(),
    "a state becomes two": {"u"},
    "the mean is used twice": {"u"},
}


@pytest.mark.parametrize("body", BODIES)
def test_what_can_be_made_in_place_is(body: str, tmp_path: Path) -> None:
    module, _ = roles_of(BODIES[body], (), tmp_path)
    for program in find_roles(module).values():
        distribution = find_distribution(module)
        assert {*Homes(program, distribution).made_at_home.values()} == PLACES[body]
