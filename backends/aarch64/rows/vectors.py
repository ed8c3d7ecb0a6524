"""Rows on 128-bit vectors: `_2d` is two lanes of 64 bits, `_4s` four of 32, `_16b` sixteen bytes.

`_8b` is logic on the low 8 bytes, for scalars. SHA-256 stands at the end (feature `sha2`).

Invariant: whole vectors are read and written; a lane that is put into a vector leaves the others.
Entry: `ROWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from alpha.backends.aarch64.meanings import fused as fused_meaning
from alpha.backends.aarch64.meanings import (
    lane_by_lane,
    shifted,
    vector_of,
    zeros,
)
from alpha.backends.aarch64.rows.integers import a64
from alpha.backends.aarch64.rows.scalars import (
    ROUNDINGS,
    compared_floats,
    saturated,
    to_width,
    with_sign,
)
from alpha.backends.core.carriers import MachineCarrier, Vector
from alpha.backends.core.meanings import (
    FLOATS,
    UNSIGNED,
    bitwise,
    lanewise,
    low,
    of_words,
    on_words,
    shuffled,
    signed,
    words,
)
from alpha.backends.core.rows import Meaning, Row
from alpha.interpreters.carriers import Element


class _Lanes(NamedTuple):
    """An arrangement: its name, its element, the bits and number of lanes, the views of scalars."""

    name: str
    element: Element
    bits: int
    lanes: int
    scalar: str
    general: str

    def text(self, mnemonic: str, operands: str, *more: str) -> str:
        """`fadd {d:v}.2d, {a:v}.2d, {b:v}.2d` of `fadd` and `dab`."""
        parts = [f"{{{operand}:v}}.{self.name}" for operand in operands]
        return f"{mnemonic} {', '.join([*parts, *more])}"


_ARRANGEMENTS = (_Lanes("2d", "f64", 64, 2, "d", "x"), _Lanes("4s", "f32", 32, 4, "s", "w"))
_ONE, _TWO, _TIED = "d:q = a:q", "d:q = a:q, b:q", "d:q/c = c:q, a:q, b:q"


def _same(c: MachineCarrier, a: Any) -> Any:
    return a


def _swapped(c: MachineCarrier, a: Any, b: Any) -> Any:
    return b, a


def _moves() -> Iterator[Row]:
    yield a64("mov_q", "d:q = s:q", "mov {d:v}.16b, {s:v}.16b", _same, role="move")
    text = "\n".join(f"eor {{{d}:v}}.16b, {{a:v}}.16b, {{b:v}}.16b" for d in "cdc")
    yield a64("swap_q", "c:q/a, d:q/b = a:q, b:q", text, _swapped, role="swap")
    yield a64("zero_q", "d:q =", "movi {d:v}.2d, #0", lambda c: zeros(c, 16), role="constant")
    yield a64(
        "ones_q",
        "d:q =",
        f"movi {{d:v}}.2d, #{low(64):#x}",
        lambda c: vector_of(c, [low(64)] * 2, 64),
        role="constant",
    )
    for lanes in _ARRANGEMENTS:
        top = lanes.bits - 16
        yield a64(
            f"negative_zero_{lanes.name}",
            "d:q =",
            "movi {d:v}.2d, #0\n" + lanes.text("fneg", "dd"),
            lambda c, lanes=lanes: vector_of(c, [1 << lanes.bits - 1] * lanes.lanes, lanes.bits),
            role="constant",
        )
        yield a64(
            f"high_{lanes.name}",
            "d:q = i:immU16",
            f"movz {lanes.general}16, #{{i}}, lsl #{top}\n"
            + lanes.text("dup", "d", f"{lanes.general}16"),
            lambda c, i, lanes=lanes, top=top: vector_of(c, [i << top] * lanes.lanes, lanes.bits),
            role="constant",
        )


# --- data movement: lanes come from places in the operands, one behind the other ---


def _permutations(lanes: _Lanes) -> Iterator[Row]:
    count = lanes.lanes
    halves = range(count // 2)
    places = {
        "uzp1": [2 * at for at in range(count)],
        "trn1": [at + side for at in range(0, count, 2) for side in (0, count)],
        "zip1": [at + side for at in halves for side in (0, count)],
        "uzp2": [2 * at + 1 for at in range(count)],
        "trn2": [at + side for at in range(1, count, 2) for side in (0, count)],
        "zip2": [at + count // 2 + side for at in halves for side in (0, count)],
    }
    for name, picked in places.items():
        yield a64(
            f"{name}_{lanes.name}",
            _TWO,
            lanes.text(name, "dab"),
            shuffled(lanes.bits // 8, lambda picked=picked: picked, 2),
        )


def _extracted(c: MachineCarrier, a: Vector, b: Vector, i: int) -> Vector:
    """16 bytes from number i on, moved as the widest lanes that they are made of."""
    bytes = next(size for size in (8, 4, 2, 1) if i % size == 0)
    return c.shuffle(c.join(a, b), bytes, range(i // bytes, (i + 16) // bytes))


def _lane_rows(lanes: _Lanes) -> Iterator[Row]:
    """Lanes to and from scalars; an immediate is the number of a lane."""
    name, bits, count, bytes = lanes.name, lanes.bits, lanes.lanes, lanes.bits // 8
    number = f"i:immU{count.bit_length() - 1}"
    letter = name[1]
    general = f"{{a:{lanes.general}}}"

    replaced = shuffled(bytes, lambda i: [count if at == i else at for at in range(count)], 2)

    def replaced_by_integer(c: MachineCarrier, a: Vector, b: int, i: int) -> Vector:
        return replaced(c, a, vector_of(c, [b], bits), i)

    yield a64(
        f"dup_{name}",
        f"d:q = a:{lanes.scalar}",
        lanes.text("dup", "d", f"{{a:v}}.{letter}[0]"),
        shuffled(bytes, lambda: [0] * count),
    )
    yield a64(
        f"dup_lane_{name}",
        f"d:q = a:q, {number}",
        lanes.text("dup", "d", f"{{a:v}}.{letter}[{{i}}]"),
        shuffled(bytes, lambda i: [i] * count),
    )
    yield a64(
        f"dup_general_{name}",
        "d:q = a:x",
        lanes.text("dup", "d", general),
        lambda c, a: vector_of(c, [a] * count, bits),
    )
    yield a64(
        f"umov_{letter}",
        f"d:x = a:q, {number}",
        f"mov {{d:{lanes.general}}}, {{a:v}}.{letter}[{{i}}]",
        lambda c, a, i: int(c.integers(a, bits)[i]),
    )
    yield a64(
        f"lane_{letter}",
        f"d:{lanes.scalar} = a:q, {number}",
        f"mov {{d}}, {{a:v}}.{letter}[{{i}}]",
        shuffled(bytes, lambda i: [i]),
    )
    yield a64(
        f"ins_lane_{letter}",
        f"d:q/a = a:q, b:q, {number}, j:immU{count.bit_length() - 1}",
        f"mov {{d:v}}.{letter}[{{i}}], {{b:v}}.{letter}[{{j}}]",
        shuffled(bytes, lambda i, j: [count + j if at == i else at for at in range(count)], 2),
    )
    yield a64(
        f"widen_{lanes.scalar}",
        f"d:q = a:{lanes.scalar}",
        f"fmov {{d:{lanes.scalar}}}, {{a}}",
        lambda c, a: c.resized(a, 16),
    )
    yield a64(
        f"ins_general_{letter}",
        f"d:q/a = a:q, b:x, {number}",
        f"mov {{d:v}}.{letter}[{{i}}], {{b:{lanes.general}}}",
        replaced_by_integer,
    )
    yield a64(
        f"ins_{letter}",
        f"d:q/a = a:q, b:{lanes.scalar}, {number}",
        f"mov {{d:v}}.{letter}[{{i}}], {{b:v}}.{letter}[0]",
        replaced,
    )


def _reversals() -> Iterator[Row]:
    for name, arrangement, bytes, group in (
        ("rev64", "16b", 1, 8),
        ("rev64", "4s", 4, 2),
        ("rev32", "16b", 1, 4),
    ):
        places = [at ^ group - 1 for at in range(16 // bytes)]
        yield a64(
            f"{name}_{arrangement}",
            _ONE,
            f"{name} {{d:v}}.{arrangement}, {{a:v}}.{arrangement}",
            shuffled(bytes, lambda places=places: places),
        )


# --- logic on bits ---


def _logic() -> Iterator[Row]:
    for width, view in (("16b", "q"), ("8b", "d")):
        two = f"d:{view} = a:{view}, b:{view}"
        pairs = (
            ("and", bitwise("and"), "a b"),
            ("bic", lambda c, a, b: c.bitwise("andnot", b, a), ""),
            ("orr", bitwise("or"), "a b"),
            ("eor", bitwise("xor"), "a b"),
        )
        for name, meaning, commutes in pairs:
            text = f"{name} {{d:v}}.{width}, {{a:v}}.{width}, {{b:v}}.{width}"
            yield a64(f"{name}_{width}", two, text, meaning, commutes=commutes)
        bytes = 16 if view == "q" else 8
        yield a64(
            f"mvn_{width}",
            f"d:{view} = a:{view}",
            f"mvn {{d:v}}.{width}, {{a:v}}.{width}",
            lambda c, a, bytes=bytes: c.bitwise(
                "andnot", a, vector_of(c, [low(64)] * (bytes // 8), 64)
            ),
        )
        operands = f"{{d:v}}.{width}, {{a:v}}.{width}, {{b:v}}.{width}"
        selects = (
            ("bsl", lambda c, d, a, b: c.bitselect(d, a, b)),
            ("bit", lambda c, d, a, b: c.bitselect(b, a, d)),
            ("bif", lambda c, d, a, b: c.bitselect(b, d, a)),
        )
        for name, meaning in selects:
            yield a64(
                f"{name}_{width}",
                f"d:{view}/c = c:{view}, a:{view}, b:{view}",
                f"{name} {operands}",
                meaning,
            )


# --- floats ---


def _compared(lanes: _Lanes, predicate: str) -> Meaning:
    return lambda c, a, b=None: c.mask(
        compared_floats(c, predicate, lanes.element, a, b), lanes.element
    )


def _floats(lanes: _Lanes) -> Iterator[Row]:
    name, element = lanes.name, lanes.element
    for mnemonic, operation in (
        ("fabs", "math.absf"),
        ("fneg", "arith.negf"),
        ("fsqrt", "math.sqrt"),
    ):
        yield a64(
            f"{mnemonic}_{name}", _ONE, lanes.text(mnemonic, "da"), lanewise(operation, element)
        )
    for mnemonic in ROUNDINGS:
        yield a64(
            f"{mnemonic}_{name}",
            _ONE,
            lanes.text(mnemonic, "da"),
            on_words(ROUNDINGS[mnemonic], element),
        )
    for mnemonic, operation, commutes in (
        ("fadd", "arith.addf", "a b"),
        ("fmul", "arith.mulf", "a b"),
        ("fsub", "arith.subf", ""),
        ("fdiv", "arith.divf", ""),
    ):
        yield a64(
            f"{mnemonic}_{name}",
            _TWO,
            lanes.text(mnemonic, "dab"),
            lanewise(operation, element),
            commutes=commutes,
        )
    for mnemonic, sign in (("fmla", 1), ("fmls", -1)):
        yield a64(
            f"{mnemonic}_{name}",
            _TIED,
            lanes.text(mnemonic, "dab"),
            fused_meaning(element, 1, sign, (1, 2, 0)),
            commutes="a b",
        )
    for mnemonic, predicate, commutes in (
        ("fcmeq", "oeq", "a b"),
        ("fcmge", "oge", ""),
        ("fcmgt", "ogt", ""),
    ):
        yield a64(
            f"{mnemonic}_{name}",
            _TWO,
            lanes.text(mnemonic, "dab"),
            _compared(lanes, predicate),
            commutes=commutes,
        )
    for mnemonic, predicate in (
        ("fcmgt", "ogt"),
        ("fcmge", "oge"),
        ("fcmeq", "oeq"),
        ("fcmle", "ole"),
        ("fcmlt", "olt"),
    ):
        yield a64(
            f"{mnemonic}_zero_{name}",
            _ONE,
            lanes.text(mnemonic, "da", "#0.0"),
            _compared(lanes, predicate),
        )
    yield from _float_pairs(lanes)
    yield from _float_choices(lanes)


def _float_pairs(lanes: _Lanes) -> Iterator[Row]:
    """Neighbours are added: those of a, then those of b; `_scalar` adds the two lowest lanes."""
    bytes, count = lanes.bits // 8, lanes.lanes

    def added(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
        both = c.join(a, b)
        even = c.shuffle(both, bytes, range(0, 2 * count, 2))
        odd = c.shuffle(both, bytes, range(1, 2 * count, 2))
        return c.apply("arith.addf", lanes.element, even, odd)

    def added_lowest(c: MachineCarrier, a: Vector) -> Vector:
        parts = [c.shuffle(a, bytes, [at]) for at in (0, 1)]
        return c.apply("arith.addf", lanes.element, *parts)

    yield a64(f"faddp_{lanes.name}", _TWO, lanes.text("faddp", "dab"), added)
    yield a64(
        f"faddp_scalar_{lanes.scalar}",
        f"d:{lanes.scalar} = a:q",
        f"faddp {{d}}, {{a:v}}.2{lanes.scalar}",
        added_lowest,
    )


def _float_choices(lanes: _Lanes) -> Iterator[Row]:
    """As those of scalars; a mask chooses where scalars have a condition."""
    for name, first in (("min", "ba"), ("max", "ab")):
        compare = lanes.text("fcmgt", f"d{first}")
        yield a64(
            f"{name}_{lanes.name}",
            "d:q! = a:q, b:q",
            f"{compare}\nbsl {{d:v}}.16b, {{a:v}}.16b, {{b:v}}.16b",
            lanewise(f"pointwise.{name}", lanes.element),
        )
    yield a64(
        f"copysign_{lanes.name}",
        "d:q! = a:q, b:q, m:q",
        f"{lanes.text('fcmeq', 'dbb')}\nand {{d:v}}.16b, {{d:v}}.16b, {{b:v}}.16b\n"
        "bif {d:v}.16b, {a:v}.16b, {m:v}.16b",
        with_sign(lanes.element),
    )


def _conversions(lanes: _Lanes) -> Iterator[Row]:
    """Between floats and integers of a lane's width."""
    element, bits = lanes.element, lanes.bits

    def from_integers(unsigned: bool) -> Meaning:
        dtype = UNSIGNED[bits] if unsigned else np.dtype(f"i{bits // 8}")
        return lambda c, a: of_words(c, c.integers(a, bits).view(dtype).astype(FLOATS[element]))

    def to_integers(unsigned: bool) -> Meaning:
        return lambda c, a: vector_of(
            c, [saturated(each, bits, unsigned) for each in words(c, a, element).tolist()], bits
        )

    for mnemonic, meaning in (
        ("fcvtzs", to_integers(False)),
        ("scvtf", from_integers(False)),
        ("fcvtzu", to_integers(True)),
        ("ucvtf", from_integers(True)),
    ):
        yield a64(f"{mnemonic}_{lanes.name}", _ONE, lanes.text(mnemonic, "da"), meaning)


def _widths() -> Iterator[Row]:
    """Two floats to the other width; the `2` forms are about the high half of the narrow ones."""

    narrowed = on_words(to_width("f32"), "f64")
    widened = on_words(lambda lanes: lanes[:2].astype(FLOATS["f64"]), "f32")

    def narrowed_high(c: MachineCarrier, kept: Vector, a: Vector) -> Vector:
        return c.join(c.resized(kept, 8), narrowed(c, a))

    def widened_high(c: MachineCarrier, a: Vector) -> Vector:
        return widened(c, c.shuffle(a, 8, [1]))

    yield a64("fcvtn", "d:d = a:q", "fcvtn {d:v}.2s, {a:v}.2d", narrowed)
    yield a64("fcvtn2", "d:q/c = c:q, a:q", "fcvtn2 {d:v}.4s, {a:v}.2d", narrowed_high)
    yield a64("fcvtl", "d:q = a:d", "fcvtl {d:v}.2d, {a:v}.2s", widened)
    yield a64("fcvtl2", _ONE, "fcvtl2 {d:v}.2d, {a:v}.4s", widened_high)


# --- integers ---


def _truth(truth: bool) -> int:
    return -1 if truth else 0


def _integer_pairs(bits: int) -> Iterator[tuple[str, Callable[[int, int], int], str]]:
    def s(value: int) -> int:
        return signed(value, bits)

    yield "add", lambda a, b: a + b, "a b"
    yield "cmgt", lambda a, b: _truth(s(a) > s(b)), ""
    yield "cmge", lambda a, b: _truth(s(a) >= s(b)), ""
    yield "cmtst", lambda a, b: _truth(a & b != 0), "a b"
    yield "sub", lambda a, b: a - b, ""
    yield "cmhi", lambda a, b: _truth(a > b), ""
    yield "cmhs", lambda a, b: _truth(a >= b), ""
    yield "cmeq", lambda a, b: _truth(a == b), "a b"
    if bits == 32:
        yield "mul", lambda a, b: a * b, "a b"


def _by_lane_shift(a: int, b: int, bits: int, is_signed: bool) -> int:
    """By the signed low byte of b's lane: to the left if positive, else to the right."""
    by = signed(b & 0xFF, 8)
    value = signed(a, bits) if is_signed else a
    return value << by if by >= 0 else value >> -by


def _integers(lanes: _Lanes) -> Iterator[Row]:
    name, bits = lanes.name, lanes.bits
    for mnemonic, compute, commutes in _integer_pairs(bits):
        yield a64(
            f"{mnemonic}_{name}",
            _TWO,
            lanes.text(mnemonic, "dab"),
            lane_by_lane(compute, bits),
            commutes=commutes,
        )
    for mnemonic, is_signed in (("sshl", True), ("ushl", False)):
        yield a64(
            f"{mnemonic}_{name}",
            _TWO,
            lanes.text(mnemonic, "dab"),
            lane_by_lane(
                lambda a, b, is_signed=is_signed: _by_lane_shift(a, b, bits, is_signed), bits
            ),
        )
    for mnemonic, magnitude in (("abs", abs), ("neg", lambda value: -value)):
        yield a64(
            f"{mnemonic}_{name}",
            _ONE,
            lanes.text(mnemonic, "da"),
            lane_by_lane(lambda a, of=magnitude: of(signed(a, bits)), bits),
        )
    right, left = f"right{bits}", f"immU{bits.bit_length() - 1}"
    for mnemonic, kind, compute in (
        ("sshr", right, lambda a, i: signed(a, bits) >> i),
        ("ushr", right, lambda a, i: a >> i),
        ("shl", left, lambda a, i: a << i),
    ):
        yield a64(
            f"{mnemonic}_{name}",
            f"d:q = a:q, i:{kind}",
            lanes.text(mnemonic, "da", "#{i}"),
            lane_by_lane(compute, bits),
        )


def _across() -> Iterator[Row]:
    """The least and the greatest of four unsigned lanes: all of them, or any, of a mask's."""
    for name, pick in (("umaxv", max), ("uminv", min)):
        yield a64(
            f"{name}_4s",
            "d:s = a:q",
            f"{name} {{d}}, {{a:v}}.4s",
            lambda c, a, pick=pick: vector_of(c, [pick(c.integers(a, 32).tolist())], 32),
        )


def _integer_widths() -> Iterator[Row]:
    """Two integers of 32 bits to 64 and back."""

    def widened(is_signed: bool) -> Meaning:
        def meaning(c: MachineCarrier, a: Vector) -> Vector:
            narrow = c.integers(a, 32).tolist()[:2]
            return vector_of(c, [signed(each, 32) if is_signed else each for each in narrow], 64)

        return meaning

    def narrowed(c: MachineCarrier, a: Vector) -> Vector:
        return vector_of(c, c.integers(a, 64).tolist(), 32)

    yield a64("xtn", "d:d = a:q", "xtn {d:v}.2s, {a:v}.2d", narrowed)
    yield a64("sxtl", "d:q = a:d", "sxtl {d:v}.2d, {a:v}.2s", widened(True))
    yield a64("uxtl", "d:q = a:d", "uxtl {d:v}.2d, {a:v}.2s", widened(False))


# --- SHA-256 (Arm ARM, SHA256hash; FIPS 180-4, 4.1.2) ---


def _rotated(value: int, by: int) -> int:
    return shifted(value, by, "ror", 32)


def _sigma0(x: int) -> int:
    return _rotated(x, 7) ^ _rotated(x, 18) ^ x >> 3


def _sigma1(x: int) -> int:
    return _rotated(x, 17) ^ _rotated(x, 19) ^ x >> 10


def _four_rounds(first: list[int], second: list[int], w: list[int]) -> tuple[list[int], list[int]]:
    """Four rounds on (a, b, c, d) and (e, f, g, h); w has the words with the constants added."""
    x, y = list(first), list(second)
    for word in w:
        choice = y[0] & y[1] ^ ~y[0] & y[2] & low(32)
        majority = x[0] & x[1] ^ x[0] & x[2] ^ x[1] & x[2]
        sum1 = _rotated(y[0], 6) ^ _rotated(y[0], 11) ^ _rotated(y[0], 25)
        sum0 = _rotated(x[0], 2) ^ _rotated(x[0], 13) ^ _rotated(x[0], 22)
        step = (y[3] + sum1 + choice + word) & low(32)
        y = [(x[3] + step) & low(32), *y[:3]]
        x = [(step + sum0 + majority) & low(32), *x[:3]]
    return x, y


def _words(c: MachineCarrier, vector: Vector) -> list[int]:
    return c.integers(vector, 32).tolist()


def _sha256h(c: MachineCarrier, x: Vector, y: Vector, w: Vector) -> Vector:
    return vector_of(c, _four_rounds(_words(c, x), _words(c, y), _words(c, w))[0], 32)


def _sha256h2(c: MachineCarrier, y: Vector, x: Vector, w: Vector) -> Vector:
    return vector_of(c, _four_rounds(_words(c, x), _words(c, y), _words(c, w))[1], 32)


def _sha256su0(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
    words = _words(c, a)
    following = [*words[1:], _words(c, b)[0]]
    return vector_of(c, [x + _sigma0(y) for x, y in zip(words, following, strict=True)], 32)


def _sha256su1(c: MachineCarrier, a: Vector, b: Vector, e: Vector) -> Vector:
    start, later, last = _words(c, a), _words(c, b), _words(c, e)
    added = [*later[1:], last[0]]
    made: list[int] = []
    for at in range(4):
        before = last[2 + at] if at < 2 else made[at - 2]
        made.append((start[at] + added[at] + _sigma1(before)) & low(32))
    return vector_of(c, made, 32)


def _sha() -> Iterator[Row]:
    tied = "d:q/x = x:q, y:q, w:q"
    for name, meaning in (("sha256h", _sha256h), ("sha256h2", _sha256h2)):
        yield a64(name, tied, f"{name} {{d}}, {{y}}, {{w:v}}.4s", meaning, feature="sha2")
    yield a64(
        "sha256su0",
        "d:q/a = a:q, b:q",
        "sha256su0 {d:v}.4s, {b:v}.4s",
        _sha256su0,
        feature="sha2",
    )
    yield a64(
        "sha256su1",
        "d:q/a = a:q, b:q, e:q",
        "sha256su1 {d:v}.4s, {b:v}.4s, {e:v}.4s",
        _sha256su1,
        feature="sha2",
    )


def _rows() -> Iterator[Row]:
    yield from _moves()
    for lanes in _ARRANGEMENTS:
        yield from _permutations(lanes)
    yield a64(
        "ext_16b",
        "d:q = a:q, b:q, i:immU4",
        "ext {d:v}.16b, {a:v}.16b, {b:v}.16b, #{i}",
        _extracted,
    )
    for lanes in _ARRANGEMENTS:
        yield from _lane_rows(lanes)
    yield from _reversals()
    yield from _logic()
    for lanes in _ARRANGEMENTS:
        yield from _floats(lanes)
        yield from _conversions(lanes)
    yield from _widths()
    for lanes in _ARRANGEMENTS:
        yield from _integers(lanes)
    yield from _across()
    yield from _integer_widths()
    yield from _sha()


ROWS: tuple[Row, ...] = tuple(_rows())
