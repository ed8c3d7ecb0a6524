"""Rows on integers and truths against Python's integers."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable
from functools import partial

import pytest
from ptx.elementwise import elementwise, kernel_text

from alpha.backends.ptx.interpreter.parsing import parsed
from alpha.backends.ptx.rows import integers

Case = tuple[str, str, str, Callable[..., int]]
"""An instruction, the views of its operands, that of its result, and what it computes."""

WIDTHS = (("w", 32), ("x", 64))
IMMEDIATES = (0, 1, -1, 7, -(1 << 31), (1 << 31) - 1)
CONDITIONS = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


def shift_right(value: int, count: int, bits: int) -> int:
    return value >> count if count < bits else 0


def shift_left(value: int, count: int, bits: int) -> int:
    return value << count if count < bits else 0


def shift_arithmetic(value: int, count: int, bits: int) -> int:
    return signed(value, bits) >> min(count, bits)


def quotient(a: int, b: int, bits: int) -> int:
    return a // b if b else (1 << bits) - 1


def remainder(a: int, b: int) -> int:
    return a % b if b else a


def both(text: str, view: str, compute: Callable[[int, int], int]) -> list[Case]:
    """With a register and with immediates."""
    cases: list[Case] = [(text.format("{b}"), 2 * view, view, compute)]
    for i in IMMEDIATES:
        cases.append((text.format(i), view, view, lambda a, i=i: compute(a, i)))
    return cases


def compared(a: int, b: int, name: str, bits: int, is_signed: bool) -> int:
    mask = (1 << bits) - 1
    left, right = a & mask, b & mask
    if is_signed:
        left, right = signed(left, bits), signed(right, bits)
    return int(CONDITIONS[name](left, right))


def arithmetic(view: str, bits: int) -> list[Case]:
    mask = (1 << bits) - 1
    cases: list[Case] = []
    for text, compute in (
        ("add.s", operator.add),
        ("sub.s", operator.sub),
        ("mul.lo.s", operator.mul),
        ("and.b", operator.and_),
        ("or.b", operator.or_),
        ("xor.b", operator.xor),
        ("min.u", lambda a, b: min(a & mask, b & mask)),
        ("max.u", lambda a, b: max(a & mask, b & mask)),
    ):
        cases += both(f"{text}{bits} {{{{r}}}}, {{{{a}}}}, {{}};", view, compute)
    mad = f"mad.lo.s{bits} {{r}}, {{a}}, {{b}}, {{c}};"
    cases.append((mad, 3 * view, view, lambda a, b, c: a * b + c))
    cases.append(
        (f"div.u{bits} {{r}}, {{a}}, {{b}};", 2 * view, view, partial(quotient, bits=bits))
    )
    cases.append((f"rem.u{bits} {{r}}, {{a}}, {{b}};", 2 * view, view, remainder))
    cases.append((f"not.b{bits} {{r}}, {{a}};", view, view, lambda a: ~a))
    return cases


def moved(view: str, bits: int) -> list[Case]:
    cases: list[Case] = []
    for mnemonic, compute in (
        ("shl.b", shift_left),
        ("shr.u", shift_right),
        ("shr.s", shift_arithmetic),
    ):
        text = f"{mnemonic}{bits} {{r}}, {{a}}, "
        cases.append((text + "{b};", view + "w", view, partial(compute, bits=bits)))
        for i in (0, 1, 31, 32, 33, 63):
            cases.append((f"{text}{i};", view, view, lambda a, i=i, f=compute: f(a, i, bits)))
    cases.append((f"mov.b{bits} {{r}}, {{a}};", view, view, lambda a: a))
    for i in (0, -1, 0x1234, -(1 << (bits - 1)), (1 << (bits - 1)) - 1):
        cases.append((f"mov.b{bits} {{r}}, {i};", view, view, lambda a, i=i: i))
    cases.append((f"mov.b{bits} {{r}}, 0x7fABcdef;", view, view, lambda a: 0x7FABCDEF))
    return cases


def decided(view: str, bits: int) -> list[Case]:
    cases: list[Case] = []
    for letter, is_signed in (("s", True), ("u", False)):
        for name in CONDITIONS:
            compute = partial(compared, name=name, bits=bits, is_signed=is_signed)
            text = f"setp.{name}.{letter}{bits} {{r}}, {{a}}, "
            cases.append((text + "{b};", 2 * view, "p", compute))
            for i in IMMEDIATES:
                cases.append((f"{text}{i};", view, "p", lambda a, i=i, f=compute: f(a, i)))
    selp = f"selp.b{bits} {{r}}, {{a}}, {{b}}, {{c}};"
    cases.append((selp, 2 * view + "p", view, lambda a, b, t: a if t else b))
    cases.append((f"selp.b{bits} {{r}}, 1, 0, {{a}};", "p", view, lambda t: t))
    return cases


def truths() -> list[Case]:
    return [
        ("and.pred {r}, {a}, {b};", "pp", "p", lambda a, b: a & b),
        ("or.pred {r}, {a}, {b};", "pp", "p", lambda a, b: a | b),
        ("xor.pred {r}, {a}, {b};", "pp", "p", lambda a, b: a ^ b),
        ("not.pred {r}, {a};", "p", "p", lambda a: 1 - a),
        ("mov.pred {r}, {a};", "p", "p", lambda a: a),
        ("setp.ne.s32 {r}, 1, 0;", "p", "p", lambda a: 1),
        ("setp.ne.s32 {r}, 0, 0;", "p", "p", lambda a: 0),
    ]


def widths() -> list[Case]:
    return [
        ("cvt.u64.u32 {r}, {a};", "w", "x", lambda a: a),
        ("cvt.s64.s32 {r}, {a};", "w", "x", lambda a: signed(a, 32)),
        ("cvt.u32.u64 {r}, {a};", "x", "w", lambda a: a),
    ]


CASES: list[Case] = [
    *(case for width in WIDTHS for case in (*arithmetic(*width), *moved(*width))),
    *(case for width in WIDTHS for case in decided(*width)),
    *truths(),
    *widths(),
]
BITS = {"p": 32, "w": 32, "x": 64}


def words_of(view: str, seed: int) -> list[int]:
    if view == "p":
        return [0, 1]
    bits = BITS[view]
    small = [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 1 << 31, (1 << 31) - 1, (1 << 31) + 1]
    edges = [(1 << bits) - 1, (1 << bits) - 2, 1 << (bits - 1), (1 << (bits - 1)) - 1, 0xFFFFFFFF]
    drawn = random.Random(seed)
    return [*dict.fromkeys(small + edges), *(drawn.getrandbits(bits) for _ in range(4))]


@pytest.mark.parametrize(("line", "views", "result", "compute"), CASES)
def test_an_instruction_computes_what_integers_do(
    line: str, views: str, result: str, compute: Callable[..., int]
):
    rows = list(itertools.product(*(words_of(view, at) for at, view in enumerate(views))))
    made = elementwise(line, views, result, *zip(*rows, strict=True))
    mask = 1 if result == "p" else (1 << BITS[result]) - 1
    assert made.tolist() == [compute(*row) & mask for row in rows]


def test_every_row_is_run():
    run = {
        instruction.row.name
        for line, views, result, _ in CASES
        for instruction in parsed(kernel_text(line, views, result)).kernels["k"].instructions
    }
    assert {row.name for row in integers.ROWS} <= run
