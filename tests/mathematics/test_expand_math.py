"""--expand-math: what it makes of a function has the bits of the interpreter, in each lane."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest
from mathematics.code_words import run
from mathematics.points import SPECIAL, f64_points
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from alpha.interpreters.words import DTYPES, Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.mathematics.lists import FUNCTIONS, operation_list
from alpha.ir.mathematics.steps import CONSTANT, OPERAND
from alpha.ir.refusals import Refusal
from alpha.passes.expand_math import ExpandMathPass

ELEMENTS = ("f64", "f32")
COUNT = 150
PACK = {"f64": "<d", "f32": "<f"}


def _expanded(operation: str, type: str) -> tuple[ModuleOp, FuncOp]:
    context: Context = make_context()
    text = f"""
      func.func @f(%x: {type}) -> {type} {{
        %y = {operation} %x : {type}
        func.return %y : {type}
      }}"""
    module = parse_text(context, text, "function.mlir")
    verify_module(module)
    ExpandMathPass().apply(context, module)
    verify_module(module)
    (function,) = [op for op in module.walk() if isinstance(op, FuncOp)]
    return module, function


def _words(operation: str, element: str) -> np.ndarray:
    with np.errstate(over="ignore"):
        special = np.array(SPECIAL).astype(DTYPES[element])
        return np.concatenate([special, f64_points(operation, COUNT, 3).astype(DTYPES[element])])


def _bits(element: str, word: float) -> bytes:
    return b"NaN" if math.isnan(word) else struct.pack(PACK[element], word)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_a_scalar_has_the_bits_of_the_interpreter(operation: str, element: str) -> None:
    words = _words(operation, element)
    wanted = Words().apply(operation, words).tolist()
    _, function = _expanded(operation, element)
    for word, result in zip(words.tolist(), wanted, strict=True):
        (found,) = run(function, word)
        assert _bits(element, found) == _bits(element, result), float(word).hex()


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_each_lane_of_a_vector_has_the_bits_of_a_scalar(operation: str, element: str) -> None:
    words = _words(operation, element)
    words = words[: len(words) // 4 * 4].reshape(-1, 4)
    wanted = Words().apply(operation, words).tolist()
    _, function = _expanded(operation, f"vector<4x{element}>")
    for lanes, results in zip(words.tolist(), wanted, strict=True):
        (found,) = run(function, lanes)
        bits = [_bits(element, word) for word in found]
        assert bits == [_bits(element, word) for word in results], lanes


@pytest.mark.parametrize("type", ["f64", "f32", "vector<2xf64>", "vector<8xf32>"])
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_only_operations_of_the_list_are_left(operation: str, type: str) -> None:
    _, function = _expanded(operation, type)
    names = [op.name for op in function.body.block.ops]
    listing = operation_list(operation, type.strip("vector<>").rpartition("x")[2])
    steps = [step.operation for step in listing.steps if step.operation != OPERAND]
    assert [name for name in names if name != "func.return"] == [
        "arith.cmpf" if step.startswith("arith.cmpf.") else step for step in steps
    ]
    constants = [step for step in listing.steps if step.operation == CONSTANT]
    assert len({(step.type, str(step.value)) for step in constants}) == len(constants)


def test_what_stands_outside_of_functions_stays() -> None:
    context = make_context()
    text = """
      pointwise.update @u(%a : f64) -> (f64) {
        %b = math.exp %a : f64
        pointwise.return %b
      }"""
    module = parse_text(context, text, "update.mlir")
    before = str(module)
    ExpandMathPass().apply(context, module)
    assert str(module) == before


@pytest.mark.parametrize("type", ["f16", "bf16", "vector<4xf16>", "tensor<4xf64>"])
def test_other_words_are_refused(type: str) -> None:
    with pytest.raises(Refusal) as caught:
        _expanded("math.tanh", type)
    assert caught.value.code == "target-unsupported"
    assert type in caught.value.found
