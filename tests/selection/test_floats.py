"""Floats on every target against the interpreter: arithmetic, comparisons by use, conversions.

The words are zeros of both signs, subnormals, the ends of the range, infinities, NaN and others.
NaNs compare as one; nothing here reads their bits.
"""

from __future__ import annotations

import numpy as np
from selection.compiled import BASELINES, TARGETS, differences_of
from selection.points import floats, integers, pairs
from selection.texts import Loops

from alpha.ir.scalars import PREDICATES

ELEMENTS = ("f64", "f32")
OTHER = {"f64": "f32", "f32": "f64"}
INTEGER = {"f64": "i64", "f32": "i32"}
WIDTHS = ("i8", "i16", "i32", "i64")


def _pairs(element: str) -> dict[str, tuple[str, np.ndarray]]:
    a, b = pairs(floats(element))
    return {"x": (element, a), "y": (element, b)}


def test_arithmetic() -> None:
    loops = Loops()
    for e in ELEMENTS:
        operands = _pairs(e)
        third = operands["y"][1][::-1].copy()
        operations = [
            (f"{name} {e}", e, f"%v = {name} %x, %y : {e}")
            for name in ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "math.copysign")
        ]
        operations += [
            (f"{name} {e}", e, f"%v = {name} %x : {e}")
            for name in ("math.sqrt", "arith.negf", "math.absf")
        ]
        operations += [
            (f"fma {e}", e, f"%v = math.fma %x, %y, %z : {e}"),
            (f"fma less {e}", e, f"%w = arith.negf %y : {e}\n%v = math.fma %x, %w, %z : {e}"),
        ]
        for predicate in ("olt", "ogt"):
            for order in ("%x, %y", "%y, %x"):
                compare = f"%c = arith.cmpf {predicate}, %x, %y : {e}\n"
                body = f"{compare}%v = arith.select %c, {order} : {e}"
                operations.append((f"extreme {predicate} {order} {e}", e, body))
        loops.add({**operands, "z": (e, third)}, operations, offset=1)
    assert not differences_of(loops, TARGETS)


def test_every_comparison_with_each_use() -> None:
    """As a truth, in choices of three types, in a branch, against zero on either side."""
    loops = Loops()
    for e in ELEMENTS:
        o, operations = OTHER[e], []
        for p in PREDICATES:
            compare = f"%c = arith.cmpf {p}, %x, %y : {e}\n"
            against = f"%z = arith.constant 0.0 : {e}\n%c = arith.cmpf {p}, %x, %z : {e}\n"
            of_zero = f"%z = arith.constant -0.0 : {e}\n%c = arith.cmpf {p}, %z, %x : {e}\n"
            operations += [
                (f"truth {p} {e}", "i8", f"{compare}%v = arith.extui %c : i1 to i8"),
                (f"floats {p} {e}", e, f"{compare}%v = arith.select %c, %y, %x : {e}"),
                (f"others {p} {e}", o, f"{compare}%v = arith.select %c, %s, %t : {o}"),
                (f"integers {p} {e}", "i64", f"{compare}%v = arith.select %c, %j, %k : i64"),
                (f"branch {p} {e}", e, f"{compare}{_branch(e)}"),
                (f"zero {p} {e}", "i8", f"{against}%v = arith.extui %c : i1 to i8"),
                (f"of zero {p} {e}", e, f"{of_zero}%v = arith.select %c, %x, %y : {e}"),
            ]
        operands = _pairs(e)
        count = len(operands["x"][1])
        numbers = np.arange(count)
        chosen = {
            "s": (o, numbers.astype(np.float64 if o == "f64" else np.float32)),
            "t": (o, -numbers.astype(np.float64 if o == "f64" else np.float32)),
            "j": ("i64", numbers.astype(np.uint64)),
            "k": ("i64", numbers.astype(np.uint64) + np.uint64(1000)),
        }
        loops.add({**operands, **chosen}, operations)
    assert not differences_of(loops, BASELINES)


def _branch(type: str) -> str:
    return (
        f"%v = scf.if %c -> ({type}) {{\nscf.yield %x : {type}\n}} else {{\n"
        f"%w = arith.addf %y, %y : {type}\nscf.yield %w : {type}\n}}"
    )


def test_conversions() -> None:
    loops = Loops()
    ends = [sign * 2.0**bits + more for bits in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (1, -1)
            for more in (-1.0, 0.0, 0.5)]  # fmt: skip
    for e in ELEMENTS:
        dtype = np.float64 if e == "f64" else np.float32
        words = np.concatenate([floats(e), np.array([*ends, 0.999, -0.999], dtype)])
        operations = [
            (f"{name} {e} {to}", to, f"%v = arith.{name} %x : {e} to {to}")
            for name in ("fptosi", "fptoui")
            for to in WIDTHS
        ]
        name = "truncf" if e == "f64" else "extf"
        body = f"%v = arith.{name} %x : {e} to {OTHER[e]}"
        operations.append((f"{name} {e}", OTHER[e], body))
        loops.add({"x": (e, words)}, operations)
        numbers = words[~np.isnan(words)]
        to = INTEGER[e]
        body = f"%v = arith.bitcast %x : {e} to {to}"
        loops.add({"x": (e, numbers)}, [(f"bits {e}", to, body)])
    for i in WIDTHS:
        words = integers(int(i[1:]))
        if i in ("i32", "i64"):
            # Odd ones between two floats, which a second rounding would round the other way.
            halfway = [(1 << 24) + 1, (1 << 31) + (1 << 7) + 1, (1 << 53) + 1]
            halfway += [
                (1 << 62) + (1 << 8) + 1,
                (1 << 63) + (1 << 10) + 1,
                (1 << 63) + (1 << 39) + 1,
            ]
            fitting = [each for each in halfway if each < 1 << int(i[1:])]
            words = np.concatenate([words, np.array(fitting, words.dtype)])
        operations = [
            (f"{name} {i} {e}", e, f"%v = arith.{name} %x : {i} to {e}")
            for name in ("sitofp", "uitofp")
            for e in ELEMENTS
        ]
        bit = f"%t = arith.trunci %x : {i} to i1\n"
        operations += [
            (f"{name} i1 {e}", e, f"{bit}%v = arith.{name} %t : i1 to {e}")
            for name in ("sitofp", "uitofp")
            for e in ELEMENTS
            if i == "i8"
        ]
        for e in ELEMENTS:
            if INTEGER[e] == i:
                body = f"%v = arith.bitcast %x : {i} to {e}"
                operations.append((f"of bits {e}", e, body))
        loops.add({"x": (i, words)}, operations)
    assert not differences_of(loops, TARGETS)


def test_constants() -> None:
    """Those of a few moves, and those of the pool: in arithmetic and as what is returned."""
    loops = Loops()
    numbers = ("0.0", "-0.0", "1.0", "-2.5", "0.1", "1.0e300", "4.9406564584124654e-324")
    for e in ELEMENTS:
        some = numbers if e == "f64" else numbers[:5]
        operations = [
            (
                f"{number} {e}",
                e,
                f"%k = arith.constant {number} : {e}\n%v = arith.{name} %x, %k : {e}",
            )
            for number in some
            for name in ("mulf", "subf")
        ]
        loops.add({"x": (e, floats(e))}, operations)
    assert not differences_of(loops, BASELINES)
