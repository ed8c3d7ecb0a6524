"""Vectors on every target that has them, against the interpreter, lane by lane.

Vectors of 16 bytes run on every target, of 32 on x86-64, of 64 with AVX-512.
"""

from __future__ import annotations

import numpy as np
import pytest
from selection.compiled import (
    ARM,
    AVX512,
    BASELINES,
    TARGETS,
    X86,
    Target,
    compile_text,
    differences_of,
)
from selection.points import floats, integers, pairs
from selection.texts import Loops, vector

from alpha.interpreters.code.integers import COMPARISONS
from alpha.ir.refusals import Refusal
from alpha.ir.scalars import PREDICATES

WIDTHS = [(128, BASELINES), (256, (X86,))]
WIDTHS += [(512, (AVX512,))] if AVX512 in TARGETS else []
ELEMENTS = ("f64", "f32")


class Types:
    """A vector of floats, and that of integers in its lanes."""

    def __init__(self, bits: int, element: str) -> None:
        self.element, self.integer = element, f"i{element[1:]}"
        self.lanes = bits // int(element[1:])
        self.floats, self.integers, self.truths = (
            vector(self.lanes, each) for each in (element, self.integer, "i1")
        )

    def operands(self) -> dict[str, tuple[str, np.ndarray]]:
        """Pairs of floats, %x and %y, and of integers, %j and %k."""
        a, b = pairs(floats(self.element))
        c, d = (np.resize(each, len(a)) for each in pairs(integers(int(self.integer[1:]))))
        words = {"x": (self.element, a), "y": (self.element, b)}
        return {**words, "j": (self.integer, c), "k": (self.integer, d)}


def _arithmetic(t: Types) -> list[tuple[str, str, str]]:
    v, w, e, i = t.floats, t.integers, t.element, t.integer
    operations = [
        (name, e, f"%v = {name} %x, %y : {v}")
        for name in ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "math.copysign")
    ]
    operations += [
        (name, e, f"%v = {name} %x : {v}") for name in ("math.sqrt", "arith.negf", "math.absf")
    ]
    operations += [
        ("vector.fma", e, f"%v = vector.fma %x, %y, %x : {v}"),
        ("math.fma", e, f"%v = math.fma %y, %y, %x : {v}"),
        ("fma less", e, f"%n = arith.negf %x : {v}\n%v = math.fma %n, %y, %y : {v}"),
    ]
    names = ["addi", "subi", "andi", "ori", "xori", *(["muli"] if i == "i32" else [])]
    operations += [(name, i, f"%v = arith.{name} %j, %k : {w}") for name in names]
    operations += [
        (
            f"{name} {count}",
            i,
            f"%c = arith.constant dense<{count}> : {w}\n%v = arith.{name} %j, %c : {w}",
        )
        for name in ("shli", "shrui", "shrsi")
        for count in (0, 13, int(i[1:]) - 1)
    ]
    numbers = ", ".join(f"{lane}.1" for lane in range(t.lanes))
    operations += [
        (
            f"constant {words}",
            e,
            f"%c = arith.constant dense<{words}> : {v}\n%v = arith.mulf %x, %c : {v}",
        )
        for words in ("1.5", "0.1", "-0.0", f"[{numbers}]")
    ]
    known = f"%z = arith.constant dense<0.0> : {v}\n%o = arith.cmpf ord, %x, %x : {v}\n"
    known += f"%s = arith.select %o, %x, %z : {t.truths}, {v}\n"
    bits = f"{known}%b = arith.bitcast %s : {v} to {w}\n%n = arith.addi %b, %j : {w}\n"
    operations.append(("bits", e, f"{bits}%v = arith.bitcast %n : {w} to {v}"))
    return operations


def _choices(t: Types) -> list[tuple[str, str, str]]:
    v, w, truths, e, i = t.floats, t.integers, t.truths, t.element, t.integer
    operations = []
    for p in PREDICATES:
        compare = f"%c = arith.cmpf {p}, %x, %y : {v}\n"
        typed = f"{truths}, {v}\n"
        twice = f"%a = arith.select %c, %x, %y : {typed}%b = arith.select %c, %y, %x : {typed}"
        operations += [
            (f"floats {p}", e, f"{compare}%v = arith.select %c, %y, %x : {truths}, {v}"),
            (f"integers {p}", i, f"{compare}%v = arith.select %c, %j, %k : {truths}, {w}"),
        ]
        if p in ("oeq", "ult", "one", "uno"):
            body = f"{compare}{twice}%v = arith.divf %a, %b : {v}"
            operations.append((f"twice {p}", e, body))
    for p in COMPARISONS:
        compare = f"%c = arith.cmpi {p}, %j, %k : {w}\n"
        operations += [
            (f"integers {p}", i, f"{compare}%v = arith.select %c, %j, %k : {truths}, {w}"),
            (f"floats {p}", e, f"{compare}%v = arith.select %c, %x, %y : {truths}, {v}"),
        ]
    for p in ("olt", "ogt"):
        for order in ("%x, %y", "%y, %x"):
            compare = f"%c = arith.cmpf {p}, %x, %y : {v}\n"
            operations.append(
                (f"extreme {p}", e, f"{compare}%v = arith.select %c, {order} : {truths}, {v}")
            )
    for one, other in ((0, 1), (1, 0)):
        pair = "".join(
            f"%{name} = vector.extract %x[{lane}] : {e} from {v}\n"
            for name, lane in (("a", one), ("b", other))
        )
        added = f"{pair}%s = arith.addf %a, %b : {e}\n"
        operations.append(("neighbours", e, f"{added}%v = vector.broadcast %s : {e} to {v}"))
    first = f"%a = vector.extract %x[0] : {e} from {v}\n%b = vector.extract %y[0] : {e} from {v}\n"
    one = f"{first}%c = arith.cmpf olt, %a, %b : {e}\n"
    operations.append(("one truth", e, f"{one}%v = arith.select %c, %x, %y : {v}"))
    return operations


def _masks(t: Types) -> list[tuple[str, str, str]]:
    v, truths, e = t.floats, t.truths, t.element
    operations = []
    for number in sorted({0, 1, 2, 6 % (1 << t.lanes), (1 << t.lanes) - 2, (1 << t.lanes) - 1}):
        words = ", ".join("true" if number >> lane & 1 else "false" for lane in range(t.lanes))
        mask = f"%c = arith.constant dense<[{words}]> : {truths}\n"
        zeros = f"%z = arith.constant dense<0.0> : {v}\n"
        load = f"vector.maskedload %m_x[%i], %c, {{}} : memref<?x{e}>, {truths}, {v} into {v}"
        store = f"vector.maskedstore %m_x[%i], %c, %y : memref<?x{e}>, {truths}, {v}\n"
        operations += [
            (f"choice {number:b}", e, f"{mask}%v = arith.select %c, %x, %y : {truths}, {v}"),
            (f"merge {number:b}", e, f"{mask}%s = arith.subf %x, %y : {v}\n"
             f"%v = arith.select %c, %s, %x : {truths}, {v}"),
            (f"load {number:b}", e, f"{mask}%v = {load.format('%y')}"),
            (f"load zeros {number:b}", e, f"{mask}{zeros}%v = {load.format('%z')}"),
            (f"store {number:b}", e, f"{mask}{store}%v = arith.addf %y, %y : {v}"),
        ]  # fmt: skip
    return operations


def _lanes(t: Types) -> list[tuple[str, str, str]]:
    operations = []
    chance = np.random.default_rng(t.lanes)
    for e, whole, x, y in ((t.element, t.floats, "x", "y"), (t.integer, t.integers, "j", "k")):
        for lane in {0, 1, t.lanes // 2, t.lanes - 1}:
            taken = f"%w = vector.extract %{x}[{t.lanes - 1 - lane}] : {e} from {whole}\n"
            operations += [
                (f"spread {lane}", e, f"{taken}%v = vector.broadcast %w : {e} to {whole}"),
                (
                    f"insert {lane}",
                    e,
                    f"{taken}%v = vector.insert %w, %{y}[{lane}] : {e} into {whole}",
                ),
            ]
        word = f"%w = memref.load %m_{x}[%i] : memref<?x{e}>\n"
        operations.append(("spread word", e, f"{word}%v = vector.broadcast %w : {e} to {whole}"))
        for places in _shuffles(t.lanes, chance):
            body = f"%v = vector.shuffle %{x}, %{y} {places} : {whole}, {whole}"
            operations.append((f"shuffle {places}", e, body))
    return operations


def _shuffles(lanes: int, chance: np.random.Generator) -> list[list[int]]:
    """Those that an instruction does, and some that none does."""
    half = range(lanes // 2)
    return [
        list(range(lanes, 2 * lanes)),
        list(range(1, lanes + 1)),
        [lanes + 1] * lanes,
        list(range(0, 2 * lanes, 2)),
        list(range(1, 2 * lanes, 2)),
        [place for lane in half for place in (lane, lanes + lane)],
        [place + lanes // 2 for lane in half for place in (lane, lanes + lane)],
        [place for lane in range(1, lanes, 2) for place in (lane, lanes + lane)],
        *([int(each) for each in chance.integers(0, 2 * lanes, lanes)] for _ in range(2)),
    ]


@pytest.mark.parametrize(("bits", "targets"), WIDTHS, ids=lambda value: str(value)[:3])
def test_every_operation(bits: int, targets: tuple) -> None:
    loops = Loops()
    for element in ELEMENTS:
        types = Types(bits, element)
        operations = [*_arithmetic(types), *_choices(types), *_masks(types), *_lanes(types)]
        loops.add(types.operands(), operations, types.lanes, offset=4)
    assert not differences_of(loops, targets)


@pytest.mark.parametrize(("bits", "targets"), WIDTHS[1:], ids=lambda value: str(value)[:3])
def test_parts_and_widths(bits: int, targets: tuple) -> None:
    """Parts of wide vectors, and floats of one width as those of the other."""
    lanes = bits // 64
    wide, half, narrow = vector(lanes, "f64"), vector(lanes // 2, "f64"), vector(lanes, "f32")
    low, high = list(range(lanes // 2)), list(range(lanes // 2, lanes))
    halves = "".join(
        f"%{name} = vector.shuffle %x, %y {places} : {wide}, {wide}\n"
        for name, places in (("a", low), ("b", high))
    )
    joined = f"%v = vector.shuffle %s, %b {[*low, *high]} : {half}, {half}"
    operations = [
        ("halves", "f64", f"{halves}%s = arith.addf %a, %b : {half}\n{joined}"),
        ("widths", "f64", f"%n = arith.truncf %x : {wide} to {narrow}\n"
         f"%v = arith.extf %n : {narrow} to {wide}"),
    ]  # fmt: skip
    a, b = pairs(floats("f64"))
    loops = Loops()
    loops.add({"x": ("f64", a), "y": ("f64", b)}, operations, lanes)
    assert not differences_of(loops, targets)


@pytest.mark.parametrize(("target", "lanes"), [(X86, 8), (ARM, 4)])
def test_wider_vectors_than_a_target_has_are_refused(target: Target, lanes: int) -> None:
    whole = f"vector<{lanes}xf64>"
    text = (
        f"func.func @f(%x: !ptr_xdsl.ptr) {{\n%v = ptr_xdsl.load %x : !ptr_xdsl.ptr -> {whole}\n"
        f"ptr_xdsl.store %v, %x : {whole}, !ptr_xdsl.ptr\nfunc.return\n}}\n"
    )
    with pytest.raises(Refusal) as refused:
        compile_text(text, target)
    assert refused.value.code == "target-unsupported"
