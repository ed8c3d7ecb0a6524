"""The learners that are measured, as text: least squares with Adam, and nothing but a sum.

Invariant: the sums have the order of `star.c`, which is that of the roles.
Entry: `training_learner`, `combine_learner`, `OWNERS`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from compiled.learners import VALUES

FEATURES, ROWS, OWNERS = 1000, 64, 4
"""Of the training: words of the model, samples of an owner, owners."""

SEED = 5


def samples(owners: int = OWNERS) -> tuple[np.ndarray, np.ndarray]:
    """Rows of normal numbers and their targets, those of the first owner first."""
    source = np.random.default_rng(SEED)
    x = source.standard_normal((owners * ROWS, FEATURES)) / FEATURES**0.5
    return x, x @ source.standard_normal(FEATURES)


TENSOR = f"tensor<{FEATURES}xf64>"

_PROGRAMS = f"""
  pointwise.contribution @gradient(%w : {TENSOR})
      sample(%x : {TENSOR}, %y : f64) -> ({TENSOR}) {{
    %p = pointwise.fold add lanes<8> along [k : {FEATURES}] (%a = %w[k], %b = %x[k]) {{
      %ab = arith.mulf %a, %b : f64
      pointwise.yield %ab
    }} : f64
    %r = arith.subf %p, %y : f64
    %g = pointwise.map over [i : {FEATURES}] (%xi = %x[i], %ri = %r) {{
      %gi = arith.mulf %ri, %xi : f64
      pointwise.yield %gi
    }} : {TENSOR}
    pointwise.return %g
  }}
  pointwise.update @adam(%w : {TENSOR}, %m : {TENSOR}, %v : {TENSOR}, %p1 : f64, %p2 : f64,
      %g : {TENSOR}, %rate : f64, %b1 : f64, %b2 : f64, %eps : f64)
      -> ({TENSOR}, {TENSOR}, {TENSOR}, f64, f64) {{
    %one = arith.constant 1.0 : f64
    %q1 = arith.mulf %p1, %b1 : f64
    %q2 = arith.mulf %p2, %b2 : f64
    %c1 = arith.subf %one, %q1 : f64
    %c2 = arith.subf %one, %q2 : f64
    %a1 = arith.subf %one, %b1 : f64
    %a2 = arith.subf %one, %b2 : f64
    %w1, %m1, %v1 = pointwise.map over [i : {FEATURES}]
        (%wi = %w[i], %mi = %m[i], %vi = %v[i], %gi = %g[i], %r = %rate, %e = %eps,
         %k1 = %b1, %k2 = %b2, %n1 = %a1, %n2 = %a2, %d1 = %c1, %d2 = %c2) {{
      %m_kept = arith.mulf %k1, %mi : f64
      %m_new = arith.mulf %n1, %gi : f64
      %mi1 = arith.addf %m_kept, %m_new : f64
      %gg = arith.mulf %gi, %gi : f64
      %v_kept = arith.mulf %k2, %vi : f64
      %v_new = arith.mulf %n2, %gg : f64
      %vi1 = arith.addf %v_kept, %v_new : f64
      %m_hat = arith.divf %mi1, %d1 : f64
      %v_hat = arith.divf %vi1, %d2 : f64
      %root = math.sqrt %v_hat : f64
      %below = arith.addf %root, %e : f64
      %above = arith.mulf %r, %m_hat : f64
      %step = arith.divf %above, %below : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %mi1, %vi1
    }} : {TENSOR}, {TENSOR}, {TENSOR}
    pointwise.return %w1, %m1, %v1, %q1, %q2
  }}
"""


def training_learner(folder: Path, owners: int = OWNERS) -> Path:
    """Least squares by Adam as in the paper, with every sample of `samples`."""
    x, y = samples(owners)
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    text = f"""
region.learner @training attributes {{{_owners([ROWS] * owners)}}} {{
  region.state @w : {TENSOR} = dense<0.0>
  region.state @m : {TENSOR} = dense<0.0>
  region.state @v : {TENSOR} = dense<0.0>
  region.state @p1 : f64 = 1.0 {{shared}}
  region.state @p2 : f64 = 1.0 {{shared}}
  region.constant @rate : f64 = {VALUES["rate"]}
  region.constant @b1 : f64 = {VALUES["b1"]}
  region.constant @b2 : f64 = {VALUES["b2"]}
  region.constant @eps : f64 = {VALUES["eps"]:.17e}
  region.samples @data[{owners * ROWS}] : ({TENSOR}, f64) from "x.npy", "y.npy"
{_PROGRAMS}
  region.round {{
    %w, %m, %v = region.read @w, @m, @v : {TENSOR}, {TENSOR}, {TENSOR}
    %p1, %p2 = region.read @p1, @p2 : f64, f64
    %rate, %b1, %b2, %eps = region.read @rate, @b1, @b2, @eps : f64, f64, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : {TENSOR}
    %g = pointwise.mean %sum, %count
    %w1, %m1, %v1, %q1, %q2 = pointwise.apply @adam(%w, %m, %v, %p1, %p2, %g, %rate, %b1, %b2, %eps)
      : {TENSOR}, {TENSOR}, {TENSOR}, f64, f64
    region.advance @w = %w1, @m = %m1, @v = %v1, @p1 = %q1, @p2 = %q2
  }}
}}
"""
    path = folder / "training.mlir"
    path.write_text(text, encoding="utf-8")
    return path


def combine_learner(folder: Path, owners: int, words: int) -> Path:
    """A round in which each owner gives as many words, and gets their sum as the new state."""
    np.save(folder / "words.npy", np.random.default_rng(SEED).standard_normal((owners, words)))
    tensor = f"tensor<{words}xf64>"
    text = f"""
region.learner @combine attributes {{{_owners([1] * owners)}}} {{
  region.state @w : {tensor} = dense<0.0>
  region.samples @data[{owners}] : ({tensor}) from "words.npy"
  pointwise.contribution @hand_on(%w : {tensor}) sample(%x : {tensor}) -> ({tensor}) {{
    pointwise.return %x
  }}
  pointwise.update @keep(%w : {tensor}, %g : {tensor}) -> ({tensor}) {{
    pointwise.return %g
  }}
  region.round {{
    %w = region.read @w : {tensor}
    %sum, %count = pointwise.sum @hand_on(%w) over @data : {tensor}
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @keep(%w, %g) : {tensor}
    region.advance @w = %w1
  }}
}}
"""
    path = folder / "combine.mlir"
    path.write_text(text, encoding="utf-8")
    return path


def _owners(samples: list[int]) -> str:
    topology = "pair" if len(samples) == 2 else "star"
    return f"owners = #shard.owners<{len(samples)}, {topology}, samples = {samples}>"
