"""Rows on floats against exact fractions, rounded once."""

from __future__ import annotations

import itertools
import math
import operator
import random
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from ptx.elementwise import elementwise, kernel_text
from ptx.rounding import (
    DOUBLE,
    SINGLE,
    Format,
    added,
    divided,
    fused,
    multiplied,
    narrowed,
    rooted,
    rounded,
)

from alpha.backends.ptx.interpreter.parsing import parsed
from alpha.backends.ptx.rows import scalars

Case = tuple[str, str, str, Callable[..., Any]]

UNORDERED = ("equ", "neu", "ltu", "leu", "gtu", "geu")
COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
FORMATS: dict[str, Format] = {"s": SINGLE, "d": DOUBLE}
CODES = {"s": ("<f", "<I"), "d": ("<d", "<Q")}


def bits_of(value: float, view: str) -> int:
    return struct.unpack(CODES[view][1], struct.pack(CODES[view][0], value))[0]


def of_bits(bits: int, view: str) -> float:
    return struct.unpack(CODES[view][0], struct.pack(CODES[view][1], bits))[0]


def compared(a: float, b: float, name: str) -> bool:
    either = math.isnan(a) or math.isnan(b)
    if name in ("num", "nan"):
        return either == (name == "nan")
    if name in UNORDERED:
        return either or COMPARISONS[name[:-1]](a, b)
    return not either and COMPARISONS[name](a, b)


def chosen(a: float, b: float, truth: int) -> float:
    return a if truth else b


def arithmetic(view: str, type: str) -> list[Case]:
    form = FORMATS[view]
    pair, single = 2 * view, view
    sign = partial(math.copysign, 1.0)
    return [
        (f"add.rn.{type} {{r}}, {{a}}, {{b}};", pair, view, partial(added, form=form)),
        (f"sub.rn.{type} {{r}}, {{a}}, {{b}};", pair, view, lambda a, b: added(a, -b, form)),
        (f"mul.rn.{type} {{r}}, {{a}}, {{b}};", pair, view, partial(multiplied, form=form)),
        (f"div.rn.{type} {{r}}, {{a}}, {{b}};", pair, view, partial(divided, form=form)),
        (f"fma.rn.{type} {{r}}, {{a}}, {{b}}, {{c}};", 3 * view, view, partial(fused, form=form)),
        (f"sqrt.rn.{type} {{r}}, {{a}};", single, view, partial(rooted, form=form)),
        (f"neg.{type} {{r}}, {{a}};", single, view, lambda a: math.copysign(a, -sign(a))),
        (f"abs.{type} {{r}}, {{a}};", single, view, lambda a: math.copysign(a, 1.0)),
        (f"mov.{type} {{r}}, {{a}};", single, view, lambda a: a),
        (f"selp.{type} {{r}}, {{a}}, {{b}}, {{c}};", pair + "p", view, chosen),
        *(
            (f"setp.{name}.{type} {{r}}, {{a}}, {{b}};", pair, "p", partial(compared, name=name))
            for name in ("num", "nan", *UNORDERED, *COMPARISONS)
        ),
    ]


def bits(view: str, type: str, integer: str, width: int) -> list[Case]:
    prefix, digits = ("0d", 16) if view == "d" else ("0f", 8)
    constants = (0, 1, 1 << (width - 1), 0x3F800000 << (width - 32), (1 << width) - 1)
    return [
        (f"mov.b{width} {{r}}, {{a}};", view, integer, partial(bits_of, view=view)),
        (f"mov.b{width} {{r}}, {{a}};", integer, view, partial(of_bits, view=view)),
        *(
            (
                f"mov.{type} {{r}}, {prefix}{word:0{digits}X};",
                view,
                view,
                lambda a, word=word: of_bits(word, view),
            )
            for word in constants
        ),
    ]


def whole(a: float) -> int:
    if math.isnan(a):
        return 0
    limit = 1 << 63
    return max(-limit, min(limit - 1, int(a) if math.isfinite(a) else int(math.copysign(limit, a))))


def of_integer(a: int, is_signed: bool, form: Format) -> float:
    value = a - (1 << 64) if is_signed and a >> 63 else a
    return rounded(Fraction(value), form) if value else 0.0


def conversions() -> list[Case]:
    cases: list[Case] = [
        ("cvt.f64.f32 {r}, {a};", "s", "d", lambda a: a),
        ("cvt.rn.f32.f64 {r}, {a};", "d", "s", narrowed),
        ("cvt.rzi.s64.f64 {r}, {a};", "d", "x", lambda a: whole(a) & ((1 << 64) - 1)),
    ]
    for view, type in (("s", "f32"), ("d", "f64")):
        for letter in "su":
            compute = partial(of_integer, is_signed=letter == "s", form=FORMATS[view])
            cases.append((f"cvt.rn.{type}.{letter}64 {{r}}, {{a}};", "x", view, compute))
    return cases


CASES: list[Case] = [
    *arithmetic("s", "f32"),
    *arithmetic("d", "f64"),
    *bits("s", "f32", "w", 32),
    *bits("d", "f64", "x", 64),
    *conversions(),
]
DRAWN = 300


def edges(view: str) -> list[float]:
    form = FORMATS[view]
    least, most = 2.0**form.lowest, of_bits(bits_of(math.inf, view) - 1, view)
    normal = 2.0 ** (form.lowest + form.digits - 1)
    ulp = 2.0 ** (1 - form.digits)
    positive = [0.0, least, normal - least, normal, 1.0, 1.0 + ulp, 3.0, most, math.inf]
    return [*positive, *(-each for each in positive), math.nan]


def words_of(view: str, drawn: random.Random) -> list[Any]:
    """Random words: of floats, of all exponents and some close to 1 or large."""
    if view == "p":
        return [drawn.randrange(2) for _ in range(DRAWN)]
    width = 32 if view in "sw" else 64
    words: list[Any] = [drawn.getrandbits(width) for _ in range(DRAWN)]
    if view in "wx":
        ties = ((1 << 53) + 1, (1 << 54) + 2, (1 << 63) + (1 << 10), (1 << 63) + (1 << 39))
        bounds = (0, 1, (1 << (width - 1)) - 1, 1 << (width - 1), (1 << width) - 1)
        return [*words, *bounds, *(ties if view == "x" else ())]
    floats = [of_bits(word, view) for word in words]
    near = [of_bits(bits_of(drawn.uniform(-4, 4), view), view) for _ in range(DRAWN)]
    large = [of_bits(bits_of(drawn.uniform(-1e19, 1e19), view), view) for _ in range(DRAWN)]
    return [*floats, *near, *large]


def operands_of(views: str) -> list[Sequence[Any]]:
    """A column of words for each operand: drawn, all edges with all, and what is hard to round."""
    drawn = random.Random(views)
    columns = [words_of(view, drawn) for view in views]
    rows = list(zip(*columns, strict=False))
    if not set(views) & set("wx"):
        rows += itertools.product(*([0, 1] if view == "p" else edges(view) for view in views))
    if views == "d":
        ties = (1 + 2.0**-24, 1 + 3 * 2.0**-24, 2.0**-150, 3 * 2.0**-150, 2.0**128 - 2.0**103)
        bounds = (2.0**63, -(2.0**63), 2.0**63 - 1024, 0.5, -0.5, 1.5, -2.5, 2.0**-149 * 1.5)
        rows += [(each,) for each in (*ties, *bounds)]
    if views in ("sss", "ddd"):
        rows += cancelling(views[0], drawn)
    return list(zip(*rows, strict=True))


def cancelling(view: str, drawn: random.Random) -> list[tuple[float, float, float]]:
    """Products with an addend that takes nearly all of them away, at several scales."""
    rows = []
    for _ in range(DRAWN):
        a, b = (of_bits(bits_of(drawn.uniform(1, 2), view), view) for _ in range(2))
        scale = 2.0 ** drawn.choice((0, 1, -60, 50))
        product = of_bits(bits_of(a * scale * b, view), view)
        rows.append((a * scale, b, -product))
    return rows


def same(made: Any, wanted: Any, view: str) -> bool:
    if view not in "sd":
        return made == wanted
    if math.isnan(wanted):
        return math.isnan(made)
    return bits_of(made, view) == bits_of(wanted, view)


@pytest.mark.parametrize(("line", "views", "result", "compute"), CASES)
def test_an_instruction_rounds_once(
    line: str, views: str, result: str, compute: Callable[..., Any]
):
    operands = operands_of(views)
    made = elementwise(line, views, result, *operands).tolist()
    wrong = [
        (row, got)
        for *row, got in zip(*operands, made, strict=True)
        if not same(got, compute(*row), result)
    ]
    assert not wrong


def test_bits_pass_through_registers():
    words = np.array([0x7FF0000000000001, 0xFFF8000000000123, 0x8000000000000000], np.uint64)
    made = elementwise("mov.b64 {r}, {a};", "x", "d", words)
    assert made.view(np.uint64).tolist() == words.tolist()


def test_an_unfused_product_is_told_apart():
    a = np.full(1, 1 + 2.0**-30)
    c = -(a * a)
    text = "mul.rn.f64 %fd1, {a}, {b}; add.rn.f64 {r}, %fd1, {c};"
    assert elementwise(text, "ddd", "d", a, a, c)[0] == 0
    assert elementwise("fma.rn.f64 {r}, {a}, {b}, {c};", "ddd", "d", a, a, c)[0] == 2.0**-60


def test_every_row_is_run():
    run = {
        instruction.row.name
        for line, views, result, _ in CASES
        for instruction in parsed(kernel_text(line, views, result)).kernels["k"].instructions
    }
    assert {row.name for row in scalars.ROWS} <= run
