"""Functions written by hand on every target: calls, frames, many live values, switches.

Each is called by way of a driver that checks what it preserves, and compared with the interpreter.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from selection.compiled import BASELINES, check, compile_text

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call

GARBAGE = 0x5A5A_A5A5_C3C3_3C00
"""Bits above a narrow argument, which a callee may not read."""


def _joined(names: list[str], op: str, type: str, made: str) -> str:
    """All values joined from the left, the last result being `made`."""
    lines, last = [], names[0]
    for at, name in enumerate(names[1:]):
        new = made if at == len(names) - 2 else f"{made}_{at}"
        lines.append(f"{new} = {op} {last}, {name} : {type}")
        last = new
    return "\n".join(lines)


ALL_AT_ONCE = """
func.func private @inner(%x: f64, %k: i64) -> f64 {
  %y = arith.sitofp %k : i64 to f64
  %z = arith.subf %x, %y : f64
  func.return %z : f64
}
func.func @all(ARGUMENTS, %data: memref<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = arith.constant 3 : index
  %size = arith.constant 700 : index
  %start = arith.constant 0.25 : f64
  %room = memref.alloca() : memref<700xf64>
  scf.for %i = %zero to %size step %one {
    %w = arith.index_cast %i : index to i64
    %f = arith.sitofp %w : i64 to f64
    memref.store %f, %room[%i] : memref<700xf64>
  }
LOADS
  %sum = scf.for %i = %zero to %rows step %one iter_args(%s = %start) -> (f64) {
    %columns = arith.addi %i, %rows : index
    %row = scf.for %j = %zero to %columns step %one iter_args(%t = %s) -> (f64) {
      %k = arith.index_cast %j : index to i64
      %k12 = arith.addi %k, %a11 : i64
      %called = func.call @inner(%t, %k12) : (f64, i64) -> f64
      %at = arith.addi %i, %j : index
      %held = memref.load %room[%at] : memref<700xf64>
      %next = arith.addf %called, %held : f64
      scf.yield %next : f64
    }
    scf.yield %row : f64
  }
  cf.switch %a0 : i64, [
    default: ^joined(%start : f64),
    0: ^joined(%d0 : f64),
    1: ^joined(%d19 : f64),
    5: ^product,
    1000: ^joined(%sum : f64),
    -7: ^call
  ]
^product:
  %u = arith.mulf %d3, %sum : f64
  cf.br ^joined(%u : f64)
^call:
  %w7 = func.call @inner(%d7, %a5) : (f64, i64) -> f64
  cf.br ^joined(%w7 : f64)
^joined(%arm: f64):
DOUBLES
INTEGERS
  %whole = arith.sitofp %n : i64 to f64
  %last = memref.load %room[%size_less] : memref<700xf64>
  %p = arith.addf %whole, %last : f64
  %q = arith.addf %p, %sum : f64
  %r = arith.addf %q, %arm : f64
  %v = arith.addf %r, %d : f64
  func.return %v : f64
}
"""


def test_all_at_once() -> None:
    """20 live doubles, 12 integers, a call in a nested loop, 5 arms, a frame over 5,000 bytes."""
    integers = [f"%a{n}" for n in range(12)]
    doubles = [f"%d{n}" for n in range(20)]
    loads = "".join(
        f"%i{n} = arith.constant {n} : index\n{name} = memref.load %data[%i{n}] : memref<?xf64>\n"
        for n, name in enumerate(doubles)
    )
    text = (
        ALL_AT_ONCE.replace("ARGUMENTS", ", ".join(f"{name}: i64" for name in integers))
        .replace("LOADS", f"{loads}  %size_less = arith.constant 699 : index")
        .replace("DOUBLES", _joined(doubles[::-1], "arith.subf", "f64", "%d"))
        .replace("INTEGERS", _joined(integers, "arith.addi", "i64", "%n"))
    )
    words = np.array([(-1.0) ** n * 1.37**n for n in range(20)])
    for target in BASELINES:
        assert _frame_bytes(compile_text(text, target)) > 5000
    arms = (0, 1, 5, 1000, -7, 2, 1 << 40)
    calls = [
        Call("all", [arm, *range(-3, 8), Buffer(words, offset)], "f64")
        for arm, offset in zip(arms, (0, 8, 1, 3, 0, 4, 0), strict=True)
    ]
    check(text, calls)


def _frame_bytes(text: str) -> int:
    """The most bytes by which a function of a text moves the stack pointer on its way in."""
    lines = (line.replace(",", " ").replace("#", " ").split() for line in text.split("\n"))
    most = here = 0
    for words in lines:
        if words[:2] in (["add", "rsp"], ["sub", "sp"]) and (
            words[0] == "sub" or words[2][0] == "-"
        ):
            here += abs(int(words[-1]))
            most = max(most, here)
        elif words and words[0].endswith(":") and not words[0].startswith("."):
            here = 0
    return most


def test_arguments_in_registers_and_on_the_stack() -> None:
    """12 of each class, in turns, of all widths; handed on to another function in another order."""
    kinds = ("i64", "f64", "i32", "f32", "i16", "f64", "i8", "f32") * 3
    names = [f"%a{n}" for n in range(len(kinds))]
    listed = ", ".join(f"{name}: {kind}" for name, kind in zip(names, kinds, strict=True))
    body = "".join(
        f"%i{n} = arith.constant {n} : index\n{_as_double(f'%a{n}', kind, n)}"
        f"memref.store %d{n}, %to[%i{n}] : memref<?xf64>\n"
        for n, kind in enumerate(kinds)
    )
    order = [(7 * n + 3) % len(kinds) for n in range(len(kinds))]
    text = (
        f"func.func @take(%to: memref<?xf64>, {listed}) {{\n{body}func.return\n}}\n"
        f"func.func private @turned({', '.join(f'{names[n]}: {kinds[n]}' for n in order)}, "
        f"%to: memref<?xf64>) {{\n{body}func.return\n}}\n"
        f"func.func @hand_on(%to: memref<?xf64>, {listed}) {{\n"
        f"func.call @turned({', '.join(names[n] for n in order)}, %to) : "
        f"({', '.join(kinds[n] for n in order)}, memref<?xf64>) -> ()\nfunc.return\n}}\n"
    )
    makers = {
        "i64": int,
        "i32": np.int32,
        "i16": np.int16,
        "i8": np.int8,
        "f64": float,
        "f32": np.float32,
    }
    for sign in (1, -1):
        given = [makers[kind](sign * (n + 3)) for n, kind in enumerate(kinds)]
        room = Buffer(np.zeros(len(kinds)))
        check(text, [Call(name, [room, *given]) for name in ("take", "hand_on")])


def _as_double(name: str, kind: str, number: int) -> str:
    if kind == "f64":
        return f"%d{number} = arith.addf {name}, {name} : f64\n"
    convert = "extf" if kind == "f32" else "sitofp"
    return f"%d{number} = arith.{convert} {name} : {kind} to f64\n"


def test_narrow_values_with_garbage_above() -> None:
    """Callers may leave anything above a narrow argument; what is returned is read narrow."""
    texts, calls = [], []
    for bits in (8, 16, 32):
        i = f"i{bits}"
        texts.append(
            f"func.func @low{bits}(%x: {i}, %y: {i}) -> i64 {{\n%z = arith.addi %x, %y : {i}\n"
            f"%c = arith.cmpi ult, %z, %y : {i}\n%w = arith.extui %z : {i} to i64\n"
            f"%s = arith.extsi %y : {i} to i64\n%t = arith.select %c, %w, %s : i64\n"
            "func.return %t : i64\n}\n"
            f"func.func @same{bits}(%x: {i}) -> {i} {{\nfunc.return %x : {i}\n}}\n"
            f"func.func @through{bits}(%x: i64) -> i64 {{\n%n = arith.trunci %x : i64 to {i}\n"
            f"%r = func.call @same{bits}(%n) : ({i}) -> {i}\n%w = arith.extui %r : {i} to i64\n"
            "func.return %w : i64\n}\n"
        )
        above = GARBAGE << bits & (1 << 64) - 1
        for x, y in ((1, 2), (200, 100), ((1 << bits) - 1, 1), (1 << (bits - 1), 5)):
            calls.append(Call(f"low{bits}", [above | x & (1 << bits) - 1, above | y], "i64"))
            calls.append(Call(f"through{bits}", [above | y], "i64"))
    texts.append(
        "func.func @truth(%x: i1, %y: i64) -> i64 {\n%z = arith.constant 0 : i64\n"
        "%t = arith.select %x, %y, %z : i64\n%w = arith.extui %x : i1 to i64\n"
        "%v = arith.addi %t, %w : i64\nfunc.return %v : i64\n}\n"
    )
    calls += [Call("truth", [0x5A5A_A500 | truth, 40], "i64") for truth in (0, 1)]
    check("".join(texts), calls)


def test_recursion_and_several_results() -> None:
    text = """
func.func @fib(%n: i64) -> i64 {
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %small = arith.cmpi slt, %n, %two : i64
  %r = scf.if %small -> (i64) {
    scf.yield %n : i64
  } else {
    %a = arith.subi %n, %one : i64
    %b = arith.subi %n, %two : i64
    %x = func.call @fib(%a) : (i64) -> i64
    %y = func.call @fib(%b) : (i64) -> i64
    %z = arith.addi %x, %y : i64
    scf.yield %z : i64
  }
  func.return %r : i64
}
func.func private @both(%a: i64, %x: f64) -> (i64, f64, f64, i64) {
  %b = arith.muli %a, %a : i64
  %y = arith.mulf %x, %x : f64
  func.return %b, %y, %x, %a : i64, f64, f64, i64
}
func.func @use(%a: i64, %x: f64) -> f64 {
  %b, %y, %z, %c = func.call @both(%a, %x) : (i64, f64) -> (i64, f64, f64, i64)
  %d = arith.subi %b, %c : i64
  %w = arith.sitofp %d : i64 to f64
  %u = arith.subf %y, %z : f64
  %v = arith.divf %u, %w : f64
  func.return %v : f64
}
"""
    calls = [Call("fib", [n], "i64") for n in (0, 1, 2, 13)]
    check(text, [*calls, Call("use", [7, 1.25], "f64"), Call("use", [-3, -0.0], "f64")])


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "index"])
def test_switches(type: str) -> None:
    """Cases of either sign, in no order, with values handed on; and none at all."""
    bits = 64 if type == "index" else int(type[1:])
    cases = (3, -1, 0, (1 << (bits - 1)) - 1, -(1 << (bits - 1)), 5)
    arms = ",\n".join(f"{case}: ^arm(%k{at}, %x : i64, {type})" for at, case in enumerate(cases))
    constants = "".join(f"%k{at} = arith.constant {100 + at} : i64\n" for at in range(len(cases)))
    wide = "%w = arith.index_cast %y : index to i64" if type == "index" else (
        f"%w = arith.extsi %y : {type} to i64" if bits < 64 else "%w = arith.addi %y, %k : i64"
    )  # fmt: skip
    text = f"""
func.func @arms(%x: {type}) -> i64 {{
  {constants}
  cf.switch %x : {type}, [
    default: ^other,
    {arms}
  ]
^other:
  %none = arith.constant -5 : i64
  func.return %none : i64
^arm(%k: i64, %y: {type}):
  {wide}
  %v = arith.subi %w, %k : i64
  func.return %v : i64
}}
func.func @none(%x: {type}) -> i64 {{
  cf.switch %x : {type}, [
    default: ^only
  ]
^only:
  %r = arith.constant 9 : i64
  func.return %r : i64
}}
"""
    numbers = [*cases, 1, 2, 77, -2]
    above = GARBAGE << bits & (1 << 64) - 1
    calls = [
        Call(name, [above | number & (1 << bits) - 1], "i64")
        for name in ("arms", "none")
        for number in numbers
    ]
    check(text, calls)


def test_values_that_live_across_calls() -> None:
    """More of each class than are kept, floats of both widths and vectors among them."""
    count = 16
    loads = "".join(
        f"%i{n} = arith.constant {n} : index\n%x{n} = memref.load %a[%i{n}] : memref<?xf64>\n"
        f"%k{n} = memref.load %b[%i{n}] : memref<?xi64>\n"
        f"%s{n} = arith.truncf %x{n} : f64 to f32\n"
        for n in range(count)
    )
    vectors = "".join(
        f"%v{n} = vector.load %a[%i{n}] : memref<?xf64>, vector<2xf64>\n" for n in range(6)
    )
    called = "%c = func.call @other(%x0, %k0) : (f64, i64) -> f64\n"
    folds = chain(
        [_joined([f"%x{n}" for n in range(count)], "arith.subf", "f64", "%x")],
        [_joined([f"%s{n}" for n in range(count)], "arith.addf", "f32", "%s")],
        [_joined([f"%k{n}" for n in range(count)], "arith.xori", "i64", "%k")],
        [_joined([f"%v{n}" for n in range(6)], "arith.mulf", "vector<2xf64>", "%v")],
    )
    text = f"""
func.func private @other(%x: f64, %k: i64) -> f64 {{
  %f = arith.sitofp %k : i64 to f64
  %y = arith.mulf %x, %f : f64
  func.return %y : f64
}}
func.func @live(%a: memref<?xf64>, %b: memref<?xi64>) -> f64 {{
{loads}{vectors}{called}{chr(10).join(folds)}
  %e = arith.extf %s : f32 to f64
  %f = arith.sitofp %k : i64 to f64
  %l = vector.extract %v[1] : f64 from vector<2xf64>
  %p = arith.addf %x, %e : f64
  %q = arith.addf %p, %f : f64
  %r = arith.addf %q, %l : f64
  %w = arith.addf %r, %c : f64
  func.return %w : f64
}}
"""
    a = np.array([1.1**n for n in range(count + 1)])
    b = (np.arange(count + 1, dtype=np.int64) * 977 - 5000).view(np.uint64)
    check(text, [Call("live", [Buffer(a), Buffer(b)], "f64")])


def test_system_calls() -> None:
    """A call that fails says why, by the number that the kernel gives on every machine."""
    text = """
func.func @close(%fd: i64) -> i64 {
  %r = linux.syscall "close"(%fd) : (i64) -> i64
  func.return %r : i64
}
"""
    for target in BASELINES:
        with Caller(compile_text(text, target), target.machine) as caller:
            (result,) = caller.call([Call("close", [-1], "i64")])
            assert result.value == -9


def test_functions_with_the_names_of_registers_and_operators() -> None:
    names = ("x0", "sp", "lr", "d8", "nzcv", "rax", "r8", "xmm3", "st", "and", "offset", "byte")
    parts: list[str] = []
    for number, name in enumerate(names):
        called = f"func.call @{names[number - 1]}(%a) : (i64) -> i64"
        first = "arith.addi %a, %a : i64"
        parts.append(f"""
func.func @{name}(%a: i64) -> i64 {{
  %b = {called if number else first}
  %one = arith.constant {number + 1} : i64
  %r = arith.muli %b, %one : i64
  func.return %r : i64
}}
""")
    check("".join(parts), [Call(name, [3], "i64") for name in names])
