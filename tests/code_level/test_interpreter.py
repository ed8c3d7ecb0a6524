"""Arithmetic of code: integers, floats, conversions, and what is undefined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from code_level.running import SPECIAL, parsed

from alpha.interpreters.carriers import OPERATIONS
from alpha.interpreters.code import (
    Code,
    UndefinedResult,
)
from alpha.interpreters.code.floats import FloatWords, rounded
from alpha.interpreters.words import DTYPES, Words


def code(text: str, **options: Any) -> Code:
    """The functions of a text, on words."""
    return Code(parsed(text), Words(), **options)


def call(text: str, *arguments: Any, name: str = "f") -> list[Any]:
    """What a function of a text returns."""
    return code(text).call(name, arguments)


# Integers

INTEGERS = [
    ("arith.addi", 8, (250, 10), 4),
    ("arith.subi", 8, (3, 5), 254),
    ("arith.muli", 16, (0x1234, 0x100), 0x3400),
    ("arith.divui", 8, (200, 7), 28),
    ("arith.divsi", 8, (200, 7), 256 - 8),  # -56 / 7
    ("arith.remui", 8, (200, 7), 4),
    ("arith.remsi", 8, (251, 3), 254),  # -5 rem 3 = -2
    ("arith.floordivsi", 8, (251, 3), 254),
    ("arith.ceildivsi", 8, (251, 3), 255),
    ("arith.ceildivsi", 8, (5, 3), 2),
    ("arith.ceildivui", 8, (200, 7), 29),
    ("arith.andi", 8, (0xCA, 0x6F), 0x4A),
    ("arith.ori", 8, (0xCA, 0x6F), 0xEF),
    ("arith.xori", 8, (0xCA, 0x6F), 0xA5),
    ("arith.shli", 32, (0x80000001, 4), 0x10),
    ("arith.shrui", 32, (0x80000001, 4), 0x08000000),
    ("arith.shrsi", 32, (0x80000001, 4), 0xF8000000),
    ("arith.minsi", 8, (200, 7), 200),
    ("arith.maxsi", 8, (200, 7), 7),
    ("arith.minui", 8, (200, 7), 7),
    ("arith.maxui", 8, (200, 7), 200),
]


@pytest.mark.parametrize(("name", "width", "operands", "wanted"), INTEGERS)
def test_an_integer_operation(
    name: str, width: int, operands: tuple[int, int], wanted: int
) -> None:
    type = f"i{width}"
    text = f"""
func.func @f(%a : {type}, %b : {type}) -> {type} {{
  %c = {name} %a, %b : {type}
  func.return %c : {type}
}}
func.func @v(%a : memref<4x{type}>, %b : memref<4x{type}>) -> {type} {{
  %0 = arith.constant 0 : index
  %x = vector.load %a[%0] : memref<4x{type}>, vector<4x{type}>
  %y = vector.load %b[%0] : memref<4x{type}>, vector<4x{type}>
  %z = {name} %x, %y : vector<4x{type}>
  %c = vector.extract %z[3] : {type} from vector<4x{type}>
  func.return %c : {type}
}}
"""
    assert call(text, *operands) == [wanted]
    lanes = [np.array([1, 1, 1, word], f"uint{width}") for word in operands]
    assert call(text, *lanes, name="v") == [wanted]


@pytest.mark.parametrize(
    ("predicate", "wanted"),
    [
        *(("eq", 0), ("ne", 1), ("slt", 1), ("sle", 1), ("sgt", 0), ("sge", 0)),
        *(("ult", 0), ("ule", 0), ("ugt", 1), ("uge", 1)),
    ],
)
def test_a_comparison_of_integers(predicate: str, wanted: int) -> None:
    text = f"""
func.func @f(%a : i8, %b : i8) -> i64 {{
  %c = arith.cmpi {predicate}, %a, %b : i8
  %d = arith.extui %c : i1 to i64
  func.return %d : i64
}}
"""
    assert call(text, 200, 7) == [wanted]


def test_widths_are_changed() -> None:
    text = """
func.func @f(%a : i8) -> (i32, i32, i1, index) {
  %b = arith.extui %a : i8 to i32
  %c = arith.extsi %a : i8 to i32
  %d = arith.trunci %a : i8 to i1
  %e = arith.extsi %a : i8 to i64
  %f = arith.index_cast %e : i64 to index
  func.return %b, %c, %d, %f : i32, i32, i1, index
}
"""
    assert call(text, 0x81) == [0x81, 0xFFFFFF81, True, 2**64 - 127]


def test_long_sums_and_products() -> None:
    text = """
func.func @f(%a : i64, %b : i64) -> (i64, i64, i64, i64, i64, i1) {
  %l, %h = arith.mului_extended %a, %b : i64
  %m, %g = arith.mulsi_extended %a, %b : i64
  %s, %c = arith.addui_extended %a, %b : i64, i1
  func.return %l, %h, %m, %g, %s, %c : i64, i64, i64, i64, i64, i1
}
"""
    most = 2**64 - 1
    assert call(text, most, 3) == [most - 2, 2, most - 2, most, 2, True]


@pytest.mark.parametrize(
    ("operation", "operands"),
    [
        ("arith.divui", (1, 0)),
        ("arith.divsi", (0x80, 0xFF)),
        ("arith.remsi", (1, 0)),
        ("arith.shli", (1, 8)),
    ],
)
def test_what_is_undefined_is_a_fault(operation: str, operands: tuple[int, int]) -> None:
    text = f"""
func.func @f(%a : i8, %b : i8) -> i8 {{
  %c = {operation} %a, %b : i8
  func.return %c : i8
}}
"""
    with pytest.raises(UndefinedResult):
        call(text, *operands)


# Floats


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
@pytest.mark.parametrize("element", ["f64", "f32"])
def test_an_operation_is_the_carrier_s(operation: str, element: str) -> None:
    """The short ways of words and vectors, over all special words."""
    with np.errstate(all="ignore"):
        special = np.array(SPECIAL, DTYPES[element])
    floats, words = FloatWords(Words()), Words()
    signature = OPERATIONS[operation].operands
    axes = [np.array([True, False]) if kind == "b" else special for kind in signature]
    columns = [grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")]
    wanted = words.apply(operation, *columns)
    function = floats.function(operation, None)
    if operation == "arith.select":
        function = floats.select(None)
    with np.errstate(all="ignore"):
        found = [function(*row) for row in zip(*columns, strict=True)]
        vector = floats.function(operation, len(wanted))(*columns)
    for result in (np.array(found, wanted.dtype), vector):
        same = (result == wanted) & (np.signbit(result) == np.signbit(wanted))
        assert (same | ((result != result) & (wanted != wanted))).all()


def test_conversions_round_once() -> None:
    assert rounded(2**53 + 1, "f64") == 2.0**53
    # Halfway between two f32 but for the last bit: through f64 it would be rounded twice.
    assert int(rounded(2**60 + 2**36 + 1, "f32")) == 2**60 + 2**37
    assert int(rounded(-(2**60) - 2**36 - 1, "f32")) == -(2**60) - 2**37
    assert int(rounded(2**60 + 2**36, "f32")) == 2**60


@pytest.mark.parametrize(
    ("word", "signed", "unsigned"),
    [
        (-1.5, 2**32 - 1, 0),
        (np.nan, 0, 0),
        (np.inf, 2**31 - 1, 2**32 - 1),
        (-np.inf, 2**31, 0),
        (3e9, 2**31 - 1, 3_000_000_000),
        (7.9, 7, 7),
        (1e300, 2**31 - 1, 2**32 - 1),
    ],
)
def test_floats_become_integers_towards_zero(word: float, signed: int, unsigned: int) -> None:
    text = """
func.func @f(%a : f64) -> (i32, i32) {
  %b = arith.fptosi %a : f64 to i32
  %c = arith.fptoui %a : f64 to i32
  func.return %b, %c : i32, i32
}
"""
    assert call(text, word) == [signed, unsigned]


def test_bits_of_floats_with_one_nan() -> None:
    text = """
func.func @f(%a : f64, %b : i64) -> (i64, f64, f32) {
  %c = arith.bitcast %a : f64 to i64
  %d = arith.bitcast %b : i64 to f64
  %e = arith.truncf %a : f64 to f32
  func.return %c, %d, %e : i64, f64, f32
}
"""
    assert call(text, -0.0, 0x3FF0000000000000)[:2] == [1 << 63, 1.0]
    odd = np.array([0xFFF8000000000123], np.uint64).view(np.float64)[0]
    assert call(text, odd, 0)[0] == 0x7FF8000000000000
    assert call(text, 1e-46, 0)[2] == np.float32(0.0)
