"""Small learners as text, for what the examples don't show.

Entry: `mean_keeper`, `squared_error`.
"""

from __future__ import annotations

from collections.abc import Sequence


def _dense(values: Sequence[float]) -> str:
    return f"dense<[{', '.join(f'{value:.17e}' for value in values)}]>"


def mean_keeper(samples: Sequence[float], element: str = "f64") -> str:
    """A learner whose state @kept becomes the mean of its samples in each round."""
    return f"""
region.learner @mean_keeper {{
  region.state @kept : f64 = 7.0
  region.constant @one : f64 = 1.0
  region.samples @data[{len(samples)}] : (f64) = {_dense(samples)}

  pointwise.contribution @itself(%one : f64) sample(%x : f64) -> (f64, observed "loss" : f64) {{
    %same = arith.mulf %one, %x : f64
    pointwise.return %same, %same
  }}

  pointwise.update @keep(%kept : f64, %mean : f64, %one : f64) -> (f64) {{
    %new = arith.mulf %one, %mean : f64
    pointwise.return %new
  }}

  region.round {{
    %kept, %one = region.read @kept, @one : f64, f64
    %sum, %count = pointwise.sum @itself(%one) over @data : f64
    %mean = pointwise.mean %sum, %count
    %new = pointwise.apply @keep(%kept, %mean, %one) : f64
    region.advance @kept = %new
  }}
}}
""".replace("f64", element)


def squared_error(xs: Sequence[float], ys: Sequence[float]) -> str:
    """The loss (w x - y)^2 with the gradient 2 (w x - y) x at w = 1; @g keeps the mean gradient."""
    return f"""
region.learner @squared_error {{
  region.state @w : f64 = 1.0
  region.state @g : f64 = 0.0
  region.samples @data[{len(xs)}] : (f64, f64) = {_dense(xs)}, {_dense(ys)}

  pointwise.contribution @gradient(%w : f64) sample(%x : f64, %y : f64)
      -> (f64, observed "loss" : f64) {{
    %two = arith.constant 2.0 : f64
    %p = arith.mulf %w, %x : f64
    %r = arith.subf %p, %y : f64
    %l = arith.mulf %r, %r : f64
    %d = arith.mulf %two, %r : f64
    %g = arith.mulf %d, %x : f64
    pointwise.return %g, %l
  }}

  pointwise.update @keep(%w : f64, %g : f64) -> (f64, f64) {{
    %zero = arith.constant 0.0 : f64
    %none = arith.mulf %zero, %g : f64
    %w1 = arith.subf %w, %none : f64
    pointwise.return %w1, %g
  }}

  region.round {{
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : f64
    %mean = pointwise.mean %sum, %count
    %w1, %g1 = pointwise.apply @keep(%w, %mean) : f64, f64
    region.advance @w = %w1, @g = %g1
  }}
}}
"""
