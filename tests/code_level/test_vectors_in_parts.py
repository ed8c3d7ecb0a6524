"""Vectors of every number of lanes are the target's vectors behind `vectorize`, and do the same.

Every operation that has parts is in one function, which the interpreter of code runs before and
behind the pass: all bits of all memory are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
import pytest
from code_level.running import parsed, vectorized
from code_level.vectors_of_any_lanes import ELEMENTS, Function, memory_after
from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import IndexType, ModuleOp, VectorType

from alpha.interpreters.code import Code
from alpha.interpreters.words import Words
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.passes.loops.splitting import Splitter
from alpha.passes.loops.vector_parts import Parts, refined, spans, widths_of
from alpha.passes.vectorize import VectorizePass

LANES = range(1, 18)
BITS = (64, 128, 256, 512)


def other_vectors(module: ModuleOp, bits: int) -> list[str]:
    """The types of vectors of words that a target with vectors of so many bits doesn't have.

    A half of a narrowest one is what a vector of words of 64 bits becomes in 32 bits.
    """
    types = {value.type for op in module.walk() for value in op.results}
    found: list[str] = []
    for type in types:
        if isinstance(type, VectorType) and str(type.element_type) != "i1":
            (lanes,) = type.get_shape()
            whole = lanes * int(str(type.element_type)[1:])
            if whole & (whole - 1) or lanes < 2 or not min(bits // 2, 128) <= whole <= bits:
                found.append(str(type))
    return found


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("lanes", LANES)
def test_bits_are_those_of_any_lanes(lanes: int, element: str) -> None:
    f = Function(lanes, lanes, element)
    module = parsed(f.text())
    wanted = memory_after(module, f, lanes)
    for bits in BITS if lanes in (1, 2, 3, 5, 9, 17) else BITS[1:]:
        code = module.clone()
        VectorizePass(bits).apply(Context(), code)
        if bits == BITS[lanes % len(BITS)]:
            verify_module(code)
        assert memory_after(code, f, lanes) == wanted, f"{bits} bits"
        assert other_vectors(code, bits) == []
        if bits == BITS[0]:
            assert not [op for op in code.walk() if op.name.startswith("vector.")]


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("element", (*ELEMENTS, "i8", "i1", "index"))
def test_parts_have_the_lanes_together(element: str, bits: int) -> None:
    widths = dict.fromkeys(ELEMENTS, 64) | {"f32": 32, "i32": 32, "i8": 8, "i1": 1, "index": 64}
    type = {"index": IndexType()}.get(element)
    for lanes in range(1, 140):
        vector = parsed(_empty(f"vector<{lanes}x{element}>")).body.block.first_op
        assert vector is not None
        found = vector.regions[0].block.args[0].type
        assert type is None or found.element_type == type  # pyright: ignore
        parts = widths_of(found, bits)
        assert sum(parts) == lanes
        for (start, end), width in zip(spans(parts), parts, strict=True):
            assert end - start == width and width & (width - 1) == 0 and start % width == 0
            assert width == 1 or 128 <= width * widths[element] <= bits
        assert element != "i1" or set(parts) == {1}


def _empty(type: str) -> str:
    return f"func.func @f(%a : {type}) {{\n  func.return\n}}"


def test_the_widest_parts_are_taken() -> None:
    expected: dict[tuple[str, int, int], Sequence[int]] = {
        ("f64", 5, 256): (4, 1),
        ("f64", 7, 256): (4, 2, 1),
        ("f64", 3, 128): (2, 1),
        ("f64", 12, 512): (8, 4),
        ("f64", 8, 256): (4, 4),
        ("f32", 7, 128): (4, 1, 1, 1),
        ("f32", 12, 256): (8, 4),
        ("i32", 3, 512): (1, 1, 1),
        ("i64", 2, 64): (1, 1),
    }
    for (element, lanes, bits), parts in expected.items():
        module = parsed(_empty(f"vector<{lanes}x{element}>"))
        type = module.body.block.first_op.regions[0].block.args[0].type  # pyright: ignore
        assert widths_of(type, bits) == parts


def test_refined_parts_lie_in_both() -> None:
    assert refined([(4, 2), (4, 1, 1)]) == (4, 1, 1)
    assert refined([(8, 4), (4, 4, 4), (8, 2, 2)]) == (4, 4, 2, 2)
    assert refined([(4, 1)]) == (4, 1)
    for one, other in (((4, 4, 1), (8, 1)), ((2, 2, 2), (4, 2))):
        ends = set(accumulate(refined([one, other])))
        assert ends == set(accumulate(one)) | set(accumulate(other))


def test_indices_of_lanes_are_words_where_they_must() -> None:
    text = """
func.func @f(%o : memref<?xindex>) {
  %0 = arith.constant 0 : index
  %c = arith.constant dense<[7, -2, 9]> : vector<3xindex>
  vector.store %c, %o[%0] : memref<?xindex>, vector<3xindex>
  func.return
}
"""
    for bits in BITS:
        memory = np.full(5, 77, np.uint64)
        Code(vectorized(parsed(text), bits), Words()).call("f", [memory])
        assert memory.view(np.int64).tolist() == [7, -2, 9, 77, 77]


def test_a_function_takes_and_gives_vectors_of_the_target() -> None:
    text = """
func.func private @g(vector<4xf64>, i64) -> (vector<4xf64>, i64)
func.func @f(%a : vector<4xf64>, %n : i64, %w : memref<?xf64>) -> (i64, vector<4xf64>) {
  %0 = arith.constant 0 : index
  %x = vector.load %w[%0] : memref<?xf64>, vector<6xf64>
  %b, %m = func.call @g(%a, %n) : (vector<4xf64>, i64) -> (vector<4xf64>, i64)
  %c = vector.shuffle %b, %x [0, 4, 1, 9] : vector<4xf64>, vector<6xf64>
  func.return %m, %c : i64, vector<4xf64>
}
"""
    code = str(vectorized(parsed(text), 256))
    assert "func.call @g" in code and "vector<6xf64>" not in code
    with pytest.raises(Refusal, match="or vectors of 128 bits, found vector<4xf64>") as caught:
        vectorized(parsed(text), 128)
    assert caught.value.code == "target-unsupported"


def _module_of(line: str) -> str:
    return f"""
func.func @f(%w : memref<?xf64>, %r : memref<f64>, %k : index, %v : f64) {{
  %0 = arith.constant 0 : index
  %x = vector.load %w[%0] : memref<?xf64>, vector<6xf64>
  {line}
  func.return
}}
"""


WITHOUT_PARTS = {
    "a place that isn't known": "%e = vector.extract %x[%k] : f64 from vector<6xf64>",
    "a place to put it that isn't": "%e = vector.insert %v, %x [%k] : f64 into vector<6xf64>",
    "all lanes": "%e = vector.extract %x[] : vector<6xf64> from vector<6xf64>",
    "a vector of vectors": "%e = vector.broadcast %x : vector<6xf64> to vector<2x6xf64>",
    "a lane of neither": "%e = vector.shuffle %x, %x [0, -1] : vector<6xf64>, vector<6xf64>",
    "a word without an index": "%e = vector.load %r[] : memref<f64>, vector<1xf64>",
    "no axis": "%e = arith.constant dense<0.0> : vector<f64>",
    "two axes": "%e = arith.constant dense<0.0> : vector<2x3xf64>",
    "an extent that isn't known": "%e = arith.constant dense<0.0> : vector<[4]xf64>",
    "a sum of lanes": "%e = vector.reduction <add>, %x : vector<6xf64> into f64",
}


@pytest.mark.parametrize("kind", WITHOUT_PARTS)
def test_what_has_no_parts_is_refused_by_name(kind: str) -> None:
    for bits in BITS:
        with pytest.raises(Refusal) as caught:
            vectorized(parsed(_module_of(WITHOUT_PARTS[kind])), bits)
        assert caught.value.code == "target-unsupported"


def test_fma_of_words_is_that_of_vectors() -> None:
    line = "%e = vector.fma %x, %x, %x : vector<6xf64>\n"
    line += "  vector.store %e, %w[%0] : memref<?xf64>, vector<6xf64>"
    code = vectorized(parsed(_module_of(line)), 64)
    assert len([op for op in code.walk() if isinstance(op, math.FmaOp)]) == 6


MUTANTS = {
    "lanes in the other order": (
        Parts,
        "place",
        lambda place: lambda self, lane: place(self, sum(self.widths) - 1 - lane),
    ),
    "the first lane for all": (Parts, "place", lambda place: lambda self, lane: place(self, 0)),
    "the last lane isn't stored": (
        Splitter,
        "_store",
        lambda store: lambda self, *rest: store(self, *rest[:-1], (*rest[-1][:-1], False)),
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, change = MUTANTS[name]
    monkeypatch.setattr(owner, attribute, change(getattr(owner, attribute)))
    with pytest.raises(AssertionError, match="bits"):
        test_bits_are_those_of_any_lanes(5, "f64")


@pytest.mark.parametrize(
    "wrong", [lambda type, bits: (4, 4), lambda type, bits: (1,) * 4], ids=["more", "fewer"]
)
def test_parts_of_other_lanes_are_no_code(
    wrong: Callable[[VectorType, int], tuple[int, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts that together have more lanes than their vector, or fewer, end in an error."""
    monkeypatch.setattr(f"{Splitter.__module__}.widths_of", wrong)
    with pytest.raises(IndexError):
        test_bits_are_those_of_any_lanes(5, "f64")


def test_comparisons_are_made_again_in_other_parts() -> None:
    """Targets take no masks apart."""
    f = Function(5, 6, "f32")
    code = vectorized(parsed(f.text()), 256)
    for op in code.walk():
        moved = op.name in ("vector.shuffle", "vector.extract", "vector.insert")
        assert not (moved and "i1" in str(op)), str(op)
    widths = {str(op.results[0].type) for op in code.walk() if op.name == "arith.cmpf"}
    assert widths == {"i1", "vector<2xi1>", "vector<4xi1>"}
