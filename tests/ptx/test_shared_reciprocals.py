"""Quotients by multiply-adds: the bits of divisions, and what a bound that is left out does."""

from __future__ import annotations

import numpy as np
import pytest
from code_level.running import parsed

from alpha.backends.ptx.equality import emitted_kernels
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.passes import share_reciprocals

PROGRAM = """
pointwise.update @scaled(%w : tensor<9xf64>, %c : f64) -> (tensor<9xf64>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %d = %c) {
    %q = arith.divf %x, %d : f64
    pointwise.yield %q
  } : tensor<9xf64>
  pointwise.return %w1
}
"""


def dividends() -> np.ndarray:
    """Words of every size, those at the bounds and what is no number among them."""
    drawn = np.random.default_rng(5)
    words = drawn.uniform(1, 2, 4000) * np.exp2(drawn.integers(-1060, 1000, 4000))
    edges = np.exp2(np.array([-512.0, -511.0, 512.0, 513.0, -1022.0]))
    near = [edges, np.nextafter(edges, 0), np.nextafter(edges, np.inf)]
    special = np.array([0.0, np.inf, np.nan, 5e-324, 1.0, 1 + 2.0**-52, 2 - 2.0**-52])
    words = np.concatenate([words, *near, special])
    return np.concatenate([words, -words])


def divisors() -> list[float]:
    """Divisors that fit, at the bounds, and that don't fit."""
    drawn = np.random.default_rng(6)
    usual = [1 - 0.9**k for k in (1, 2, 7, 40)] + [1 - 0.999**k for k in (1, 2, 7, 40)]
    some = list(drawn.uniform(1, 2, 12) * np.exp2(drawn.integers(-390, 390, 12)))
    least, most = 2.0**-400, 2.0**400
    edges = [least, np.nextafter(least, 0), most, np.nextafter(most, np.inf)]
    wild = [0.0, -0.0, -3.0, np.inf, np.nan, 5e-324, 1.5 * 2.0**-1022, 1.5e308, 3.0, 1.0]
    return [float(each) for each in (*usual, *some, *edges, *wild)]


def differing() -> int:
    """How many quotients aren't those of a division."""
    emitted = emitted_kernels(parsed(PROGRAM))
    assert "fma.rn.f64" in emitted.text
    words, found = dividends(), 0
    for divisor in divisors():
        launcher = InterpretedLauncher(emitted.text)
        inputs = [launcher.allocate(words.nbytes), launcher.allocate(8)]
        launcher.write(inputs[0], words)
        launcher.write(inputs[1], np.array([divisor]))
        result = launcher.allocate(words.nbytes)
        run_plan(
            launcher, Buffers(launcher, emitted.plan("scaled"), [words.size]), inputs, [result]
        )
        made = launcher.read(result, np.float64, words.size)
        with np.errstate(all="ignore"):
            wanted = words / np.float64(divisor)
        same = (made.view(np.uint64) == wanted.view(np.uint64)) | (
            np.isnan(made) & np.isnan(wanted)
        )
        found += int((~same).sum())
    return found


def test_every_quotient_is_that_of_a_division() -> None:
    assert differing() == 0


@pytest.mark.parametrize(
    ("name", "bounds"), [("DIVISOR", (-1022, 1023)), ("DIVIDEND", (-1022, 1024))]
)
def test_a_bound_that_is_too_wide_is_found(
    name: str, bounds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(share_reciprocals, name, bounds)
    assert differing() > 0
