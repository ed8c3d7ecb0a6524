"""Wrong lowerings, each made by one change, are noticed by the comparison of words.

A mutant replaces one function of the passes or of the interpreter while programs are compared that
are right without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from code_level.running import check_words, lowered, parsed, vectorized

from alpha.passes.loops import contributions, updates
from alpha.passes.loops.lanes import Lanes
from alpha.passes.loops.schedule import Paths
from alpha.passes.loops.splitting import Splitter
from alpha.passes.loops.vector_loops import VectorLoops
from alpha.passes.loops.writer import AxisValue, Writer

PROGRAMS = """
pointwise.contribution @c(%w : tensor<3x11xf64>) sample(%x : tensor<11xf64>, %y : f64)
    -> (tensor<11xf64>, tensor<3xf64>, f64, f64) {
  %p = pointwise.fold add lanes<8> over [i : 3] along [k : 11]
      (%a = %w[i, k], %b = %x[k], %c = %y) {
    %ab = arith.mulf %a, %b : f64
    %abc = arith.addf %ab, %c : f64
    pointwise.yield %abc
  } : tensor<3xf64>
  %s = pointwise.fold add pairs along [k : 19] (%a = %x[k mod 11]) {
    pointwise.yield %a
  } : f64
  %m = pointwise.fold max lanes<4> along [k : 11] (%a = %x[(k * 3 - 4) mod 11]) {
    pointwise.yield %a
  } : f64
  %q = pointwise.fold add lanes<128> along [k : 150] (%a = %x[k mod 11], %b = %y) {
    %ab = arith.addf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %r = arith.subf %s, %y : f64
  %t = pointwise.map over [i : 3] (%a = %p[2 - i]) {
    %n = math.absf %a : f64
    pointwise.yield %n
  } : tensor<3xf64>
  %g = pointwise.map over [i : 11] (%a = %x[i], %b = %r) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : tensor<11xf64>
  %u = arith.addf %m, %q : f64
  pointwise.return %g, %t, %u, %s
}
pointwise.update @neighbour(%w : tensor<5xf64>, %v : tensor<5xf64>)
    -> (tensor<5xf64>, tensor<5xf64>) {
  %a = pointwise.map over [i : 5] (%x = %w[(i + 1) mod 5], %y = %v[i]) {
    %z = arith.subf %x, %y : f64
    pointwise.yield %z
  } : tensor<5xf64>
  %b = pointwise.map over [i : 5] (%x = %w[i], %y = %a[4 - i]) {
    %z = arith.addf %x, %y : f64
    pointwise.yield %z
  } : tensor<5xf64>
  pointwise.return %a, %b
}
pointwise.update @local(%w : tensor<6xf64>, %g : tensor<6xf64>, %r : f64)
    -> (tensor<6xf64>, f64) {
  %half = arith.constant 0.5 : f64
  %q = arith.mulf %r, %half : f64
  %a = pointwise.map over [i : 6] (%x = %w[i], %y = %g[i], %s = %q) {
    %t = arith.mulf %y, %s : f64
    %less = arith.cmpf olt, %t, %x : f64
    %u = arith.select %less, %t, %x : f64
    pointwise.yield %u
  } : tensor<6xf64>
  pointwise.return %a, %q
}
"""


def compare() -> None:
    """Lower, vectorize and compare everything."""
    module = parsed(PROGRAMS)
    code = lowered(module)
    forms = [code, vectorized(code, 128), vectorized(code, 256, 1), vectorized(code, 64)]
    check_words(module, forms, (9, 3, 0), 1)


def _swapped(original: Any) -> Any:
    return lambda self, name, a, b: (
        original(self, name, b, a) if name == "max" else original(self, name, a, a)
    )


def _from_above(original: Any) -> Any:
    def halved(self: Lanes, kind: str, total: Any) -> Any:
        words = [self.lane(total, lane) for lane in range(total.type.get_shape()[0])]
        result = words[0]
        for word in words[1:]:
            result = self.binary(kind, result, word)
        return result

    return halved


def _first_lane_only(original: Any) -> Any:
    return lambda self, span, new, old: new


def _unmoved(original: Any) -> Any:
    return lambda self, base, indices, moved: original(self, base, indices, 0)


def _one_more(original: Any) -> Any:
    return lambda self, value, divisor: original(self, value, divisor * 2)


def _without_turns(original: Any) -> Any:
    def quotient(self: Writer, quotient: Any, axes: Any, box: Any) -> AxisValue:
        found = original(self, quotient, axes, box)
        return AxisValue(found.base, 0)

    return quotient


def _reversed_samples(original: Any) -> Any:
    def add(self: Any, item: Any, number: int, words: Any, point: Any) -> None:
        original(self, item, number, dict(reversed(list(words.items()))), point)

    return add


def _always(original: Any) -> Any:
    return lambda *operands: True


def _rounded_up(original: Any) -> Any:
    def rounded(self: VectorLoops, op: Any, width: int) -> Any:
        return self.values[op.ub]

    return rounded


MUTANTS: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
    "sum of one operand with itself": (Lanes, "binary", _swapped),
    "lanes added from the left": (Lanes, "halved", _from_above),
    "lanes behind the domain are added, too": (Lanes, "kept", _first_lane_only),
    "parts of a vector from one place": (Splitter, "_at", _unmoved),
    "a quotient by twice the divisor": (Writer, "divided", _one_more),
    "a quotient that isn't moved back": (Writer, "_quotient", _without_turns),
    "samples added in reverse": (contributions._Contribution, "_add", _reversed_samples),
    "results stored while inputs are read": (updates, "may_store_at_once", _always),
    "values are at hand everywhere": (Paths, "at_hand", _always),
    "vectors up to the end": (VectorLoops, "_rounded", _rounded_up),
}


def test_without_a_mutant_all_is_equal() -> None:
    compare()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, change = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, change(getattr(owner, attribute)))
    with pytest.raises(Exception):  # noqa: B017  a fault, a difference, or code that can't be made
        compare()
