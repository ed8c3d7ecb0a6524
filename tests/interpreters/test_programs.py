"""Programs on both carriers: indices that leave 64 bits on the way, and domains without points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.sums import group_sums
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words
from alpha.ir.dialects.pointwise_programs import ContributionOp, UpdateOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

WORDS = np.array([1.0, 2.0, 3.0, 4.0])
LARGEST = 2**63 - 1
HALF = 2**62

INDICES: dict[str, Callable[[int], int]] = {
    f"(i * {LARGEST}) mod 3": lambda i: (i * LARGEST) % 3,
    f"(i * {-LARGEST}) mod 3": lambda i: (i * -LARGEST) % 3,
    f"(i * {LARGEST} - {LARGEST}) floordiv {LARGEST} + 1": lambda i: i,
    f"(i * {LARGEST}) ceildiv {LARGEST}": lambda i: i,
    f"(i * {LARGEST}) floordiv {LARGEST}": lambda i: i,
    f"(i * {HALF}) mod 3": lambda i: (i * HALF) % 3,
    f"(i * {HALF}) floordiv {HALF}": lambda i: i,
    f"(i * {LARGEST} + i * {LARGEST} + i * 2) mod 3": lambda i: (i * 2**64) % 3,
    f"(i * {LARGEST} + {LARGEST} + i) floordiv {LARGEST} - 1": lambda i: i,
    f"({LARGEST} - i) mod 4": lambda i: (LARGEST - i) % 4,
    f"i * {LARGEST} - i * {LARGEST - 1}": lambda i: i,
}


def program_op(text: str) -> ContributionOp | UpdateOp:
    """The one program of a text, verified."""
    module = parse_text(make_context(), text, "program.mlir")
    verify_module(module)
    op = module.body.block.first_op
    assert isinstance(op, ContributionOp | UpdateOp)
    return op


def run_words(text: str, *arrays: Any) -> list[np.ndarray]:
    """The results of an update on arrays."""
    values = [Value(np.asarray(array), False) for array in arrays]
    return [value.words for value in Program(program_op(text), Words()).run(values)]


def run_terms(text: str, *arrays: Any) -> list[np.ndarray]:
    """The same by terms, which are then evaluated; an array without terms is as it is."""
    terms, values, environment = Terms(), [], {}
    for number, array in enumerate(map(np.asarray, arrays)):
        environment[f"x{number}"] = array
        values.append(Value(terms.symbol_array(f"x{number}", array.shape, "f64"), False))
    results = [value.words for value in Program(program_op(text), terms).run(values)]
    return [terms.evaluate(ids, environment) if ids.size else ids for ids in results]


RUNS = pytest.mark.parametrize("run", [run_words, run_terms])


@RUNS
@pytest.mark.parametrize("index", INDICES)
def test_index_that_leaves_64_bits_on_the_way(index: str, run: Any) -> None:
    text = f"""
pointwise.update @pick(%x : tensor<4xf64>) -> (tensor<4xf64>) {{
  %y = pointwise.map over [i : 4] (%a = %x[{index}]) {{
    pointwise.yield %a
  }} : tensor<4xf64>
  pointwise.return %y
}}
"""
    (found,) = run(text, WORDS)
    assert found.tolist() == [WORDS[INDICES[index](i)] for i in range(4)]


@RUNS
def test_two_indices_of_which_one_leaves_64_bits(run: Any) -> None:
    text = f"""
pointwise.update @pick(%x : tensor<3x4xf64>) -> (tensor<2x4xf64>) {{
  %y = pointwise.map over [i : 2, j : 4] (%a = %x[i + 1, (j * {LARGEST} + i) mod 4]) {{
    pointwise.yield %a
  }} : tensor<2x4xf64>
  pointwise.return %y
}}
"""
    x = np.arange(12.0).reshape(3, 4)
    (found,) = run(text, x)
    wanted = [[x[i + 1, (j * LARGEST + i) % 4] for j in range(4)] for i in range(2)]
    assert found.tolist() == wanted


EMPTY = """
pointwise.update @none(%w : tensor<2xf64>, %e : tensor<1x0xf64>, %s : f64)
    -> (tensor<0x4xf64>, tensor<4x0xf64>, tensor<0x3xf64>, tensor<4xf64>, tensor<0xf64>) {
  %a = pointwise.map over [i : 0, j : 4] (%x = %w[j], %y = %e[0, j], %z = %s) {
    %xy = arith.mulf %x, %y : f64
    %xyz = arith.mulf %xy, %z : f64
    pointwise.yield %xyz
  } : tensor<0x4xf64>
  %b = pointwise.map over [i : 4, j : 0] (%x = %w[i], %y = %e[i, i + 7]) {
    %one = arith.constant 1.0 : f64
    %xy = arith.addf %x, %one : f64
    pointwise.yield %xy
  } : tensor<4x0xf64>
  %c = pointwise.map over [i : 0, j : 3] (%x = %w[5]) {
    pointwise.yield %x
  } : tensor<0x3xf64>
  %d = pointwise.fold add left over [i : 4] along [k : 0] (%x = %w[i], %y = %e[i, i]) {
    %xy = arith.addf %x, %y : f64
    pointwise.yield %xy
  } : tensor<4xf64>
  %m = pointwise.fold max pairs over [i : 0] along [k : 9] (%x = %w[k]) {
    pointwise.yield %x
  } : tensor<0xf64>
  pointwise.return %a, %b, %c, %d, %m
}
"""


@RUNS
def test_a_domain_without_points_reads_nothing(run: Any) -> None:
    """Also where an index would lie outside of its operand at a point that isn't there."""
    results = run(EMPTY, WORDS[:2], np.zeros((1, 0)), 3.0)
    assert [array.shape for array in results] == [(0, 4), (4, 0), (0, 3), (4,), (0,)]
    assert [word.hex() for word in results[3].tolist()] == [(-0.0).hex()] * 4


NO_WORDS = """
pointwise.contribution @none(%e : tensor<0xf64>, %w : tensor<2xf64>)
    sample(%x : tensor<8xf64>, %y : f64)
    -> (f64, tensor<0xf64>, tensor<8x0xf64>, tensor<1073741824x0xf64>, observed "y" : f64) {
  %s = pointwise.fold add lanes<4> along [k : 0] (%a = %e[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %g = pointwise.map over [k : 0] (%a = %x[k + 8]) {
    pointwise.yield %a
  } : tensor<0xf64>
  %m = pointwise.map over [i : 8, j : 0] (%a = %w[i], %b = %x[i], %c = %y) {
    %ab = arith.mulf %a, %b : f64
    %abc = arith.mulf %ab, %c : f64
    pointwise.yield %abc
  } : tensor<8x0xf64>
  %z = pointwise.map over [i : 1073741824, j : 0] (%a = %y) {
    pointwise.yield %a
  } : tensor<1073741824x0xf64>
  pointwise.return %s, %g, %m, %z, %y
}
"""


def sums_by_group(carrier: Carrier, groups: list[int]) -> list[list[np.ndarray]]:
    """Of each group, the sums of the results: of -0.0, thrice of no words, and of 1, 2, 3, ..."""
    op = program_op(NO_WORDS)
    program = Program(op, carrier)
    count = sum(groups)
    parameters = [Value(carrier.literal(words), False) for words in (WORDS[:0], WORDS[:2])]
    samples = [carrier.literal(np.ones((count, 8))), carrier.literal(np.arange(1.0, count + 1))]
    types = op.function_type.outputs.data
    return group_sums(carrier, program, parameters, samples, groups, types)


@pytest.mark.parametrize("terms", [False, True], ids=["words", "terms"])
def test_sums_of_a_contribution_without_words(terms: bool) -> None:
    """Parameters of no size are legal and contribute nothing; a sum of nothing is -0.0."""
    carrier = Terms() if terms else Words()
    sums = sums_by_group(carrier, [2, 0, 1])
    shapes = [(), (0,), (8, 0), (1 << 30, 0), ()]
    assert [[array.shape for array in group] for group in sums] == [shapes] * 3
    words = [[group[0], group[4]] for group in sums]
    if isinstance(carrier, Terms):
        words = [[carrier.evaluate(ids, {}) for ids in group] for group in words]
    assert [[float(word).hex() for word in group] for group in words] == [
        [(-0.0).hex(), (3.0).hex()],
        [(-0.0).hex(), (-0.0).hex()],
        [(-0.0).hex(), (3.0).hex()],
    ]


def test_an_array_without_words_counts_its_other_axes() -> None:
    """So that a chunk of samples never has an array that numpy can't have, though it is empty."""
    program = Program(program_op(NO_WORDS), Words())
    assert program.words_max == 1 << 30
