"""Protocols of learners among few and many roles, and their models.

Entry: `protocol_of`, `text_of`, `model_of`, `whole`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sharding.product import read
from simulate.discrete import Whole

from alpha.interpreters.fleets.model import model_fleet
from alpha.interpreters.fleets.rates import Rates
from alpha.interpreters.fleets.reports import Fleet
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.fleets import Mix
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.passes.protocol.projection import project
from alpha.tools.distributing import run_pass

WORDS = 7


def text_of(owners: str, samples: int, contract: str = "") -> str:
    """A learner with two states of 7 words, a shared word and a loss."""
    return f"""
region.learner @sums attributes {{owners = #shard.owners<{owners}>}} {{
  region.state @w : tensor<7xf64> = dense<1.0>
  region.state @m : tensor<7xf32> = dense<0.0>
  region.state @p : f64 = 1.0 {{shared}}
  region.samples @data[{samples}] : (tensor<7xf64>) = dense<2.0>
  pointwise.contribution @gradient(%w : tensor<7xf64>) sample(%x : tensor<7xf64>)
      -> (tensor<7xf64>, observed "loss" : f64) {{
    %g = pointwise.map over [i : 7] (%a = %w[i], %b = %x[i]) {{
      %p = arith.mulf %a, %b : f64
      pointwise.yield %p
    }} : tensor<7xf64>
    %l = arith.constant 1.0 : f64
    pointwise.return %g, %l
  }}
  pointwise.update @step(%w : tensor<7xf64>, %m : tensor<7xf32>, %p : f64, %g : tensor<7xf64>)
      -> (tensor<7xf64>, tensor<7xf32>, f64) {{
    %q = arith.mulf %p, %p : f64
    %w1, %m1 = pointwise.map over [i : 7] (%a = %w[i], %b = %m[i], %d = %g[i]) {{
      %s = arith.subf %a, %d : f64
      %t = arith.addf %b, %b : f32
      pointwise.yield %s, %t
    }} : tensor<7xf64>, tensor<7xf32>
    pointwise.return %w1, %m1, %q
  }}
  region.round {{
    %w, %m, %p = region.read @w, @m, @p : tensor<7xf64>, tensor<7xf32>, f64
    %s, %n = pointwise.sum @gradient(%w) over @data {contract} : tensor<7xf64>
    %g = pointwise.mean %s, %n
    %w1, %m1, %q = pointwise.apply @step(%w, %m, %p, %g) : tensor<7xf64>, tensor<7xf32>, f64
    region.advance @w = %w1, @m = %m1, @p = %q
  }}
}}
"""


def protocol_of(
    text: str,
    modes: Sequence[str] = (),
    map: str | None = None,
    rounds: int = 3,
    exchange: str = "auto",
    checkpoint: int | None = None,
) -> Protocol:
    """The protocol of a learner, or of the text itself if it has one."""
    if "protocol.global" in text:
        module = parse_text(make_context(), text, "protocol.mlir")
        verify_module(module)
    else:
        file = read(text)
        module = file.module
        run_pass(file.context, module, "distribute")
        for mode in modes:
            run_pass(file.context, module, f"partition_{mode}", map=map)
        options = {"rounds": rounds, "exchange": exchange, "checkpoint": checkpoint}
        run_pass(file.context, module, "lower_shard_to_protocol", **options)
    protocol = find_protocol(module)
    assert protocol is not None
    check_protocol(protocol)
    return protocol


def whole(rates: Whole) -> Rates:
    """Rates of the oracle as those of the model."""
    return Rates(Fraction(rates.frame), Fraction(1), Fraction(rates.sample), Fraction(rates.word))


def model_of(
    protocol: Protocol,
    mix: Mix | None = None,
    rates: Rates | None = None,
    speeds: Mapping[str, Fraction] | None = None,
) -> Fleet:
    """The model, by default with rates that have no common factor."""
    return model_fleet(
        protocol,
        lambda role: project(protocol, role),
        mix or Mix(),
        rates or whole(Whole(31, 7, 3)),
        speeds or {},
    )
