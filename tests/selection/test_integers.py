"""Integers on every target against the interpreter: each operation, width, and pair of edge values.

What the IR leaves undefined isn't asked for: divisions by zero, shifts by the width or more.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from selection.compiled import ARM, BASELINES, X86, check, compile_text, differences_of
from selection.points import integers, pairs
from selection.texts import Loops

from alpha.backends.toolchain.calls import Call
from alpha.interpreters.code.integers import COMPARISONS

WIDTHS = (8, 16, 32, 64)
PLAIN = ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
DIVISIONS = ("divui", "divsi", "remui", "remsi")
SHIFTS = ("shli", "shrui", "shrsi")


def _divisible(a: np.ndarray, b: np.ndarray, bits: int) -> np.ndarray:
    least, minus_one = 1 << (bits - 1), (1 << bits) - 1
    return (b != 0) & ~((a == least) & (b == minus_one))


def _operands(bits: int, kept: np.ndarray | None = None) -> dict[str, tuple[str, np.ndarray]]:
    a, b = pairs(integers(bits))
    if kept is not None:
        a, b = a[kept].copy(), b[kept].copy()
    return {"x": (f"i{bits}", a), "y": (f"i{bits}", b)}


def test_arithmetic_of_every_width() -> None:
    loops = Loops()
    for bits in WIDTHS:
        i = f"i{bits}"
        a, b = pairs(integers(bits))

        def binary(names: tuple[str, ...], i: str = i) -> list[tuple[str, str, str]]:
            return [(f"{name} {i}", i, f"%v = arith.{name} %x, %y : {i}") for name in names]

        loops.add(_operands(bits), binary(PLAIN))
        loops.add(_operands(bits, _divisible(a, b, bits)), binary(DIVISIONS))
        loops.add(_operands(bits, b < bits), binary(SHIFTS))
    assert not differences_of(loops, BASELINES)


def test_operations_with_constants() -> None:
    """Constants that instructions hold, and those just beyond."""
    loops = Loops()
    for bits in WIDTHS:
        i = f"i{bits}"
        numbers = [-1, 127, -128, 4095, 4096, 0x7FFF_FFFF, 0x1_2345_6789]
        some = [number for number in numbers if abs(number) < 1 << (bits - 1)]
        operations = [
            (
                f"{name} {number} {i}",
                i,
                f"%k = arith.constant {number} : {i}\n%v = arith.{name} {order} : {i}",
            )
            for name in ("addi", "subi", "andi")
            for number in some
            for order in ("%x, %k", "%k, %x")
        ]
        operations += [
            (
                f"{name} by {count} {i}",
                i,
                f"%k = arith.constant {count} : {i}\n%v = arith.{name} %x, %k : {i}",
            )
            for name in SHIFTS
            for count in (0, 1, bits - 1)
        ]
        operations += [
            (f"{predicate} {number} {i}", i,
             f"%k = arith.constant {number} : {i}\n%c = arith.cmpi {predicate}, {order} : {i}\n"
             f"%v = arith.select %c, %x, %k : {i}")
            for number in some[1:5]
            for predicate, order in (("slt", "%x, %k"), ("ugt", "%k, %x"), ("eq", "%x, %k"))
        ]  # fmt: skip
        loops.add({"x": (i, integers(bits))}, operations)
    assert not differences_of(loops, BASELINES)


def test_every_comparison_with_each_use() -> None:
    """As a truth, in a choice of integers and of floats, in a branch."""
    loops = Loops()
    for bits in WIDTHS:
        i = f"i{bits}"
        operations = []
        for predicate in COMPARISONS:
            compare = f"%c = arith.cmpi {predicate}, %x, %y : {i}\n"
            operations += [
                (f"truth {predicate} {i}", "i8", f"{compare}%v = arith.extui %c : i1 to i8"),
                (f"choice {predicate} {i}", i, f"{compare}%v = arith.select %c, %x, %y : {i}"),
                (f"floats {predicate} {i}", "f64", f"{compare}%v = arith.select %c, %s, %t : f64"),
                (f"branch {predicate} {i}", i, f"{compare}{_branch(i)}"),
            ]
        operands = _operands(bits)
        count = len(operands["x"][1])
        numbers = np.arange(count, dtype=np.float64)
        loops.add({**operands, "s": ("f64", numbers), "t": ("f64", -numbers)}, operations)
    assert not differences_of(loops, BASELINES)


def _branch(type: str) -> str:
    return (
        f"%v = scf.if %c -> ({type}) {{\nscf.yield %y : {type}\n}} else {{\n"
        f"%w = arith.xori %x, %y : {type}\nscf.yield %w : {type}\n}}"
    )


def test_widths_and_truths() -> None:
    loops = Loops()
    types = ("i8", "i16", "i32", "i64")
    for bits in WIDTHS:
        i = f"i{bits}"
        operations = [
            (f"trunci {i} {to}", to, f"%v = arith.trunci %x : {i} to {to}")
            for to in types
            if int(to[1:]) < bits
        ]
        for to in types:
            if int(to[1:]) > bits:
                for name in ("extui", "extsi"):
                    operations.append(
                        (f"{name} {i} {to}", to, f"%v = arith.{name} %x : {i} to {to}")
                    )
        bit = f"%t = arith.trunci %x : {i} to i1\n"
        operations += [
            (f"i1 {name} {i}", i, f"{bit}%v = arith.{name} %t : i1 to {i}")
            for name in ("extui", "extsi")
        ]
        if bits in (32, 64):
            operations.append((f"index {i}", i, f"%j = arith.index_cast %x : {i} to index\n"
                               f"%v = arith.index_cast %j : index to {i}"))  # fmt: skip
        loops.add({"x": (i, integers(bits))}, operations)
    truths = np.array([0, 1, 2, 3], np.uint8)
    two = "".join(
        f"%{name} = arith.trunci %{of} : i8 to i1\n" for name, of in (("a", "x"), ("b", "y"))
    )
    some = [
        (f"i1 {name}", "i8", f"{two}%c = arith.{name} %a, %b : i1\n%v = arith.extui %c : i1 to i8")
        for name in (*PLAIN[:6], *(f"cmpi {predicate}," for predicate in COMPARISONS))
    ]
    a, b = pairs(truths)
    loops.add({"x": ("i8", a), "y": ("i8", b)}, some)
    assert not differences_of(loops, BASELINES)


def test_what_one_instruction_does_of_many_operations() -> None:
    """Rotations, reversed bytes, complements, shifted operands, products that are added."""
    loops = Loops()
    for bits in (32, 64):
        i = f"i{bits}"

        def k(name: str, number: int, i: str = i) -> str:
            return f"%{name} = arith.constant {number} : {i}\n"

        turn = (
            "%l = arith.shli %x, %p : {i}\n%r = arith.shrui %x, %q : {i}\n"
            "%o = arith.ori %l, %r : {i}\n"
        )
        turned = (k("p", 7) + k("q", bits - 7) + turn).format(i=i)
        operations = [
            ("rotation", f"{turned}%v = arith.addi %o, %y : {i}"),
            ("rotated operand", f"{turned}%v = arith.xori %y, %o : {i}"),
            (
                "no rotation",
                (k("p", 7) + k("q", bits - 8) + turn).format(i=i) + f"%v = arith.addi %o, %y : {i}",
            ),
            ("bytes", _reversed_bytes(bits)),
            ("complement", k("m", -1) + f"%v = arith.xori %x, %m : {i}"),
            ("negative", k("z", 0) + f"%v = arith.subi %z, %x : {i}"),
            ("sum of a product", f"%p = arith.muli %x, %y : {i}\n%v = arith.addi %p, %x : {i}"),
            ("less a product", f"%p = arith.muli %x, %y : {i}\n%v = arith.subi %x, %p : {i}"),
            ("a product less", f"%p = arith.muli %x, %y : {i}\n%v = arith.subi %p, %x : {i}"),
        ]
        for name in ("andi", "ori", "xori"):
            for order in ("%n, %y", "%y, %n"):
                body = k("m", -1) + f"%n = arith.xori %x, %m : {i}\n%v = arith.{name} {order} : {i}"
                operations.append((f"{name} with a complement", body))
        for name in ("addi", "subi", "andi", "ori", "xori"):
            for shift in (*SHIFTS, "muli"):
                order = "%s, %y" if name == "addi" else "%y, %s"
                shifted = f"%s = arith.{shift} %x, %c : {i}\n%v = arith.{name} {order} : {i}"
                operations.append((f"{name} of {shift}", k("c", 8) + shifted))
        named = [(f"{name} {i}", i, body) for name, body in operations]
        loops.add(_operands(bits), named)
    assert not differences_of(loops, BASELINES)


def _reversed_bytes(bits: int) -> str:
    """Each byte masked, moved and joined, as a C program says it."""
    i, count = f"i{bits}", bits // 8
    lines = [f"%m = arith.constant 255 : {i}"]
    parts = []
    for at in range(count):
        lines += [
            f"%a{at} = arith.constant {8 * at} : {i}",
            f"%b{at} = arith.shrui %x, %a{at} : {i}",
            f"%c{at} = arith.andi %b{at}, %m : {i}",
            f"%d{at} = arith.constant {8 * (count - 1 - at)} : {i}",
            f"%e{at} = arith.shli %c{at}, %d{at} : {i}",
        ]
        parts.append(f"%e{at}")
    while len(parts) > 1:
        joined = []
        for one, (left, right) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
            name = f"%o{len(parts)}_{one}" if len(parts) > 2 else "%v"
            lines.append(f"{name} = arith.ori {left}, {right} : {i}")
            joined.append(name)
        parts = joined
    return "\n".join(lines)


def test_the_texts_have_the_instructions() -> None:
    """What the tests above compare is what they are about."""
    rotation = _function("i32", "%p = arith.constant 7 : i32\n%q = arith.constant 25 : i32\n"
                         "%l = arith.shli %x, %p : i32\n%r = arith.shrui %x, %q : i32\n"
                         "%v = arith.ori %l, %r : i32")  # fmt: skip
    wanted = {
        rotation: {X86: "rorx eax, eax, 25", ARM: "ror w0, w0, #25"},
        _function("i64", _reversed_bytes(64)): {X86: "bswap r", ARM: "rev x0, x0"},
        _function("i64", "%p = arith.muli %x, %y : i64\n%v = arith.subi %y, %p : i64"): {
            ARM: "msub x0, x0, x1, x1"
        },
    }
    for text, by_target in wanted.items():
        for target, instruction in by_target.items():
            assert instruction in compile_text(text, target)


def _function(type: str, body: str) -> str:
    return (
        f"func.func @f(%x: {type}, %y: {type}) -> {type} {{\n{body}\nfunc.return %v : {type}\n}}\n"
    )


def test_points_have_the_edges() -> None:
    for bits in WIDTHS:
        words = integers(bits).tolist()
        assert {0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1} <= set(words)
        assert all(a < b for a, b in pairwise(words))


def test_indices_wrap_in_64_bits() -> None:
    """Where loops are unrolled, and where a constant is read through a cast to fewer bits."""
    for product in ("%b, %b", "%h, %four", "%h, %h", "%m, %b"):
        text = f"""
func.func @f(%x: i64, %v: i64) -> i64 {{
  %b = arith.constant 4294967296 : index
  %h = arith.constant 4611686018427387904 : index
  %m = arith.constant 9223372036854775807 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %three = arith.constant 3 : i64
  %r = scf.for %j = %zero to %two step %one iter_args(%s = %x) -> (i64) {{
    %low = arith.muli {product} : index
    %rest = arith.addi %low, %j : index
    %end = arith.addi %rest, %four : index
    %t = scf.for %i = %rest to %end step %one iter_args(%u = %s) -> (i64) {{
      %w = arith.addi %u, %three : i64
      scf.yield %w : i64
    }} {{unroll}}
    %c = arith.index_cast %low : index to i64
    %d = arith.muli %c, %v : i64
    %n = arith.addi %d, %t : i64
    scf.yield %n : i64
  }} {{unroll}}
  func.return %r : i64
}}
"""
        check(text, [Call("f", [1, 5], "i64"), Call("f", [-3, -7], "i64")])


def test_constants_through_casts_to_fewer_bits() -> None:
    numbers = (1 << 33, (1 << 32) + 8, 255, 128, -1, (1 << 63) - 1, 1 << 31, 1 << 16)
    text, calls = [], []
    for at, number in enumerate(numbers):
        for bits in (8, 16, 32, 64):
            i, name = f"i{bits}", f"f{at}_{bits}"
            text.append(f"""
func.func @{name}(%x: {i}) -> i64 {{
  %c = arith.constant {number} : index
  %d = arith.index_cast %c : index to {i}
  %p = arith.muli %x, %d : {i}
  %s = arith.addi %p, %d : {i}
  %t = arith.cmpi slt, %x, %d : {i}
  %m = arith.select %t, %s, %d : {i}
  %back = arith.index_cast %m : {i} to index
  %r = arith.index_cast %back : index to i64
  func.return %r : i64
}}
""")
            calls += [Call(name, [x], "i64") for x in (0, 1, 5, -1)]
    check("".join(text), calls)
