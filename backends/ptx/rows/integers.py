"""Rows on integers and truths: `w` registers of 32 bits, `x` of 64, `p` predicates.

Source: PTX ISA 7.1, 9.7.1 (integers), 9.7.5 (comparison and selection), 9.7.7 (logic and shifts).

Entry: `ROWS`, `ptx`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import partial

import numpy as np

from alpha.backends.core.rows import Row, row
from alpha.backends.ptx.meanings import (
    chosen,
    compared_integers,
    converted,
    divided,
    integer,
    shifted,
)
from alpha.backends.ptx.registers import VIEWS

ptx = partial(row, VIEWS)
"""Reads a row of PTX; see `rows`."""

WIDTHS = (("w", 32), ("x", 64))
IMMEDIATE = "immS32"
"""What stands in an instruction: larger constants have a register."""


def _arithmetic(view: str, bits: int) -> Iterator[Row]:
    for name, mnemonic, compute in (
        ("add", "add.s", operator.add),
        ("sub", "sub.s", operator.sub),
        ("mul", "mul.lo.s", operator.mul),
        ("and", "and.b", operator.and_),
        ("or", "or.b", operator.or_),
        ("xor", "xor.b", operator.xor),
        ("min", "min.u", np.minimum),
        ("max", "max.u", np.maximum),
    ):
        text = f"{mnemonic}{bits} {{d}}, {{a}}, "
        meaning = integer(compute, bits)
        yield ptx(f"{name}_{view}", f"d:{view} = a:{view}, b:{view}", f"{text}{{b}};", meaning)
        yield ptx(
            f"{name}_imm_{view}", f"d:{view} = a:{view}, i:{IMMEDIATE}", f"{text}{{i}};", meaning
        )
    yield ptx(
        f"mad_{view}",
        f"d:{view} = a:{view}, b:{view}, c:{view}",
        f"mad.lo.s{bits} {{d}}, {{a}}, {{b}}, {{c}};",
        integer(lambda a, b, c: a * b + c, bits),
    )
    for name, mnemonic, remainder in (("div", "div.u", False), ("rem", "rem.u", True)):
        yield ptx(
            f"{name}_{view}",
            f"d:{view} = a:{view}, b:{view}",
            f"{mnemonic}{bits} {{d}}, {{a}}, {{b}};",
            divided(remainder, bits),
        )
    yield ptx(
        f"not_{view}",
        f"d:{view} = a:{view}",
        f"not.b{bits} {{d}}, {{a}};",
        integer(np.invert, bits),
    )


def _moved(view: str, bits: int) -> Iterator[Row]:
    for name, mnemonic, right, signed in (
        ("shl", "shl.b", False, False),
        ("shr", "shr.u", True, False),
        ("sar", "shr.s", True, True),
    ):
        text = f"{mnemonic}{bits} {{d}}, {{a}}, "
        meaning = shifted(right, signed, bits)
        yield ptx(f"{name}_{view}", f"d:{view} = a:{view}, n:w", f"{text}{{n}};", meaning)
        yield ptx(f"{name}_imm_{view}", f"d:{view} = a:{view}, i:immU6", f"{text}{{i}};", meaning)
    yield ptx(
        f"mov_{view}", f"d:{view} = s:{view}", f"mov.b{bits} {{d}}, {{s}};", _same, role="move"
    )
    yield ptx(
        f"const_{view}",
        f"d:{view} = i:immS{bits}",
        f"mov.b{bits} {{d}}, {{i}};",
        integer(lambda i: i, bits),
        role="constant",
    )


def _decided(view: str, bits: int) -> Iterator[Row]:
    for letter, signed in (("s", True), ("u", False)):
        meaning = compared_integers(signed, bits)
        text = f"setp.{{c}}.{letter}{bits} {{d}}, {{a}}, "
        yield ptx(
            f"setp_{letter}_{view}", f"d:p = a:{view}, b:{view}, c:cond", f"{text}{{b}};", meaning
        )
        yield ptx(
            f"setp_{letter}_imm_{view}",
            f"d:p = a:{view}, i:{IMMEDIATE}, c:cond",
            f"{text}{{i}};",
            meaning,
        )
    yield ptx(
        f"selp_{view}",
        f"d:{view} = a:{view}, b:{view}, t:p",
        f"selp.b{bits} {{d}}, {{a}}, {{b}}, {{t}};",
        chosen,
    )


def _same(c: object, a: np.ndarray) -> np.ndarray:
    return a


def _widths() -> Iterator[Row]:
    for name, type, signed in (("extend", "u", False), ("sign_extend", "s", True)):
        yield ptx(
            name,
            "d:x = a:w",
            f"cvt.{type}64.{type}32 {{d}}, {{a}};",
            converted(np.int64 if signed else np.uint64, signed),
        )
    yield ptx("cut", "d:w = a:x", "cvt.u32.u64 {d}, {a};", converted(np.uint32))


def _truths() -> Iterator[Row]:
    for name, compute in (("and", np.logical_and), ("or", np.logical_or), ("xor", np.not_equal)):
        yield ptx(
            f"{name}_p",
            "d:p = a:p, b:p",
            f"{name}.pred {{d}}, {{a}}, {{b}};",
            lambda c, a, b, compute=compute: compute(a, b),
        )
    yield ptx("not_p", "d:p = a:p", "not.pred {d}, {a};", lambda c, a: np.logical_not(a))
    yield ptx("mov_p", "d:p = s:p", "mov.pred {d}, {s};", _same, role="move")
    yield ptx(
        "const_p",
        "d:p = i:immU1",
        "setp.ne.s32 {d}, {i}, 0;",
        lambda c, i: np.bool_(i),
        role="constant",
    )
    for view, bits in WIDTHS:
        yield ptx(
            f"truth_{view}",
            f"d:{view} = t:p",
            f"selp.b{bits} {{d}}, 1, 0, {{t}};",
            lambda c, t, bits=bits: t.astype(np.uint32 if bits == 32 else np.uint64),
        )


def _rows() -> Iterator[Row]:
    for view, bits in WIDTHS:
        yield from _arithmetic(view, bits)
    for view, bits in WIDTHS:
        yield from _decided(view, bits)
    yield from _truths()
    for view, bits in WIDTHS:
        yield from _moved(view, bits)
    yield from _widths()


ROWS = tuple(_rows())
"""Integers and truths."""
