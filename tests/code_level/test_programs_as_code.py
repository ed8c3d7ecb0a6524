"""Programs as code: the words and terms of the interpreter of programs, also with vectors."""

from __future__ import annotations

import pytest
from code_level.random_programs import random_program
from code_level.running import (
    check_terms,
    check_words,
    expanded,
    lowered,
    parsed,
    vectorized,
)

BITS = (64, 128, 256, 512)

ORDERS = ("left", "pairs", *(f"lanes<{lanes}>" for lanes in (1, 2, 4, 8, 32, 64)))
LENGTHS = (1, 2, 3, 7, 8, 9, 17, 100)


def sums(order: str, element: str, lengths: tuple[int, ...]) -> str:
    """A contribution of sums and greatest words of many lengths, in one order."""
    lines: list[str] = []
    results: list[str] = []
    for length in lengths:
        for kind in ("add", "max"):
            name = f"%{kind}{length}"
            results.append(name)
            lines += [
                f"{name} = pointwise.fold {kind} {order} along [k : {length}] "
                f"(%a = %x[k], %b = %w[k]) {{",
                f"  %ab = arith.mulf %a, %b : {element}",
                f"  pointwise.yield %ab\n}} : {element}",
            ]
    types = ", ".join(element for _ in results)
    most = max(lengths)
    vector = f"tensor<{most}x{element}>"
    body = "\n".join(lines)
    return (
        f"pointwise.contribution @sums(%w : {vector}) sample(%x : {vector}) -> ({types}) {{\n"
        f"{body}\npointwise.return {', '.join(results)}\n}}\n"
    )


@pytest.mark.parametrize("order", ORDERS)
def test_every_order(order: str) -> None:
    bits = BITS[ORDERS.index(order) % len(BITS)]
    for element in ("f64", "f32"):
        module = parsed(sums(order, element, LENGTHS))
        code = lowered(module, 2)
        forms = [code, vectorized(code, bits)]
        check_words(module, forms, (3,), len(order))
    check_terms(module, forms, (2,))


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    """More of them run in `python -m code_level.campaign`."""
    module = parsed(random_program(seed))
    code = lowered(module, 1 + seed % 5)
    forms = [code, vectorized(code, BITS[seed % 4], 1 + seed % 2)]
    check_words(module, forms, (0, 3, 9), seed)
    if seed % 3 == 0:
        check_terms(module, forms, (2,))


def test_functions_before_and_behind_their_expansion() -> None:
    text = """
pointwise.contribution @logistic(%w : tensor<11xf32>) sample(%x : tensor<11xf32>, %y : f32)
    -> (tensor<11xf32>, observed "loss" : f32) {
  %p = pointwise.fold add lanes<8> along [k : 11] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f32
    %e = math.tanh %ab : f32
    pointwise.yield %e
  } : f32
  %s = pointwise.sigmoid %p : f32
  %r = arith.subf %s, %y : f32
  %g = pointwise.map over [i : 11] (%xi = %x[i], %ri = %r) {
    %e = math.exp %xi : f32
    %gi = arith.mulf %ri, %e : f32
    pointwise.yield %gi
  } : tensor<11xf32>
  %l = math.log %s : f32
  pointwise.return %g, %l
}
"""
    module = parsed(text)
    code = lowered(module, 1)
    forms = [code, vectorized(expanded(code), 512), expanded(vectorized(code, 256))]
    forms.append(vectorized(forms[-1], 256))
    check_words(module, forms, (2,), 2)
