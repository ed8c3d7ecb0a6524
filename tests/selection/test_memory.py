"""Memory and frames on every target: words of each width, names, buffers of a frame."""

from __future__ import annotations

import numpy as np
from selection.compiled import check

from alpha.backends.toolchain.calls import Buffer, Call


def test_memory_of_every_width_at_every_place() -> None:
    """Constant and varying places, before and behind, near and far, at odd addresses."""
    texts, calls = [], []
    for type in ("i8", "i16", "i32", "i64", "f32", "f64"):
        memory = f"memref<?x{type}>"
        zero = "0.0" if type[0] == "f" else "0"
        texts.append(f"""
func.func @move_{type}(%a: {memory}, %n: index, %i: index) {{
  %three = arith.constant 3 : index
  %far = arith.constant 5000 : index
  %z = arith.constant {zero} : {type}
  %x = memref.load %a[%three] : {memory}
  %j = arith.addi %i, %three : index
  %y = memref.load %a[%j] : {memory}
  %back = arith.subi %i, %three : index
  %w = memref.load %a[%back] : {memory}
  %k = arith.addi %i, %far : index
  memref.store %x, %a[%k] : {memory}
  memref.store %y, %a[%i] : {memory}
  memref.store %w, %a[%far] : {memory}
  memref.store %z, %a[%n] : {memory}
  func.return
}}
""")
        dtype = np.dtype(f"u{type[1:]}" if type[0] == "i" else f"f{int(type[1:]) // 8}") \
            if type[0] == "f" else np.dtype(f"u{int(type[1:]) // 8}")  # fmt: skip
        words = (np.arange(5100) % 251).astype(dtype)
        calls += [Call(f"move_{type}", [Buffer(words, offset), 7, 11]) for offset in (0, 1, 7)]
    check("".join(texts), calls)


def test_a_wish_for_what_is_nowhere_changes_nothing() -> None:
    """Beside the memref, near and far, in front and behind, and where no memory is."""
    text = """
func.func @wish(%a: memref<?xf64>, %i: index) -> f64 {
  %near = arith.constant 3 : index
  %far = arith.constant 1152921504606846975 : index
  %j = arith.addi %i, %near : index
  %k = arith.addi %i, %far : index
  hint.prefetch %a[%i] : memref<?xf64>
  hint.prefetch %a[%j] : memref<?xf64>
  hint.prefetch %a[%k] : memref<?xf64>
  %zero = arith.constant 0 : index
  %x = memref.load %a[%zero] : memref<?xf64>
  func.return %x : f64
}
"""
    words = np.array([1.5, 2.5])
    places = (0, 1, 2, -1, -4096, 1 << 40, -(1 << 62))
    check(text, [Call("wish", [Buffer(words, 4), place], "f64") for place in places])


def test_names_of_the_module() -> None:
    table = ", ".join(str(1.5 * n) for n in range(9))
    text = f"""
"memref.global"() <{{sym_name = "table", sym_visibility = "private", constant,
  type = memref<9xf64>, initial_value = dense<[{table}]> : tensor<9xf64>}}> : () -> ()
"memref.global"() <{{sym_name = "sames", sym_visibility = "private", constant,
  type = memref<4xi32>, initial_value = dense<-7> : tensor<4xi32>}}> : () -> ()
func.func @look(%i: index) -> f64 {{
  %t = memref.get_global @table : memref<9xf64>
  %x = memref.load %t[%i] : memref<9xf64>
  %two = arith.constant 2 : index
  %y = memref.load %t[%two] : memref<9xf64>
  %s = memref.get_global @sames : memref<4xi32>
  %k = memref.load %s[%two] : memref<4xi32>
  %f = arith.sitofp %k : i32 to f64
  %z = arith.addf %x, %y : f64
  %w = arith.addf %z, %f : f64
  func.return %w : f64
}}
"""
    check(text, [Call("look", [n], "f64") for n in range(9)])


def test_a_global_that_a_program_may_change() -> None:
    """What one call leaves there the next one finds."""
    text = """
"memref.global"() <{sym_name = "given", sym_visibility = "private", type = memref<3xi64>,
  initial_value = dense<[1, 2, 3]> : tensor<3xi64>}> : () -> ()
func.func @change(%i: index) -> i64 {
  %g = memref.get_global @given : memref<3xi64>
  %x = memref.load %g[%i] : memref<3xi64>
  %s = arith.addi %x, %x : i64
  memref.store %s, %g[%i] : memref<3xi64>
  func.return %s : i64
}
"""
    check(text, [Call("change", [n], "i64") for n in (0, 1, 2, 1, 0)])


def test_some_lanes_of_a_global() -> None:
    """At a known place, which its name reaches, and at one that varies, which it doesn't."""
    words = ", ".join(str(n) for n in range(12))
    text = f"""
"memref.global"() <{{sym_name = "words", sym_visibility = "private", type = memref<12xi64>,
  initial_value = dense<[{words}]> : tensor<12xi64>}}> : () -> ()
func.func @lanes(%i: index, %x: i64) -> i64 {{
  %m = memref.get_global @words : memref<12xi64>
  %mask = arith.constant dense<[true, false]> : vector<2xi1>
  %zero = arith.constant dense<0> : vector<2xi64>
  %given = vector.broadcast %x : i64 to vector<2xi64>
  %four = arith.constant 4 : index
  %a = vector.maskedload %m[%i], %mask, %zero
    : memref<12xi64>, vector<2xi1>, vector<2xi64> into vector<2xi64>
  %b = vector.maskedload %m[%four], %mask, %given
    : memref<12xi64>, vector<2xi1>, vector<2xi64> into vector<2xi64>
  %s = arith.addi %a, %b : vector<2xi64>
  vector.maskedstore %m[%i], %mask, %s : memref<12xi64>, vector<2xi1>, vector<2xi64>
  vector.maskedstore %m[%four], %mask, %s : memref<12xi64>, vector<2xi1>, vector<2xi64>
  %low = vector.extract %s[0] : i64 from vector<2xi64>
  %high = vector.extract %s[1] : i64 from vector<2xi64>
  %r = arith.muli %low, %high : i64
  func.return %r : i64
}}
"""
    check(text, [Call("lanes", [i, 3], "i64") for i in (0, 7, 11, 4)])


def test_a_place_outside_of_a_constant_that_is_never_loaded() -> None:
    text = """
"memref.global"() <{sym_name = "table", sym_visibility = "private", constant,
  type = memref<2x3xi64>, initial_value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>}>
  : () -> ()
func.func @look(%go: i1) -> i64 {
  %t = memref.get_global @table : memref<2x3xi64>
  %zero = arith.constant 0 : index
  %back = arith.constant -1 : index
  %beside = arith.constant 5 : index
  %behind = arith.constant 2 : index
  %x = memref.load %t[%zero, %behind] : memref<2x3xi64>
  %r = scf.if %go -> (i64) {
    %a = memref.load %t[%zero, %back] : memref<2x3xi64>
    %b = memref.load %t[%zero, %beside] : memref<2x3xi64>
    %c = memref.load %t[%behind, %zero] : memref<2x3xi64>
    %d = arith.addi %a, %b : i64
    %e = arith.addi %c, %d : i64
    scf.yield %e : i64
  } else {
    scf.yield %x : i64
  }
  func.return %r : i64
}
"""
    check(text, [Call("look", [0], "i64")])


def test_frames_of_all_sizes() -> None:
    """Words at both ends of buffers, and what was spilled behind them."""
    texts, calls = [], []
    for words in (1, 2, 63, 600, 5000, 70_000):
        texts.append(f"""
func.func private @same{words}(%m: memref<{words}xf64>, %x: f64) -> f64 {{
  %end = arith.constant {words - 1} : index
  %y = memref.load %m[%end] : memref<{words}xf64>
  %z = arith.subf %y, %x : f64
  func.return %z : f64
}}
func.func @frame{words}(%x: f64, %k: i64) -> f64 {{
  %zero = arith.constant 0 : index
  %end = arith.constant {words - 1} : index
  %m = memref.alloca() : memref<{words}xf64>
  %n = memref.alloca() : memref<3xi32>
  %c = arith.constant 41 : i32
  %two = arith.constant 2 : index
  memref.store %c, %n[%two] : memref<3xi32>
  memref.store %x, %m[%zero] : memref<{words}xf64>
  %d = arith.addf %x, %x : f64
  memref.store %d, %m[%end] : memref<{words}xf64>
  %r = func.call @same{words}(%m, %x) : (memref<{words}xf64>, f64) -> f64
  %i = memref.load %n[%two] : memref<3xi32>
  %w = arith.extsi %i : i32 to i64
  %s = arith.addi %w, %k : i64
  %f = arith.sitofp %s : i64 to f64
  %v = arith.mulf %r, %f : f64
  func.return %v : f64
}}
""")
        calls.append(Call(f"frame{words}", [2.5, -3], "f64"))
    check("".join(texts), calls)
