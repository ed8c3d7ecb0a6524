"""Rows on scalar floats: `d` registers hold f64, `s` registers f32, with zeros above.

A comparison stands in one row with what uses it. The conditions count unordered operands as
`FLOAT_PREDICATES` says; `one` (less or greater) takes two conditions and has rows of its own, and
its negation `ueq` is what they give with the two choices exchanged.

Why: nothing assumes how FPCR treats NaNs, so which NaN an operation gives is no part of its
    meaning. `fmin` and `fmax` have no rows: a minimum is a comparison and a choice,
    `a < b ? a : b`.
Entry: `ROWS`, `SCALARS`, `compared_floats`, `ROUNDINGS`, `saturated`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from alpha.backends.aarch64.meanings import (
    FLOAT_PREDICATES,
    fused,
    vector_of,
    zeros,
)
from alpha.backends.aarch64.rows.integers import a64
from alpha.backends.core.carriers import BYTES, MachineCarrier, NotModelled, Vector
from alpha.backends.core.meanings import (
    FLOATS,
    UNSIGNED,
    lanewise,
    loaded,
    low,
    of_words,
    on_words,
    signed,
    words,
)
from alpha.backends.core.rows import Meaning, Row
from alpha.interpreters.carriers import Array, Element

SCALARS: Mapping[str, Element] = MappingProxyType({"d": "f64", "s": "f32"})
"""The element of each scalar view."""


def _half_away(lanes: np.ndarray) -> np.ndarray:
    whole = np.trunc(lanes)
    step = np.copysign(np.ones_like(lanes), lanes)
    return np.copysign(np.where(np.abs(lanes - whole) >= 0.5, whole + step, whole), lanes)


ROUNDINGS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = MappingProxyType(
    {
        "frintn": np.rint,
        "frintp": np.ceil,
        "frintm": np.floor,
        "frintz": np.trunc,
        "frinta": _half_away,
    }
)
"""To an integer that is a float: the nearest (even), up, down, towards zero, the nearest (away)."""


def saturated(value: float, bits: int, unsigned: bool) -> int:
    """A float rounded towards zero and to the range of so many bits, 0 for a NaN; as its bits."""
    if value != value:
        return 0
    least, most = (0, low(bits)) if unsigned else (-(1 << bits - 1), low(bits - 1))
    if value in (float("inf"), float("-inf")):
        return (most if value > 0 else least) & low(bits)
    return min(max(int(value), least), most) & low(bits)


def compared_floats(
    c: MachineCarrier, predicate: str, element: Element, a: Vector, b: Vector | None
) -> Array:
    """The truths of a comparison of lanes, with zeros where there is no `b`."""
    left = c.lanes(a, element)
    if b is None:
        right = np.broadcast_to(c.carrier.constant(0.0, element), left.shape)
    else:
        right = c.lanes(b, element)
    return c.carrier.compare(predicate, left, right)


def _moves(view: str) -> Iterator[Row]:
    bits = 8 * BYTES[SCALARS[view]]
    general, top = ("x", 48) if view == "d" else ("w", 16)
    yield a64(f"fmov_{view}", f"d:{view} = s:{view}", "fmov {d}, {s}", _same, role="move")
    yield a64(
        f"fmov_{general}_{view}",
        f"d:x = a:{view}",
        f"fmov {{d:{general}}}, {{a}}",
        loaded(bits),
    )
    yield a64(
        f"fmov_{view}_{general}",
        f"d:{view} = a:x",
        f"fmov {{d}}, {{a:{general}}}",
        lambda c, a: vector_of(c, [a], bits),
    )
    yield a64(
        f"zero_{view}",
        f"d:{view} =",
        "movi {d:d}, #0",
        lambda c: zeros(c, bits // 8),
        role="constant",
    )
    yield a64(
        f"negative_zero_{view}",
        f"d:{view} =",
        "movi {d:d}, #0\nfneg {d}, {d}",
        lambda c: vector_of(c, [1 << bits - 1], bits),
        role="constant",
    )
    yield a64(
        f"high_{view}",
        f"d:{view} = i:immU16",
        f"movz {general}16, #{{i}}, lsl #{top}\nfmov {{d}}, {general}16",
        lambda c, i: vector_of(c, [i << top], bits),
        role="constant",
    )


def _same(c: MachineCarrier, a: Any) -> Any:
    return a


def _from_integers(view: str) -> Iterator[Row]:
    """Correctly rounded, of 64 bits or of the low 32."""
    element = SCALARS[view]

    def converted(bits: int, unsigned: bool) -> Meaning:
        dtype = UNSIGNED[bits] if unsigned else np.dtype(f"i{bits // 8}")

        def meaning(c: MachineCarrier, a: int) -> Vector:
            value = a & low(bits)
            held = np.array([value if unsigned else signed(value, bits)], dtype)
            return of_words(c, held.astype(FLOATS[element]))

        return meaning

    for name, unsigned in (("scvtf", False), ("ucvtf", True)):
        for bits, suffix, w in ((64, "", "x"), (32, "_32", "w")):
            yield a64(
                f"{name}_{view}{suffix}",
                f"d:{view} = a:x",
                f"{name} {{d}}, {{a:{w}}}",
                converted(bits, unsigned),
            )


def _to_integers(view: str) -> Iterator[Row]:
    element = SCALARS[view]

    def converted(bits: int, unsigned: bool) -> Meaning:
        return lambda c, a: saturated(float(words(c, a, element)[0]), bits, unsigned)

    for name, unsigned in (("fcvtzs", False), ("fcvtzu", True)):
        for bits, suffix, w in ((64, "", "x"), (32, "_32", "w")):
            yield a64(
                f"{name}_{view}{suffix}",
                f"d:x = a:{view}",
                f"{name} {{d:{w}}}, {{a}}",
                converted(bits, unsigned),
            )


def _widths() -> Iterator[Row]:
    yield a64("fcvt_s_d", "d:s = a:d", "fcvt {d}, {a}", on_words(to_width("f32"), "f64"))
    yield a64("fcvt_d_s", "d:d = a:s", "fcvt {d}, {a}", on_words(to_width("f64"), "f32"))


def to_width(element: Element) -> Callable[[np.ndarray], np.ndarray]:
    """Lanes as floats of this element, rounded to nearest even."""
    return lambda lanes: lanes.astype(FLOATS[element])


_ONE_SOURCE = (
    ("fabs", "math.absf"),
    ("fneg", "arith.negf"),
    ("fsqrt", "math.sqrt"),
)
_TWO_SOURCES = (
    ("fmul", "arith.mulf", "a b"),
    ("fdiv", "arith.divf", ""),
    ("fadd", "arith.addf", "a b"),
    ("fsub", "arith.subf", ""),
)
_THREE_SOURCES = (
    ("fmadd", 1, 1),
    ("fmsub", 1, -1),
    ("fnmadd", -1, -1),
    ("fnmsub", -1, 1),
)
"""a * b + c, with the signs of c and of a."""


def _arithmetic(view: str) -> Iterator[Row]:
    element = SCALARS[view]
    one, two = f"d:{view} = a:{view}", f"d:{view} = a:{view}, b:{view}"
    for name, operation in _ONE_SOURCE:
        yield a64(f"{name}_{view}", one, f"{name} {{d}}, {{a}}", lanewise(operation, element))
    for name in ROUNDINGS:
        yield a64(f"{name}_{view}", one, f"{name} {{d}}, {{a}}", on_words(ROUNDINGS[name], element))
    for name, operation, commutes in _TWO_SOURCES:
        yield a64(
            f"{name}_{view}",
            two,
            f"{name} {{d}}, {{a}}, {{b}}",
            lanewise(operation, element),
            commutes=commutes,
        )
    for name, c_sign, a_sign in _THREE_SOURCES:
        yield a64(
            f"{name}_{view}",
            f"d:{view} = a:{view}, b:{view}, c:{view}",
            f"{name} {{d}}, {{a}}, {{b}}, {{c}}",
            fused(element, c_sign, a_sign, (0, 1, 2)),
            commutes="a b",
        )


def _choices(view: str) -> Iterator[Row]:
    """Minimum, maximum and the sign of another float, as the carriers define them.

    `copysign` reads a NaN as positive; `m` has to be the sign bit alone, and is loaded once.
    """
    element = SCALARS[view]
    for name, condition in (("min", "mi"), ("max", "gt")):
        yield a64(
            f"{name}_{view}",
            f"d:{view} = a:{view}, b:{view}",
            f"fcmp {{a}}, {{b}}\nfcsel {{d}}, {{a}}, {{b}}, {condition}",
            lanewise(f"pointwise.{name}", element),
        )
    yield a64(
        f"copysign_{view}",
        f"d:{view}! = a:{view}, b:{view}, m:{view}",
        "fcmeq {d}, {b}, {b}\nand {d:v}.8b, {d:v}.8b, {b:v}.8b\nbif {d:v}.8b, {a:v}.8b, {m:v}.8b"
        # What lies above an f32 may be anything in the operands.
        + ("\nfmov {d}, {d}" if view == "s" else ""),
        with_sign(element),
    )


def with_sign(element: Element) -> Meaning:
    """The bits of the mask m from b, or from zero where b is a NaN, and the others from a."""
    bits = 8 * BYTES[element]

    def meaning(c: MachineCarrier, a: Vector, b: Vector, m: Vector) -> Vector:
        if not c.symbolic:
            ordered = c.mask(compared_floats(c, "ord", element, b, b), element)
            return c.bitselect(m, c.bitwise("and", ordered, b), a)
        if (c.integers(m, bits) != 1 << bits - 1).any():
            raise NotModelled("a copysign of other bits than the sign")
        return c.apply("math.copysign", element, a, b)

    return meaning


def _comparisons(view: str) -> Iterator[Row]:
    element = SCALARS[view]
    pair = f"a:{view}, b:{view}"

    def truths(c: MachineCarrier, a: Vector, b: Vector | None, condition: str) -> Array:
        return compared_floats(c, FLOAT_PREDICATES[condition], element, a, b)

    for name, slots, text, count in (
        (f"fcmp_{view}", pair, "fcmp {a}, {b}", 2),
        (f"fcmp_zero_{view}", f"a:{view}", "fcmp {a}, #0.0", 1),
    ):

        def compared(
            c: MachineCarrier, operands: tuple[Any, ...], count: int = count
        ) -> tuple[Array, tuple[Any, ...]]:
            b = operands[1] if count == 2 else None
            return truths(c, operands[0], b, operands[-1]), operands[count:-1]

        yield from _users(name, slots, text, element, compared)
    yield from _two_conditions(view, element, pair)


Compared = Callable[[MachineCarrier, tuple[Any, ...]], tuple[Array, tuple[Any, ...]]]


def _users(name: str, slots: str, text: str, element: Element, compared: Compared) -> Iterator[Row]:
    """`cset_*`, `csel_*` and `fcsel_*` behind a comparison of floats, by one condition."""
    view = name[-1]

    def is_set(c: MachineCarrier, *operands: Any) -> int:
        return c.bits(compared(c, operands)[0])

    def chosen(c: MachineCarrier, *operands: Any) -> int:
        truths, (x, y) = compared(c, operands)
        return x if c.bits(truths) else y

    def chosen_float(c: MachineCarrier, *operands: Any) -> Vector:
        truths, (x, y) = compared(c, operands)
        return c.select(truths, x, y, element)

    yield a64(f"cset_{name}", f"d:x = {slots}, cc:cond", f"{text}\ncset {{d}}, {{cc}}", is_set)
    yield a64(
        f"csel_{name}",
        f"d:x = {slots}, x:x, y:x, cc:cond",
        f"{text}\ncsel {{d}}, {{x}}, {{y}}, {{cc}}",
        chosen,
    )
    yield a64(
        f"fcsel_{name}",
        f"d:{view} = {slots}, x:{view}, y:{view}, cc:cond",
        f"{text}\nfcsel {{d}}, {{x}}, {{y}}, {{cc}}",
        chosen_float,
    )


def _two_conditions(view: str, element: Element, pair: str) -> Iterator[Row]:
    def truth(c: MachineCarrier, predicate: str, a: Vector, b: Vector) -> int:
        return c.bits(compared_floats(c, predicate, element, a, b))

    for predicate, first, unless in (("one", "mi", "le"), ("ueq", "eq", "vc")):
        yield a64(
            f"cset_fcmp_{predicate}_{view}",
            f"d:x = {pair}",
            f"fcmp {{a}}, {{b}}\ncset {{d}}, {first}\ncsinc {{d}}, {{d}}, xzr, {unless}",
            lambda c, a, b, predicate=predicate: truth(c, predicate, a, b),
        )
    for move, kind, meaning in (
        ("csel", "x", lambda c, a, b, x, y: x if truth(c, "one", a, b) else y),
        (
            "fcsel",
            view,
            lambda c, a, b, x, y: c.select(compared_floats(c, "one", element, a, b), x, y, element),
        ),
    ):
        yield a64(
            f"{move}_fcmp_one_{view}",
            f"d:{kind}! = {pair}, x:{kind}, y:{kind}",
            f"fcmp {{a}}, {{b}}\n{move} {{d}}, {{x}}, {{y}}, mi\n{move} {{d}}, {{x}}, {{d}}, gt",
            meaning,
        )


def _rows() -> Iterator[Row]:
    for view in SCALARS:
        yield from _moves(view)
        yield from _from_integers(view)
        yield from _to_integers(view)
        yield from _arithmetic(view)
        yield from _choices(view)
        yield from _comparisons(view)
    yield from _widths()


ROWS: tuple[Row, ...] = tuple(_rows())
