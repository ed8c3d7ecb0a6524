"""Learners with optimizer state, as text; the mean gradient is the mean of the samples.

Entry: `adam`, `sparse_adam`, `scaled`, `learner`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cases.texts import dense


def learner(
    states: str,
    update: str,
    round_: str,
    samples: Sequence[float],
    width: int,
    owners: str = "",
    order: str = "",
) -> str:
    """A learner of @w, whose gradient is its samples, with more states and an update.

    `round_` begins behind the mean `%g`, and has read nothing but `%w`.
    """
    of = f"tensor<{width}xf64>"
    count = len(samples) // width
    declared = f" attributes {{owners = #shard.owners<{owners}>}}" if owners else ""
    return f"""
region.learner @optimizer{declared} {{
{states}
  region.samples @data[{count}] : ({of}) = {dense(samples, [count, width])}

  pointwise.contribution @gradient(%w : {of}) sample(%x : {of}) -> ({of}) {{
    pointwise.return %x
  }}

{update}

  region.round {{
    %w = region.read @w : {of}
    %sum, %count = pointwise.sum @gradient(%w) over @data {order} : {of}
    %g = pointwise.mean %sum, %count
{round_}
  }}
}}
"""


ADAM = """
  pointwise.update @adam(%w : T, %m : T, %v : T, %p1 : f64, %p2 : f64, %g : T, %rate : f64,
      %b1 : f64, %b2 : f64, %eps : f64) -> (T, T, T, f64, f64) {
    %one = arith.constant 1.0 : f64
    %q1 = arith.mulf %p1, %b1 : f64
    %q2 = arith.mulf %p2, %b2 : f64
    %c1 = arith.subf %one, %q1 : f64
    %c2 = arith.subf %one, %q2 : f64
    %a1 = arith.subf %one, %b1 : f64
    %a2 = arith.subf %one, %b2 : f64
    %w1, %m1, %v1 = pointwise.map over [i : SIZE] (%wi = %w[i], %mi = %m[i], %vi = %v[i],
        %gi = %g[i], %r = %rate, %e = %eps, %k1 = %b1, %k2 = %b2, %n1 = %a1, %n2 = %a2,
        %d1 = %c1, %d2 = %c2) {
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
      %way = arith.divf %m_hat, %below : f64
      %step = arith.mulf %r, %way : f64
      %wi1 = arith.subf %wi, %step : f64
      pointwise.yield %wi1, %mi1, %vi1
    } : T, T, T
    pointwise.return %w1, %m1, %v1, %q1, %q2
  }
"""

ADAM_ROUND = """
    %m, %v = region.read @m, @v : T, T
    %p1, %p2 = region.read @b1_power, @b2_power : f64, f64
    %rate, %b1, %b2, %eps = region.read @rate, @b1, @b2, @eps : f64, f64, f64, f64
    %w1, %m1, %v1, %q1, %q2 = pointwise.apply @adam(%w, %m, %v, %p1, %p2, %g, %rate, %b1, %b2, %eps)
      : T, T, T, f64, f64
    region.advance @w = %w1, @m = %m1, @v = %v1, @b1_power = %q1, @b2_power = %q2
"""


def adam(
    samples: Sequence[float],
    width: int,
    start: float = 0.0,
    rate: float = 1.0,
    owners: str = "",
    order: str = "",
) -> str:
    """Adam with both powers shared, beta 0.9 and 0.999, epsilon 1e-8."""
    of = f"tensor<{width}xf64>"
    states = f"""
  region.state @w : {of} = dense<{start}>
  region.state @m : {of} = dense<0.0>
  region.state @v : {of} = dense<0.0>
  region.state @b1_power : f64 = 1.0 {{shared}}
  region.state @b2_power : f64 = 1.0 {{shared}}
  region.constant @rate : f64 = {rate}
  region.constant @b1 : f64 = 0.9
  region.constant @b2 : f64 = 0.999
  region.constant @eps : f64 = 1.0e-08"""
    update, round_ = _typed(ADAM, width), _typed(ADAM_ROUND, width)
    return learner(states, update, round_, samples, width, owners, order)


SPARSE = """
  pointwise.update @sparse(%w : T, %m : T, %p : POWER, %turn : f64, %mask : T, %g : T)
      -> (T, T, T, POWER, f64) {
    %unit = arith.constant 1.0 : f64
    %other = arith.subf %unit, %turn : f64
    NEXT
    %m1, %c1 = pointwise.map over [i : SIZE] (%mi = %m[i], %gi = %g[i], %ki = %mask[i],
        %qi = %qAT, %t = %turn) {
      %zero = arith.constant 0.0 : f64
      %one = arith.constant 1.0 : f64
      %beta = arith.constant 0.9 : f64
      %alpha = arith.subf %one, %beta : f64
      %kept = arith.mulf %beta, %mi : f64
      %new = arith.mulf %alpha, %gi : f64
      %next = arith.addf %kept, %new : f64
      %always = arith.cmpf ogt, %ki, %zero : f64
      %now = arith.cmpf oeq, %t, %zero : f64
      %perhaps = arith.select %now, %next, %mi : f64
      %mi1 = arith.select %always, %next, %perhaps : f64
      %below = arith.subf %one, %qi : f64
      %ci = arith.divf %mi1, %below : f64
      pointwise.yield %mi1, %ci
    } : T, T
    pointwise.return %w, %m1, %c1, %q, %other
  }
"""

POWER_EACH = """
    %q = pointwise.map over [i : SIZE] (%pi = %p[i], %ki = %mask[i], %t = %turn) {
      %zero = arith.constant 0.0 : f64
      %beta = arith.constant 0.9 : f64
      %always = arith.cmpf ogt, %ki, %zero : f64
      %now = arith.cmpf oeq, %t, %zero : f64
      %more = arith.mulf %pi, %beta : f64
      %perhaps = arith.select %now, %more, %pi : f64
      %qi = arith.select %always, %more, %perhaps : f64
      pointwise.yield %qi
    } : T
"""

POWER_SHARED = """
    %most = pointwise.fold max left along [i : SIZE] (%gi = %g[i]) {
      pointwise.yield %gi
    } : f64
    %some = arith.cmpf une, %most, %turn : f64
    %b = arith.constant 0.9 : f64
    %more = arith.mulf %p, %b : f64
    %q = arith.select %some, %more, %p : f64
"""

SPARSE_ROUND = """
    %m, %p, %turn, %mask = region.read @m, @power, @turn, @mask : T, POWER, f64, T
    %w1, %m1, %c1, %q, %t1 = pointwise.apply @sparse(%w, %m, %p, %turn, %mask, %g)
      : T, T, T, POWER, f64
    region.advance @w = %w1, @m = %m1, @corrected = %c1, @power = %q, @turn = %t1
"""


def sparse_adam(samples: Sequence[float], mask: Sequence[float], shared: bool = False) -> str:
    """A first moment that every second round passes over where the mask is 0.

    @power has a power of 0.9 for each coordinate, or one that is declared shared and advances by
    the gradient. @corrected keeps the moment divided by 1 - power.
    """
    width = len(mask)
    of = f"tensor<{width}xf64>"
    power, one, at = ("f64", "1.0 {shared}", "") if shared else (of, "dense<1.0>", "[i]")
    states = f"""
  region.state @w : {of} = dense<0.0>
  region.state @m : {of} = dense<0.0>
  region.state @corrected : {of} = dense<0.0>
  region.state @power : {power} = {one}
  region.state @turn : f64 = 0.0 {{shared}}
  region.constant @mask : {of} = {dense(mask)}"""
    update = SPARSE.replace("NEXT", POWER_SHARED if shared else POWER_EACH).replace("AT", at)
    update = _typed(update.replace("POWER", power), width)
    round_ = _typed(SPARSE_ROUND.replace("POWER", power), width)
    return learner(states, update, round_, samples, width)


def _typed(text: str, width: int) -> str:
    """A program with the type of a coordinate field in the place of T."""
    of = f"tensor<{width}xf64>"
    return re.sub(r"\bT\b", of, text).replace("SIZE", str(width))


def scaled(
    samples: Sequence[float],
    start: Sequence[float],
    scale: str,
    order: str = "",
    owners: str = "",
) -> str:
    """Steps along the mean gradient times a scale, which the lines of `scale` compute as `%s`.

    They read `%w` and `%g` of as many words as `start`; `%s` is a word or a word a coordinate.
    """
    width = len(start)
    of = f"tensor<{width}xf64>"
    index = "[i]" if "%s = pointwise.map" in scale or "%s = pointwise.fold" in scale else ""
    states = f"  region.state @w : {of} = {dense(start)}\n  region.state @last : {of} = dense<0.0>"
    update = f"""
  pointwise.update @scaled(%w : {of}, %g : {of}) -> ({of}, {of}) {{
{scale.replace("SIZE", str(width))}
    %w1, %step = pointwise.map over [i : {width}] (%wi = %w[i], %gi = %g[i], %si = %s{index}) {{
      %d = arith.mulf %si, %gi : f64
      %wi1 = arith.subf %wi, %d : f64
      pointwise.yield %wi1, %d
    }} : {of}, {of}
    pointwise.return %w1, %step
  }}"""
    round_ = f"""
    %w1, %last = pointwise.apply @scaled(%w, %g) : {of}, {of}
    region.advance @w = %w1, @last = %last"""
    return learner(states, update, round_, samples, width, owners, order)
