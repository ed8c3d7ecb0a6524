"""Places that no access reaches, arrays that no frame holds, and pointers that are handed on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from selection.compiled import TARGETS, X86, check, compile_text
from xdsl.ir import Operation

from alpha.backends.core.selection import matching
from alpha.backends.toolchain.calls import Buffer, Call
from alpha.ir.refusals import Refusal


def refusal_of(text: str) -> Refusal:
    """The refusal that all targets share."""
    found: list[Refusal] = []
    for target in TARGETS:
        with pytest.raises(Refusal) as caught:
            compile_text(text, target)
        assert caught.value.code == "target-unsupported"
        found.append(caught.value)
    assert len({str(each) for each in found}) == 1
    return found[0]


@pytest.mark.parametrize("words", [0, 1, 2, 5, 6])
def test_constant_places_around_an_array_that_are_never_reached(words: int) -> None:
    """Just behind, before, partly inside, far away, and where the number of bytes wraps."""
    places = (-1, words, words + 1, 5, 1 << 28, -(1 << 28), (1 << 60) - 1, (1 << 63) - 1)
    lines: list[str] = []
    for number, place in enumerate(places):
        lines += [
            f"    %i{number} = arith.constant {place} : index",
            f"    %x{number} = memref.load %m[%i{number}] : memref<{words}xi64>",
            f"    memref.store %zero, %m[%i{number}] : memref<{words}xi64>",
            f"    %s{number + 1} = arith.addi %s{number}, %x{number} : i64",
        ]
    body = "\n".join(lines)
    text = f"""
func.func @look(%go: i1, %s0: i64) -> i64 {{
  %m = memref.alloca() : memref<{words}xi64>
  %zero = arith.constant 0 : i64
  %p = ptr_xdsl.to_ptr %m : memref<{words}xi64> -> !ptr_xdsl.ptr
  %r = scf.if %go -> (i64) {{
{body}
    %last = arith.constant {8 * words - 4} : index
    %q = ptr_xdsl.ptradd %p, %last : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %half = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i64
    %t = arith.addi %s{len(places)}, %half : i64
    scf.yield %t : i64
  }} else {{
    scf.yield %s0 : i64
  }}
  func.return %r : i64
}}
"""
    check(text, [Call("look", [0, 9], "i64")])


def test_lanes_around_an_array() -> None:
    """An access may begin outside of an array if the lanes that are taken lie inside."""
    text = """
func.func @lanes(%go: i1, %out: memref<2xi64>) {
  %m = memref.alloca() : memref<2xi64>
  %zero = arith.constant 0 : index
  %before = arith.constant -1 : index
  %far = arith.constant 5 : index
  %mask = arith.constant dense<[false, true]> : vector<2xi1>
  %v = vector.load %out[%zero] : memref<2xi64>, vector<2xi64>
  vector.store %v, %m[%zero] : memref<2xi64>, vector<2xi64>
  %a = vector.maskedload %m[%before], %mask, %v
    : memref<2xi64>, vector<2xi1>, vector<2xi64> into vector<2xi64>
  vector.maskedstore %m[%before], %mask, %v : memref<2xi64>, vector<2xi1>, vector<2xi64>
  %r = scf.if %go -> (vector<2xi64>) {
    %x = vector.maskedload %m[%far], %mask, %v
      : memref<2xi64>, vector<2xi1>, vector<2xi64> into vector<2xi64>
    vector.maskedstore %m[%far], %mask, %v : memref<2xi64>, vector<2xi1>, vector<2xi64>
    scf.yield %x : vector<2xi64>
  } else {
    %b = vector.load %m[%zero] : memref<2xi64>, vector<2xi64>
    %s = arith.addi %a, %b : vector<2xi64>
    scf.yield %s : vector<2xi64>
  }
  vector.store %r, %out[%zero] : memref<2xi64>, vector<2xi64>
  func.return
}
"""
    check(text, [Call("lanes", [0, Buffer(np.array([5, 60], np.uint64), 0)])])


def test_a_place_far_from_a_name() -> None:
    """A linker reaches a name and 2 GiB around the code, not what lies so far from the name."""
    text = """
"memref.global"() <{sym_name = "none", sym_visibility = "private", type = memref<0xi64>,
  initial_value = dense<1> : tensor<0xi64>}> : () -> ()
func.func @far(%go: i1, %x: i64) -> i64 {
  %m = memref.get_global @none : memref<0xi64>
  %p = ptr_xdsl.to_ptr %m : memref<0xi64> -> !ptr_xdsl.ptr
  %end = arith.constant 2147483647 : index
  %start = arith.constant -2147483647 : index
  %a = ptr_xdsl.ptradd %p, %end : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  %b = ptr_xdsl.ptradd %p, %start : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  scf.if %go {
    ptr_xdsl.store %x, %a : i64, !ptr_xdsl.ptr
    ptr_xdsl.store %x, %b : i64, !ptr_xdsl.ptr
  }
  func.return %x : i64
}
"""
    check(text, [Call("far", [0, 3], "i64")])


def test_the_words_of_globals() -> None:
    """One word for all, none at all, and truths, which are a byte of 0 or 1."""
    text = """
"memref.global"() <{sym_name = "same", sym_visibility = "private", type = memref<4096xi64>,
  initial_value = dense<7> : tensor<4096xi64>}> : () -> ()
"memref.global"() <{sym_name = "none", sym_visibility = "private", type = memref<2x0xi64>,
  initial_value = dense<7> : tensor<2x0xi64>}> : () -> ()
"memref.global"() <{sym_name = "truths", sym_visibility = "private", type = memref<4xi1>,
  initial_value = dense<[true, false, true, true]> : tensor<4xi1>}> : () -> ()
func.func @word(%i: index) -> i64 {
  %m = memref.get_global @same : memref<4096xi64>
  %x = memref.load %m[%i] : memref<4096xi64>
  func.return %x : i64
}
func.func @truth(%i: index) -> i8 {
  %m = memref.get_global @truths : memref<4xi1>
  %p = ptr_xdsl.to_ptr %m : memref<4xi1> -> !ptr_xdsl.ptr
  %q = ptr_xdsl.ptradd %p, %i : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %q : !ptr_xdsl.ptr -> i8
  func.return %x : i8
}
"""
    calls = [Call("word", [i], "i64") for i in (0, 4095)]
    check(text, calls + [Call("truth", [i], "i8") for i in range(4)])
    assert len(compile_text(text, TARGETS[0])) < 300_000


def test_narrow_offsets_have_signs() -> None:
    text = """
func.func @at(%p: !ptr_xdsl.ptr, %i: i32, %j: i8) -> i64 {
  %middle = arith.constant 200 : i16
  %less = arith.constant -3 : i8
  %a = ptr_xdsl.ptradd %p, %middle : (!ptr_xdsl.ptr, i16) -> !ptr_xdsl.ptr
  %b = ptr_xdsl.ptradd %a, %i : (!ptr_xdsl.ptr, i32) -> !ptr_xdsl.ptr
  %c = ptr_xdsl.ptradd %b, %j : (!ptr_xdsl.ptr, i8) -> !ptr_xdsl.ptr
  %d = ptr_xdsl.ptradd %c, %less : (!ptr_xdsl.ptr, i8) -> !ptr_xdsl.ptr
  %x = ptr_xdsl.load %d : !ptr_xdsl.ptr -> i64
  func.return %x : i64
}
"""
    words = Buffer(np.arange(400, dtype=np.uint16), 0)
    offsets = ((0, 0), (7, 100), (2**32 - 7, 0), (0, 256 - 100), (2**32 - 50, 256 - 50))
    check(text, [Call("at", [words, i, j], "i64") for i, j in offsets])


def test_memory_that_is_handed_on() -> None:
    """By a branch, a loop, a choice, a function that returns it."""
    text = """
func.func private @same(%m: memref<4xi64>) -> memref<4xi64> {
  func.return %m : memref<4xi64>
}
func.func @hand(%m: memref<4xi64>, %n: memref<4xi64>, %first: i1, %k: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a, %b = scf.for %i = %zero to %k step %one iter_args(%p = %m, %q = %n)
    -> (memref<4xi64>, memref<4xi64>) {
    scf.yield %q, %p : memref<4xi64>, memref<4xi64>
  }
  cf.cond_br %first, ^next(%a : memref<4xi64>), ^next(%b : memref<4xi64>)
^next(%c: memref<4xi64>):
  %d = func.call @same(%c) : (memref<4xi64>) -> memref<4xi64>
  %e = arith.select %first, %m, %d : memref<4xi64>
  %x = memref.load %d[%one] : memref<4xi64>
  %y = memref.load %e[%k] : memref<4xi64>
  %z = arith.subi %x, %y : i64
  func.return %z : i64
}
"""
    one, other = (Buffer(np.arange(4, dtype=np.uint64) * n, 0) for n in (3, 50))
    check(
        text,
        [Call("hand", [one, other, first, k], "i64") for first in (0, 1) for k in (0, 1, 2, 3)],
    )


IN_A_LOOP = """
func.func @f(%n: index) -> i64 {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloca() : memref<1xi64>
  memref.store %nine, %m[%zero] : memref<1xi64>
  %r, %l = scf.for %i = %zero to %n step %one iter_args(%s = %nine, %p = %m)
    -> (i64, memref<1xi64>) {{
    %k = memref.alloca() : memref<1xi64>
    %j = arith.index_cast %i : index to i64
    memref.store %j, %k[%zero] : memref<1xi64>
    %q = arith.select %{condition}, %k, %m : memref<1xi64>
    %x = memref.load %p[%zero] : memref<1xi64>
    %y = memref.load %q[%zero] : memref<1xi64>
    %t = arith.addi %s, %x : i64
    %u = arith.addi %t, %y : i64
    scf.yield %u, %{given} : i64, memref<1xi64>
  }}
  func.return %r : i64
}}
"""


def test_an_array_of_a_loop_stays_in_its_turn() -> None:
    text = IN_A_LOOP.replace("%{condition}", "%go").replace(
        "    %q =", "    %go = arith.cmpi eq, %i, %one : index\n    %q ="
    )
    check(text.format(given="p"), [Call("f", [n], "i64") for n in (0, 1, 2, 5)])
    for given in ("k", "q"):
        refusal = refusal_of(text.format(given=given))
        assert refusal.place is not None and refusal.place.line == 10
        assert "turn of the loop" in refusal.message


ARRAY = """
func.func @f(%n: index, %v: i64) -> i64 {{
  %zero = arith.constant 0 : index
  %m = memref.alloca({size}){alignment} : memref<{extent}xi64{layout}>
{body}
  func.return %v : i64
}}
"""
BODY = """
  memref.store %v, %m[{0}] : memref<{extent}xi64{layout}>
  %x = memref.load %m[{0}] : memref<{extent}xi64{layout}>
"""


@pytest.mark.parametrize("index", ["", "%zero", "%n"])
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"size": "%n", "extent": "?"}, "an array of known extents in the frame of a function"),
        ({"layout": ", affine_map<(i) -> (i + 1)>"}, "memrefs in row-major order"),
        ({"layout": ", 3 : i64"}, "memrefs without a memory space"),
        ({"alignment": " {alignment = 32 : i64}"}, "aligned to at most 16 bytes"),
        ({"extent": "4294967296"}, "at most 8388608 bytes in the frame of a function"),
    ],
)
def test_arrays_that_no_frame_holds(index: str, changed: dict[str, str], expected: str) -> None:
    """Whether they are used in places that are known, in others, or never."""
    fields = {"size": "", "extent": "4", "layout": "", "alignment": ""}
    body = BODY if index else ""
    compile_text(ARRAY.format(body=body.format(index, **fields), **fields), TARGETS[0])
    fields |= changed
    if index == "%zero" and changed.keys() & {"alignment", "extent"} and "size" not in changed:
        return  # it is a value then, and no memory
    refusal = refusal_of(ARRAY.format(body=body.format(index, **fields), **fields))
    assert expected in refusal.message
    assert refusal.place is not None and refusal.place.line == 4


@pytest.mark.parametrize(
    ("type", "alignment", "expected"),
    [
        ("memref<4xf64, affine_map<(i) -> (i + 1)>>", 64, "in row-major order"),
        ("memref<4xf64, 1 : i64>", 64, "in the memory of the processor"),
        ("memref<4xf64>", 8192, "aligned to at most 4096 bytes"),
        ("memref<134217729xf64>", 64, "at most 1073741824 bytes of a global"),
    ],
)
def test_globals_that_no_file_holds(type: str, alignment: int, expected: str) -> None:
    text = """
"memref.global"() <{{sym_name = "g", sym_visibility = "public", type = {0}, initial_value,
  alignment = {1} : i64}}> : () -> ()
"""
    compile_text(text.format("memref<4xf64>", 4096), TARGETS[0])
    assert expected in refusal_of(text.format(type, alignment)).message


def test_folding_of_loads_takes_time_by_the_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many loads first, each used once behind all of them: a block is looked through once."""
    asked: list[int] = []
    for count in (100, 400):
        lines = [f"%c{n} = arith.constant {n} : index" for n in range(count)]
        lines += [f"%v{n} = memref.load %p[%c{n}] : memref<?xi64>" for n in range(count)]
        lines += [
            f"%s{n} = arith.xori %{f's{n - 1}' if n else 'a'}, %v{n} : i64" for n in range(count)
        ]
        body = "\n".join(lines)
        text = f"""
func.func @f(%p : memref<?xi64>, %a : i64) -> i64 {{
{body}
func.return %s{count - 1} : i64
}}"""
        calls = 0
        pure = matching.is_pure

        def counted(op: Operation, pure: Callable[[Operation], bool] = pure) -> bool:
            nonlocal calls
            calls += 1
            return pure(op)

        with monkeypatch.context() as patch:
            patch.setattr(matching, "is_pure", counted)
            compile_text(text, X86)
        asked.append(calls)
    assert asked[0] and asked[1] <= 5 * asked[0]
