"""The learners that are measured, as text: update rules on N coordinates, contributions of K.

Invariant: what a learner computes, the function of the same name in `kernels.c` computes in the
    same order, so that both give the same bits.
Entry: `update_learner`, `contribution_learner`, `UPDATES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Update(NamedTuple):
    """An update rule: its optimizer states, its constants, and what a coordinate becomes."""

    states: tuple[str, ...]
    constants: tuple[str, ...]
    body: str


_MOMENTS = """
      %m_kept = arith.mulf %b1, %m : T
      %m_new = arith.mulf %a1, %g : T
      %m1 = arith.addf %m_kept, %m_new : T
      %gg = arith.mulf %g, %g : T
      %v_kept = arith.mulf %b2, %v : T
      %v_new = arith.mulf %a2, %gg : T
      %v1 = arith.addf %v_kept, %v_new : T"""

UPDATES: Mapping[str, Update] = MappingProxyType(
    {
        "sgd": Update(
            (),
            ("rate",),
            """
      %step = arith.mulf %rate, %g : T
      %w1 = arith.subf %w, %step : T
            """,
        ),
        "momentum": Update(
            ("m",),
            ("rate", "b1"),
            """
      %kept = arith.mulf %b1, %m : T
      %m1 = arith.addf %kept, %g : T
      %step = arith.mulf %rate, %m1 : T
      %w1 = arith.subf %w, %step : T
            """,
        ),
        "adam_folded": Update(
            ("m", "v"),
            ("rate", "eps", "b1", "a1", "b2", "a2"),
            _MOMENTS
            + """
      %root = math.sqrt %v1 : T
      %below = arith.addf %root, %eps : T
      %above = arith.mulf %rate, %m1 : T
      %step = arith.divf %above, %below : T
      %w1 = arith.subf %w, %step : T
            """,
        ),
        "adam": Update(
            ("m", "v"),
            ("rate", "eps", "b1", "a1", "b2", "a2", "c1", "c2"),
            _MOMENTS
            + """
      %m_hat = arith.divf %m1, %c1 : T
      %v_hat = arith.divf %v1, %c2 : T
      %root = math.sqrt %v_hat : T
      %below = arith.addf %root, %eps : T
      %above = arith.mulf %rate, %m_hat : T
      %step = arith.divf %above, %below : T
      %w1 = arith.subf %w, %step : T
            """,
        ),
    }
)
"""By name: SGD, momentum, Adam with the bias corrections folded into the rate, and as in the paper
(Kingma and Ba, 2015, algorithm 1)."""

VALUES: Mapping[str, float] = MappingProxyType(
    {
        "rate": 0.001,
        "eps": 1e-8,
        "b1": 0.9,
        "a1": 0.1,
        "b2": 0.999,
        "a2": 0.001,
        "c1": 0.271,
        "c2": 0.002997001,
    }
)
"""What the constants are."""


def update_learner(name: str, element: str, words: int = 8) -> str:
    """A learner whose update is this rule; its domain has `words` coordinates."""
    rule = UPDATES[name]
    tensor = f"tensor<{words}x{element}>"
    fields = ("w", *rule.states)
    arguments = [f"%{each} : {tensor}" for each in (*fields, "g")]
    arguments += [f"%{each} : {element}" for each in rule.constants]
    bound = [f"%{each} = %{each}_all[i]" for each in (*fields, "g")]
    bound += [f"%{each} = %{each}_all" for each in rule.constants]
    named = ", ".join(each.replace(" :", "_all :") for each in arguments)
    results = ", ".join(f"%{each}1" for each in fields)
    types = ", ".join([tensor] * len(fields))
    states = "\n".join(f"  region.state @{each} : {tensor} = dense<0.0>" for each in fields)
    constants = "\n".join(
        f"  region.constant @{each} : {element} = {VALUES[each]:.17e}" for each in rule.constants
    )
    read = ", ".join(f"%{each}" for each in (*fields, *rule.constants))
    symbols = ", ".join(f"@{each}" for each in (*fields, *rule.constants))
    read_types = ", ".join([tensor] * len(fields) + [element] * len(rule.constants))
    given = ", ".join(f"%{each}" for each in (*fields, "g", *rule.constants))
    advanced = ", ".join(f"@{each} = %{each}1" for each in fields)
    return f"""
region.learner @measured {{
{states}
{constants}
  region.samples @data[1] : ({tensor}) = dense<0.0>
  pointwise.contribution @hand_on(%w : {tensor}) sample(%x : {tensor}) -> ({tensor}) {{
    pointwise.return %x
  }}
  pointwise.update @{name}({named}) -> ({types}) {{
    {", ".join(f"%{each}1_all" for each in fields)} = pointwise.map over [i : {words}]
        ({", ".join(bound)}) {{
{rule.body.replace(": T", f": {element}").rstrip()}
      pointwise.yield {results}
    }} : {types}
    pointwise.return {", ".join(f"%{each}1_all" for each in fields)}
  }}
  region.round {{
    {read} = region.read {symbols} : {read_types}
    %sum, %count = pointwise.sum @hand_on(%w) over @data : {tensor}
    %g = pointwise.mean %sum, %count
    {results} = pointwise.apply @{name}({given}) : {types}
    region.advance {advanced}
  }}
}}
"""


def contribution_learner(features: int, element: str) -> str:
    """Least squares with K features: the dot product in 8 lanes, gradients added in order."""
    tensor = f"tensor<{features}x{element}>"
    return f"""
region.learner @measured {{
  region.state @w : {tensor} = dense<0.0>
  region.constant @rate : {element} = 0.001
  region.samples @data[1] : ({tensor}, {element}) = dense<0.0>, dense<0.0>
  pointwise.contribution @gradient(%w : {tensor})
      sample(%x : {tensor}, %y : {element}) -> ({tensor}) {{
    %p = pointwise.fold add lanes<8> along [k : {features}] (%a = %w[k], %b = %x[k]) {{
      %ab = arith.mulf %a, %b : {element}
      pointwise.yield %ab
    }} : {element}
    %r = arith.subf %p, %y : {element}
    %g = pointwise.map over [i : {features}] (%xi = %x[i], %ri = %r) {{
      %gi = arith.mulf %ri, %xi : {element}
      pointwise.yield %gi
    }} : {tensor}
    pointwise.return %g
  }}
  pointwise.update @step(%w : {tensor}, %g : {tensor}, %rate : {element}) -> ({tensor}) {{
    %w1 = pointwise.map over [i : {features}] (%wi = %w[i], %gi = %g[i], %r = %rate) {{
      %s = arith.mulf %r, %gi : {element}
      %n = arith.subf %wi, %s : {element}
      pointwise.yield %n
    }} : {tensor}
    pointwise.return %w1
  }}
  region.round {{
    %w, %rate = region.read @w, @rate : {tensor}, {element}
    %sum, %count = pointwise.sum @gradient(%w) over @data : {tensor}
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g, %rate) : {tensor}
    region.advance @w = %w1
  }}
}}
"""
