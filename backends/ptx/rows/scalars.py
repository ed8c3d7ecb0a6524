"""Rows on floats: `d` registers hold f64, `s` registers f32.

Source: PTX ISA 7.1, 9.7.3: what takes a rounding is IEEE 754's with `.rn`, and subnormals are kept
without `.ftz`.

Invariant: the rounding is always spelled, since without it a multiplication and an addition may be
    contracted; nothing is approximate and nothing flushes subnormals.
Why: a comparison and a choice stand for minimum and maximum, whose instructions drop NaNs.
Entry: `ROWS`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from alpha.backends.core.meanings import lanewise
from alpha.backends.core.rows import Immediate, Row
from alpha.backends.ptx.meanings import (
    UNSIGNED,
    chosen,
    compared,
    converted,
    reinterpreted,
    rounded_to_integer,
)
from alpha.backends.ptx.rows.integers import ptx
from alpha.interpreters.carriers import Element

_WORDS = {"s": Immediate(0, (1 << 32) - 1), "d": Immediate(0, (1 << 64) - 1)}
"""The bits of a constant."""

_KINDS = {f"bits_{view}": kind for view, kind in _WORDS.items()}


def _arithmetic(view: str, element: Element) -> Iterator[Row]:
    type = element
    for name in ("add", "sub", "mul", "div"):
        yield ptx(
            f"{name}_{view}",
            f"d:{view} = a:{view}, b:{view}",
            f"{name}.rn.{type} {{d}}, {{a}}, {{b}};",
            lanewise(f"arith.{name}f", element),
        )
    yield ptx(
        f"fma_{view}",
        f"d:{view} = a:{view}, b:{view}, c:{view}",
        f"fma.rn.{type} {{d}}, {{a}}, {{b}}, {{c}};",
        lanewise("math.fma", element),
    )
    yield ptx(
        f"sqrt_{view}",
        f"d:{view} = a:{view}",
        f"sqrt.rn.{type} {{d}}, {{a}};",
        lanewise("math.sqrt", element),
    )
    for name, operation in (("neg", "arith.negf"), ("abs", "math.absf")):
        yield ptx(
            f"{name}_{view}",
            f"d:{view} = a:{view}",
            f"{name}.{type} {{d}}, {{a}};",
            lanewise(operation, element),
        )


def _decided(view: str, element: Element) -> Iterator[Row]:
    yield ptx(
        f"setp_{view}",
        f"d:p = a:{view}, b:{view}, c:cond",
        f"setp.{{c}}.{element} {{d}}, {{a}}, {{b}};",
        compared(element),
    )
    yield ptx(
        f"selp_{view}",
        f"d:{view} = a:{view}, b:{view}, t:p",
        f"selp.{element} {{d}}, {{a}}, {{b}}, {{t}};",
        chosen,
    )


def _moved(view: str, element: Element) -> Iterator[Row]:
    integer, bits = ("x", 64) if view == "d" else ("w", 32)
    float = np.float64 if view == "d" else np.float32
    yield ptx(
        f"mov_{view}",
        f"d:{view} = s:{view}",
        f"mov.{element} {{d}}, {{s}};",
        lambda c, a: a,
        role="move",
    )
    prefix, digits = ("0d", 16) if view == "d" else ("0f", 8)
    yield ptx(
        f"const_{view}",
        f"d:{view} = i:bits_{view}",
        f"mov.{element} {{d}}, {prefix}{{i:0{digits}X}};",
        lambda c, i: UNSIGNED[bits](i).view(float),
        role="constant",
        kinds=_KINDS,
    )
    yield ptx(
        f"bits_of_{view}",
        f"d:{integer} = a:{view}",
        f"mov.b{bits} {{d}}, {{a}};",
        reinterpreted(UNSIGNED[bits]),
    )
    yield ptx(
        f"of_bits_{view}",
        f"d:{view} = a:{integer}",
        f"mov.b{bits} {{d}}, {{a}};",
        reinterpreted(float),
    )


def _conversions() -> Iterator[Row]:
    yield ptx("widen", "d:d = a:s", "cvt.f64.f32 {d}, {a};", converted(np.float64))
    yield ptx("narrow", "d:s = a:d", "cvt.rn.f32.f64 {d}, {a};", converted(np.float32))
    for view, type, kind in (("d", "f64", np.float64), ("s", "f32", np.float32)):
        for letter, signed in (("s", True), ("u", False)):
            yield ptx(
                f"float_{letter}_{view}",
                f"d:{view} = a:x",
                f"cvt.rn.{type}.{letter}64 {{d}}, {{a}};",
                converted(kind, signed),
            )
    yield ptx("whole_d", "d:x = a:d", "cvt.rzi.s64.f64 {d}, {a};", rounded_to_integer)


FLOATS: tuple[tuple[str, Element], ...] = (("s", "f32"), ("d", "f64"))


def _rows() -> Iterator[Row]:
    for view, element in FLOATS:
        yield from _arithmetic(view, element)
    for view, element in FLOATS:
        yield from _decided(view, element)
    for view, element in FLOATS:
        yield from _moved(view, element)
    yield from _conversions()


ROWS = tuple(_rows())
"""Floats."""
