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


@pytest.mark.parametrize("order", ORDERS)
def test_sums_of_sums(order: str) -> None:
    """A fold along an axis over which another fold gives its results, in every two orders.

    Short ones and long ones take turns.
    """
    for number, given in enumerate(ORDERS, ORDERS.index(order)):
        length = (3, 40)[number % 2]
        module = parsed(f"""
pointwise.contribution @sums(%w : tensor<5xf64>) sample(%x : f64) -> (f64) {{
%s = pointwise.fold add {given} over [i : 5] along [j : {length}] (%a = %w[i], %b = %x) {{
  %c = arith.mulf %a, %b : f64
  pointwise.yield %c
}} : tensor<5xf64>
%t = pointwise.fold add {order} along [i : 5] (%a = %s[i]) {{
  pointwise.yield %a
}} : f64
pointwise.return %t
}}""")
        code = lowered(module)
        check_words(module, [code, vectorized(code, 256)], (2,), length)


@pytest.mark.parametrize("order", ORDERS)
def test_sums_of_nothing_are_stored_and_added(order: str) -> None:
    """In a loop in lanes, too, each of them is written."""
    for kind in ("contribution", "update"):
        sample = ") sample(" if kind == "contribution" else ", "
        module = parsed(f"""
pointwise.{kind} @p(%w : tensor<9xf32>{sample}%x : f32) -> (tensor<7xf32>, f32) {{
%s = pointwise.fold add pairs over [i : 7] along [j : 0] (%a = %w[j]) {{
  pointwise.yield %a
}} : tensor<7xf32>
%t = pointwise.fold add {order} along [i : 7] (%a = %s[i], %b = %x) {{
  %c = arith.addf %a, %b : f32
  pointwise.yield %c
}} : f32
pointwise.return %s, %t
}}""")
        code = lowered(module)
        check_words(module, [code, vectorized(code, 256)], (0, 1, 5), 3)


EMPTY = """
%s = pointwise.fold add {order} over [{over}] along [j : 0] (
    %x = {given}[{away}], %y = %w[{near}]) {{
  %z = arith.mulf %x, %y : f64
  pointwise.yield %z
}} : {shape}"""

READER = """
%t = pointwise.fold add {order} over [{over}] along [j : 3] (%x = %v[{own}], %y = %s[{own}]) {{
  %z = arith.mulf %x, %y : f64
  pointwise.yield %z
}} : {shape}"""


@pytest.mark.parametrize("order", ORDERS)
def test_a_fold_of_nothing_reads_nothing(order: str) -> None:
    """Its indices needn't lie in what it would read, nor does it bind a loop or a memory."""
    for over, shape, own in (("i : 4", "4xf64", "i"), ("i : 1, h : 4", "1x4xf64", "i, h")):
        for given in ("%a", "%v"):
            for reader, returned in (("", "%s"), (READER, "%t"), (READER, "%s")):
                words = {
                    "over": over,
                    "shape": f"tensor<{shape}>",
                    "own": own,
                    "order": order,
                    "given": given,
                    "away": own.replace("i", "i + 7").replace("h", "0 - h"),
                    "near": own.replace("i", "j"),
                }
                text = """
pointwise.update @p(%a : {shape}, %b : {shape}) -> ({shape}) {{
%v, %w = pointwise.map over [{over}] (%x = %a[{own}]) {{
  %y = math.absf %x : f64
  pointwise.yield %y, %x
}} : {shape}, {shape}"""
                text = f"{text}{EMPTY}{reader}\npointwise.return {returned}\n}}}}"
                module = parsed(text.format(**words))
                code = lowered(module)
                check_words(module, [code, vectorized(code, 256)], (0, 1, 4, 9), 1)


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
