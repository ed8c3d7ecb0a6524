"""Kernels of random programs, against the interpreter of programs; `ptx.campaign` has more."""

from __future__ import annotations

import pytest
from code_level.running import parsed
from ptx.campaign import of_program
from ptx.kernels import compare_kernels

PROGRAMS = 120
BATCH = 12


@pytest.mark.parametrize("first", range(0, PROGRAMS, BATCH))
def test_random_programs(first: int) -> None:
    for seed in range(first, first + BATCH):
        found = of_program(seed)
        assert found.runs and not found.wrong, f"program {seed}: {found.wrong}"


FOLDS = """
pointwise.contribution @f(%w : tensor<100x{e}>) sample(%x : tensor<100x{e}>, %y : {e})
    -> (tensor<100x{e}>, observed "r" : {e}, observed "q" : {e}, observed "z" : {e}) {{
  %p = pointwise.fold {k} {first} along [k : 100] (%a = %w[k], %b = %x[k]) {{
    %ab = arith.mulf %a, %b : {e}
    pointwise.yield %ab
  }} : {e}
  %q = pointwise.fold {k} {second} along [k : 100] (%a = %w[k], %b = %x[k]) {{
    %ab = arith.addf %a, %b : {e}
    pointwise.yield %ab
  }} : {e}
  %z = pointwise.fold {k} {third} along [k : 10, j : 10] (%a = %w[k * 10 + j], %b = %x[j]) {{
    %ab = arith.subf %a, %b : {e}
    pointwise.yield %ab
  }} : {e}
  %r = arith.subf %p, %y : {e}
  %g = pointwise.map over [i : 100] (%xi = %x[i], %ri = %r, %qi = %q) {{
    %gi = arith.mulf %ri, %xi : {e}
    %hi = arith.addf %gi, %qi : {e}
    pointwise.yield %hi
  }} : tensor<100x{e}>
  pointwise.return %g, %r, %q, %z
}}
"""
ORDERS = (
    ("left", "pairs", "lanes<2>"),
    ("lanes<8>", "lanes<32>", "lanes<64>"),
    ("lanes<128>", "lanes<1024>", "pairs"),
    ("pairs", "left", "lanes<16>"),
    ("lanes<256>", "lanes<4>", "left"),
)


@pytest.mark.parametrize("kind", ["add", "max"])
@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("orders", ORDERS, ids=["-".join(each) for each in ORDERS])
def test_folds_in_every_order(orders: tuple[str, str, str], element: str, kind: str) -> None:
    first, second, third = orders
    text = FOLDS.format(e=element, k=kind, first=first, second=second, third=third)
    found = compare_kernels(parsed(text), (0, 1, 3, 9, 40))
    assert found.runs == 5 and not found.wrong


HANDED_ON = """
pointwise.update @f(%a : f32, %v : tensor<3xf32>, %b : f32, %u : tensor<3xf32>)
    -> (f32, tensor<3xf32>, f32, tensor<3xf32>, f32) {
  %c = arith.mulf %a, %b : f32
  pointwise.return %b, %u, %c, %v, %c
}
"""


def test_what_is_handed_on_is_read_before_any_of_it_is_stored() -> None:
    found = compare_kernels(parsed(HANDED_ON), (1, 5, 9))
    assert found.runs == 6 and not found.wrong
