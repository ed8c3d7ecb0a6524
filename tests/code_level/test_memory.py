"""Memory of code: bounds, words that nothing wrote, bytes, buffers that are gone, constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from code_level.running import parsed
from xdsl.context import Context

from alpha.interpreters.code import Code, CodeFault, OutOfBounds, UninitializedRead
from alpha.interpreters.code.faults import UndefinedResult
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.passes.lower_memref import LowerMemrefPass

TWO_AXES = """
func.func @load(%m : memref<?x3xf64>, %i : i64, %j : i64) -> f64 {
  %a = arith.index_cast %i : i64 to index
  %b = arith.index_cast %j : i64 to index
  %x = memref.load %m[%a, %b] : memref<?x3xf64>
  func.return %x : f64
}
func.func @row(%m : memref<?x3xf64>, %i : i64, %j : i64) -> f64 {
  %a = arith.index_cast %i : i64 to index
  %b = arith.index_cast %j : i64 to index
  %x = vector.load %m[%a, %b] : memref<?x3xf64>, vector<2xf64>
  %y = vector.extract %x[1] : f64 from vector<2xf64>
  func.return %y : f64
}
func.func @masked(%m : memref<?x3xf64>, %i : i64, %j : i64) -> f64 {
  %a = arith.index_cast %i : i64 to index
  %b = arith.index_cast %j : i64 to index
  %mask = arith.constant dense<[true, false]> : vector<2xi1>
  %none = arith.constant dense<9.0> : vector<2xf64>
  %x = vector.maskedload %m[%a, %b], %mask, %none
    : memref<?x3xf64>, vector<2xi1>, vector<2xf64> into vector<2xf64>
  vector.maskedstore %m[%a, %b], %mask, %none : memref<?x3xf64>, vector<2xi1>, vector<2xf64>
  %y = vector.extract %x[1] : f64 from vector<2xf64>
  func.return %y : f64
}
"""


def test_indices_lie_inside_their_axes() -> None:
    code = Code(parsed(TWO_AXES), Words())
    words = np.arange(6.0).reshape(2, 3)
    assert code.call("load", [words, 1, 2]) == [5.0]
    assert code.call("row", [words, 1, 1]) == [5.0]
    for name, i, j in (("load", 2, 0), ("load", -1, 0), ("load", 0, 3), ("row", 0, 2)):
        with pytest.raises(OutOfBounds):
            code.call(name, [words, i, j])


def test_a_mask_leaves_the_other_lanes_alone() -> None:
    words = np.arange(6.0).reshape(2, 3)
    assert Code(parsed(TWO_AXES), Words()).call("masked", [words, 1, 2]) == [9.0]
    assert words.tolist() == [[0, 1, 2], [3, 4, 9]]


STACK = """
func.func @f(%n : i64, %write : i64) -> f64 {
  %0 = arith.constant 0 : index
  %k = arith.index_cast %n : i64 to index
  %w = arith.index_cast %write : i64 to index
  %b = memref.alloca() : memref<4xf64>
  %x = arith.constant 1.5 : f64
  memref.store %x, %b[%w] : memref<4xf64>
  %y = memref.load %b[%k] : memref<4xf64>
  func.return %y : f64
}
func.func private @inner() -> !ptr_xdsl.ptr {
  %b = memref.alloca() : memref<4xi64>
  %p = ptr_xdsl.to_ptr %b : memref<4xi64> -> !ptr_xdsl.ptr
  func.return %p : !ptr_xdsl.ptr
}
func.func @gone() -> i64 {
  %p = func.call @inner() : () -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %p : !ptr_xdsl.ptr -> i64
  func.return %x : i64
}
"""


def test_words_of_the_stack_are_written_before_they_are_read() -> None:
    code = Code(parsed(STACK), Words())
    assert code.call("f", [2, 2]) == [1.5]
    with pytest.raises(UninitializedRead):
        code.call("f", [1, 2])
    with pytest.raises(OutOfBounds):
        code.call("f", [0, 4])


def test_a_buffer_is_gone_when_its_function_has_returned() -> None:
    with pytest.raises(CodeFault):
        Code(parsed(STACK), Words()).call("gone", [])


GLOBALS = """
"memref.global"() <{sym_name = "table", type = memref<4xi32>, constant,
  initial_value = dense<[1, 2, 3, 4]> : tensor<4xi32>, sym_visibility = "private"}> : () -> ()
"memref.global"() <{sym_name = "count", type = memref<1xi64>, initial_value,
  sym_visibility = "private"}> : () -> ()
func.func @next() -> i64 {
  %0 = arith.constant 0 : index
  %c = memref.get_global @count : memref<1xi64>
  %t = memref.get_global @table : memref<4xi32>
  %n = memref.load %c[%0] : memref<1xi64>
  %i = arith.index_cast %n : i64 to index
  %w = memref.load %t[%i] : memref<4xi32>
  %x = arith.extui %w : i32 to i64
  %1 = arith.constant 1 : i64
  %m = arith.addi %n, %1 : i64
  memref.store %m, %c[%0] : memref<1xi64>
  func.return %x : i64
}
func.func @start(%n : i64) {
  %0 = arith.constant 0 : index
  %c = memref.get_global @count : memref<1xi64>
  memref.store %n, %c[%0] : memref<1xi64>
  func.return
}
func.func @spoil(%w : i32) {
  %0 = arith.constant 0 : index
  %t = memref.get_global @table : memref<4xi32>
  memref.store %w, %t[%0] : memref<4xi32>
  func.return
}
"""


def test_globals_live_as_long_as_the_code() -> None:
    code = Code(parsed(GLOBALS), Words())
    with pytest.raises(UninitializedRead):
        code.call("next", [])
    code.call("start", [1])
    assert [code.call("next", []) for _ in range(3)] == [[2], [3], [4]]
    with pytest.raises(OutOfBounds):
        code.call("next", [])
    with pytest.raises(OutOfBounds):
        code.call("spoil", [7])


BYTES = """
func.func @swap(%p : !ptr_xdsl.ptr, %at : i64) -> i32 {
  %q = ptr_xdsl.ptradd %p, %at : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %w = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i32
  %b = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i8
  %3 = arith.constant 3 : i64
  %r = ptr_xdsl.ptradd %q, %3 : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %b, %r : i8, !ptr_xdsl.ptr
  func.return %w : i32
}
func.func @words(%p : !ptr_xdsl.ptr) -> vector<2xf64> {
  %8 = arith.constant 8 : index
  %q = ptr_xdsl.ptradd %p, %8 : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  %v = ptr_xdsl.load %q : !ptr_xdsl.ptr -> vector<2xf64>
  ptr_xdsl.store %v, %p : vector<2xf64>, !ptr_xdsl.ptr
  func.return %v : vector<2xf64>
}
"""


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.int64, np.float64])
def test_integers_are_read_and_written_by_bytes(dtype: Any) -> None:
    content = bytes(range(0x40, 0x58))
    words = np.frombuffer(content, dtype).copy()
    code = Code(parsed(BYTES), Words())
    assert code.call("swap", [words, 5]) == [0x48474645]
    wanted = bytearray(content)
    wanted[8] = 0x45
    assert words.tobytes() == bytes(wanted)
    for at in (21, -1, 24, 1 << 40):
        with pytest.raises(OutOfBounds):
            code.call("swap", [words, at])


def test_vectors_at_an_address() -> None:
    words = np.array([1.0, 2.0, 3.0])
    (found,) = Code(parsed(BYTES), Words()).call("words", [words])
    assert found.tolist() == [2.0, 3.0]
    assert words.tolist() == [2.0, 3.0, 3.0]


def test_bytes_of_expressions_are_refused() -> None:
    terms = Terms()
    code = Code(parsed(BYTES), terms)
    symbols = terms.symbol_array("x", (3,), "f64")
    (found,) = code.call("words", [symbols.copy()])
    assert found.tolist() == symbols[1:].tolist()
    with pytest.raises(Refusal) as caught:
        code.call("swap", [symbols, 0])
    assert caught.value.code == "target-unsupported"


def test_one_array_given_twice_is_one_buffer() -> None:
    text = """
func.func @f(%a : memref<2xf64>, %b : memref<2xf64>) -> f64 {
  %0 = arith.constant 0 : index
  %x = arith.constant 7.0 : f64
  memref.store %x, %a[%0] : memref<2xf64>
  %y = memref.load %b[%0] : memref<2xf64>
  func.return %y : f64
}
"""
    code = Code(parsed(text), Words())
    words = np.zeros(2)
    assert code.call("f", [words, words]) == [7.0]
    assert code.call("f", [words, np.ones(2)]) == [1.0]
    for wrong in (np.zeros(3), np.zeros(2, np.float32), np.zeros(4)[::2]):
        with pytest.raises(TypeError):
            code.call("f", [wrong, words])


def test_a_nan_in_memory_has_one_pattern_of_bits() -> None:
    text = """
func.func @f(%a : memref<2xf64>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %x = memref.load %a[%0] : memref<2xf64>
  memref.store %x, %a[%1] : memref<2xf64>
  func.return
}
"""
    words = np.array([0xFFF8000000000123, 0], np.uint64).view(np.float64)
    Code(parsed(text), Words()).call("f", [words])
    assert words.view(np.uint64).tolist() == [0xFFF8000000000123, 0x7FF8000000000000]


ARRAYS = """
func.func @dynamic(%n : index, %i : index, %x : i64) -> i64 {
  %m = memref.alloca(%n) : memref<?xi64>
  memref.store %x, %m[%i] : memref<?xi64>
  %y = memref.load %m[%i] : memref<?xi64>
  func.return %y : i64
}
func.func @huge(%i : index) {
  %m = memref.alloca() : memref<4294967296x4294967296xf64>
  func.return
}
func.func @pointers(%p : !ptr_xdsl.ptr, %i : index) -> i64 {
  %m = memref.alloca() : memref<2x!ptr_xdsl.ptr>
  memref.store %p, %m[%i] : memref<2x!ptr_xdsl.ptr>
  %q = memref.load %m[%i] : memref<2x!ptr_xdsl.ptr>
  %x = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i64
  func.return %x : i64
}
func.func private @outside(i64)
func.func @calls(%x : i64) {
  func.call @outside(%x) : (i64) -> ()
  func.return
}
"""


def test_arrays_of_a_length_that_is_computed() -> None:
    code = Code(parsed(ARRAYS), Words())
    assert code.call("dynamic", [4, 3, 7]) == [7]
    for extent in (0, 3):
        with pytest.raises(OutOfBounds):
            code.call("dynamic", [extent, 3, 7])
    for extent in (2**64 - 1, 2**63):
        with pytest.raises(UndefinedResult):
            code.call("dynamic", [extent, 0, 7])
    for name, arguments in (("dynamic", [1 << 40, 0, 7]), ("huge", [0])):
        with pytest.raises(Refusal) as caught:
            code.call(name, arguments)
        assert caught.value.code == "target-unsupported"
    assert code.call("pointers", [np.array([5], np.uint64), 1]) == [5]


def test_a_function_without_a_body_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        Code(parsed(ARRAYS), Words()).call("calls", [3])
    assert caught.value.found == "a declaration of @outside"


def test_an_address_is_no_fault_until_something_is_there() -> None:
    """An address may lie anywhere; what is counted from it is found where it is accessed."""
    text = """
func.func @count(%p : !ptr_xdsl.ptr, %from : index, %i : index) -> f64 {
  %q = ptr_xdsl.ptradd %p, %from : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  %m = ptr_xdsl.from_ptr %q : !ptr_xdsl.ptr -> memref<?xf64>
  %0 = arith.constant 0 : index
  %mask = arith.constant dense<[false, true]> : vector<2xi1>
  %none = arith.constant dense<0.0> : vector<2xf64>
  %some = arith.cmpi ne, %i, %0 : index
  %x = scf.if %some -> (f64) {
    %v = vector.maskedload %m[%0], %mask, %none
      : memref<?xf64>, vector<2xi1>, vector<2xf64> into vector<2xf64>
    vector.maskedstore %m[%0], %mask, %v : memref<?xf64>, vector<2xi1>, vector<2xf64>
    %y = vector.extract %v[1] : f64 from vector<2xf64>
    scf.yield %y : f64
  } else {
    %z = arith.constant 9.0 : f64
    scf.yield %z : f64
  }
  func.return %x : f64
}
func.func @before(%m : memref<?xf64>) -> f64 {
  %less = arith.constant -1 : index
  %mask = arith.constant dense<[false, true]> : vector<2xi1>
  %none = arith.constant dense<0.0> : vector<2xf64>
  %v = vector.maskedload %m[%less], %mask, %none
    : memref<?xf64>, vector<2xi1>, vector<2xf64> into vector<2xf64>
  vector.maskedstore %m[%less], %mask, %v : memref<?xf64>, vector<2xi1>, vector<2xf64>
  %y = vector.extract %v[1] : f64 from vector<2xf64>
  func.return %y : f64
}
"""
    module = parsed(text)
    lowered = module.clone()
    LowerMemrefPass().apply(Context(), lowered)
    verify_module(lowered)
    words = np.array([5.0, 6.0])
    for code in (Code(module, Words()), Code(lowered, Words())):
        for at in (0, 16, 800, 2**64 - 8):
            assert code.call("count", [words, at, 0]) == [9.0]
        assert code.call("count", [np.zeros(0), 0, 0]) == [9.0]
        assert code.call("count", [words, 2**64 - 8, 1]) == [5.0]
        with pytest.raises(OutOfBounds):
            code.call("count", [words, 16, 1])
        assert code.call("before", [words]) == [5.0]


TEXT = """
func.func @byte(%i : i64) -> i64 {
  %at, %size = linux.text "a\\C3\\A9\\00z"
  %from = ptr_xdsl.ptradd %at, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %b = ptr_xdsl.load %from : !ptr_xdsl.ptr -> i8
  %w = arith.extui %b : i8 to i64
  func.return %w : i64
}
func.func @size() -> i64 {
  %at, %size = linux.text "a\\C3\\A9\\00z"
  func.return %size : i64
}
func.func @change() {
  %at, %size = linux.text "a\\C3\\A9\\00z"
  %b = arith.constant 1 : i8
  ptr_xdsl.store %b, %at : i8, !ptr_xdsl.ptr
  func.return
}
"""


def test_a_text_is_its_bytes_and_nobody_changes_them() -> None:
    before = parsed(TEXT)
    after = before.clone()
    LowerMemrefPass().apply(Context(), after)
    verify_module(after)
    for module in (before, after):
        code = Code(module, Words())
        assert code.call("size", []) == [5]
        assert [code.call("byte", [i]) for i in range(5)] == [[n] for n in b"a\xc3\xa9\0z"]
        with pytest.raises(OutOfBounds):
            code.call("byte", [5])
        with pytest.raises(CodeFault):
            code.call("change", [])
