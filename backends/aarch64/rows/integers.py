"""Rows on general registers: constants, arithmetic, logic, shifts, bits, selects by a comparison.

A name without a suffix is of 64 bits. `_32` reads the low halves and leaves zeros above; `_imm` has
an immediate in the place of its last register.

Invariant: rows stand in the order of the Arm ARM's C4.1 (data processing: immediate, register).
Entry: `ROWS`, `constant`, `COMPARISONS`, `decided`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from alpha.backends.aarch64.meanings import (
    KINDS,
    flags_of_and,
    flags_of_difference,
    holds,
    one_move,
    shifted,
    vector_of,
)
from alpha.backends.aarch64.registers import VIEWS
from alpha.backends.core.carriers import MachineCarrier, NotModelled, Vector
from alpha.backends.core.meanings import low, signed, sized
from alpha.backends.core.rows import Meaning, Row, row
from alpha.interpreters.carriers import Element

a64 = partial(row, VIEWS, kinds=KINDS)

SIZES = ((64, "", "x"), (32, "_32", "w"))
"""Bits, the suffix of a name, and the view that spells the registers."""


def _moves() -> Iterator[Row]:
    yield a64("mov", "d:x = s:x", "mov {d}, {s}", lambda c, s: s, role="move")
    swapping = "mov x16, {c}\nmov {c}, {d}\nmov {d}, x16"
    yield a64("swap", "c:x/a, d:x/b = a:x, b:x", swapping, lambda c, a, b: (b, a), role="swap")


def _halves(first: str, count: int) -> Row:
    """Halfwords at their places, over zeros (`movz`) or ones (`movn`, which inverts its own)."""
    names = "abef"[:count]
    slots = ", ".join(f"{name}:immU16, {name}_at:shift16" for name in names)
    moves = [first, *["movk"] * (count - 1)]
    lines = (
        f"{move} {{d}}, #{{{name}}}, lsl #{{{name}_at}}"
        for move, name in zip(moves, names, strict=True)
    )

    def meaning(c: MachineCarrier, *operands: int) -> int:
        pairs = list(zip(operands[::2], operands[1::2], strict=True))
        value = pairs[0][0] << pairs[0][1]
        if first == "movn":
            value ^= low(64)
        for part, at in pairs[1:]:
            value = value & ~(0xFFFF << at) | part << at
        return value

    return a64(f"{first}_{count}", f"d:x = {slots}", "\n".join(lines), meaning, role="constant")


def _constants() -> Iterator[Row]:
    yield a64(
        "mov_imm", "d:x = i:immM64", "mov {d}, #{i}", lambda c, i: i & low(64), role="constant"
    )
    for count in (2, 3, 4):
        yield _halves("movz", count)
    for count in (2, 3):
        yield _halves("movn", count)


def constant(value: int) -> tuple[str, tuple[int, ...]]:
    """The name of the shortest row that makes 64 bits, of either sign, and its immediates.

    Raises ValueError for an integer that has more bits.
    """
    if not -1 << 63 <= value <= low(64):
        raise ValueError(f"{value} isn't an integer of 64 bits")
    value &= low(64)
    if one_move(64)(value):
        return "mov_imm", (value,)
    parts = [(value >> at & 0xFFFF, at) for at in (0, 16, 32, 48)]
    over_zeros = [part for part in parts if part[0]]
    over_ones = [part for part in parts if part[0] != 0xFFFF]
    if len(over_zeros) <= len(over_ones):
        return f"movz_{len(over_zeros)}", tuple(each for part in over_zeros for each in part)
    (first, at), *rest = over_ones
    pairs = [(first ^ 0xFFFF, at), *rest]
    return f"movn_{len(pairs)}", tuple(each for part in pairs for each in part)


def _add(a: int, b: int) -> int:
    return a + b


def _sub(a: int, b: int) -> int:
    return a - b


class _Logic(NamedTuple):
    name: str
    compute: Callable[[int, int], int]
    commutes: str = ""


_ARITHMETIC = (("add", _add, "a b"), ("sub", _sub, ""))
_LOGIC = (
    _Logic("and", lambda a, b: a & b, "a b"),
    _Logic("bic", lambda a, b: a & ~b),
    _Logic("orr", lambda a, b: a | b, "a b"),
    _Logic("orn", lambda a, b: a | ~b),
    _Logic("eor", lambda a, b: a ^ b, "a b"),
    _Logic("eon", lambda a, b: a ^ ~b, "a b"),
)


def _immediates(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """Arithmetic with an immediate works on the stack pointer too, logic doesn't."""
    d, a = f"{{d:{w}}}", f"{{a:{w}}}"
    for name, compute, _ in _ARITHMETIC:
        for form, kind in (("imm", "immA"), ("imm_high", "immAx4096")):
            yield a64(
                f"{name}_{form}{suffix}",
                f"d:x = a:x, i:{kind}",
                f"{name} {d}, {a}, #{{i}}",
                sized(compute, bits),
            )
    for name, compute, _ in _LOGIC:
        if name in ("and", "orr", "eor"):
            yield a64(
                f"{name}_imm{suffix}",
                f"d:x = a:x, i:immB{bits}",
                f"{name} {d}, {a}, #{{i}}",
                sized(compute, bits),
            )


def _extracts(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """Shifts by an immediate, and the bits of two registers that are one behind the other."""
    d, a, b = f"{{d:{w}}}", f"{{a:{w}}}", f"{{b:{w}}}"
    amount = f"immU{bits.bit_length() - 1}"
    for how in ("lsl", "lsr", "asr", "ror"):

        def compute(a: int, by: int, how: str = how) -> int:
            return shifted(a, by, how, bits)

        text = f"{how} {d}, {a}, #{{i}}"
        yield a64(f"{how}_imm{suffix}", f"d:x = a:x, i:{amount}", text, sized(compute, bits))
    yield a64(
        f"extr{suffix}",
        f"d:x = a:x, b:x, i:{amount}",
        f"extr {d}, {a}, {b}, #{{i}}",
        sized(lambda a, b, i: (a << bits | b) >> i, bits),
    )


def _extensions() -> Iterator[Row]:
    for name, width in (("uxtb", 8), ("uxth", 16)):
        yield a64(name, "d:x = a:x", f"{name} {{d:w}}, {{a:w}}", sized(lambda a: a, width))
    yield a64("uxtw", "d:x = a:x", "mov {d:w}, {a:w}", sized(lambda a: a, 32))
    for name, width in (("sxtb", 8), ("sxth", 16), ("sxtw", 32)):
        for bits, suffix, w in SIZES:
            if bits > width:
                yield a64(
                    f"{name}{suffix}",
                    "d:x = a:x",
                    f"{name} {{d:{w}}}, {{a:w}}",
                    _extended(width, bits),
                )


def _extended(width: int, bits: int) -> Meaning:
    return lambda c, a: signed(a & low(width), width) & low(bits)


def _registers(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """Arithmetic and logic on two registers, the second one shifted where the name says so."""
    d, a, b = f"{{d:{w}}}", f"{{a:{w}}}", f"{{b:{w}}}"
    amount = f"immU{bits.bit_length() - 1}"
    for name, compute, commutes in (*_LOGIC, *_ARITHMETIC):
        yield a64(
            f"{name}{suffix}",
            "d:x = a:x, b:x",
            f"{name} {d}, {a}, {b}",
            sized(compute, bits),
            commutes=commutes,
        )
        for how in ("lsl", "lsr", "asr", *(() if name in ("add", "sub") else ("ror",))):

            def shifting(
                a: int, b: int, by: int, how: str = how, compute: Callable[..., int] = compute
            ) -> int:
                return compute(a, shifted(b, by, how, bits))

            yield a64(
                f"{name}_{how}{suffix}",
                f"d:x = a:x, b:x, i:{amount}",
                f"{name} {d}, {a}, {b}, {how} #{{i}}",
                sized(shifting, bits),
            )
    yield a64(f"neg{suffix}", "d:x = a:x", f"neg {d}, {a}", sized(lambda a: -a, bits))
    yield a64(f"mvn{suffix}", "d:x = a:x", f"mvn {d}, {a}", sized(lambda a: ~a, bits))


def _signed_quotient(a: int, b: int, bits: int) -> int:
    """Rounded towards zero, with 0 for a division by zero."""
    if b == 0:
        return 0
    n, m = signed(a, bits), signed(b, bits)
    quotient = abs(n) // abs(m)
    return quotient if (n < 0) == (m < 0) else -quotient


def _divisions(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """Two sources: divisions, 0 where the divisor is 0, and shifts, which count modulo `bits`."""
    operands = f"{{d:{w}}}, {{a:{w}}}, {{b:{w}}}"
    quotients = (
        ("udiv", lambda a, b: a // b if b else 0),
        ("sdiv", lambda a, b: _signed_quotient(a, b, bits)),
    )
    for name, quotient in quotients:
        yield a64(f"{name}{suffix}", "d:x = a:x, b:x", f"{name} {operands}", sized(quotient, bits))
    for how in ("lsl", "lsr", "asr", "ror"):

        def compute(a: int, by: int, how: str = how) -> int:
            return shifted(a, by % bits, how, bits)

        yield a64(f"{how}{suffix}", "d:x = a:x, b:x", f"{how} {operands}", sized(compute, bits))


def _reversed_bits(a: int, bits: int) -> int:
    return int(f"{a:0{bits}b}"[::-1], 2)


def _trailing_zeros(a: int, bits: int) -> int:
    return (a & -a).bit_length() - 1 if a else bits


def _bits(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """One source."""
    d, a = f"{{d:{w}}}", f"{{a:{w}}}"
    bytes = bits // 8
    single: tuple[tuple[str, Callable[[int], int]], ...] = (
        ("rbit", lambda a: _reversed_bits(a, bits)),
        ("rev16", lambda a: (a & 0x00FF00FF00FF00FF) << 8 | a >> 8 & 0x00FF00FF00FF00FF),
        ("rev", lambda a: int.from_bytes(a.to_bytes(bytes, "little"), "big")),
        ("clz", lambda a: bits - a.bit_length()),
        ("cls", lambda a: bits - 1 - ((a ^ a >> 1) & low(bits - 1)).bit_length()),
    )
    for name, compute in single:
        yield a64(f"{name}{suffix}", "d:x = a:x", f"{name} {d}, {a}", sized(compute, bits))
    yield a64(
        f"ctz{suffix}",
        "d:x = a:x",
        f"rbit {d}, {a}\nclz {d}, {d}",
        sized(lambda a: _trailing_zeros(a, bits), bits),
    )


def _counted(c: MachineCarrier, a: int) -> tuple[int, Any]:
    return a.bit_count(), vector_of(c, [a.bit_count()], 64)


def _popcount() -> Iterator[Row]:
    """Bits are counted among the vectors; the second result is what is left there."""
    text = "fmov {t}, {a}\ncnt {t:v}.8b, {t:v}.8b\naddv {t:b}, {t:v}.8b\nfmov {d}, {t}"
    yield a64("popcount", "d:x, t:d = a:x", text, _counted)


def _products(bits: int, suffix: str, w: str) -> Iterator[Row]:
    """Three sources; `madd` is c + a * b."""
    d, a, b, c = (f"{{{name}:{w}}}" for name in "dabc")
    yield a64(
        f"madd{suffix}",
        "d:x = a:x, b:x, c:x",
        f"madd {d}, {a}, {b}, {c}",
        sized(lambda a, b, c: c + a * b, bits),
        commutes="a b",
    )
    yield a64(
        f"msub{suffix}",
        "d:x = a:x, b:x, c:x",
        f"msub {d}, {a}, {b}, {c}",
        sized(lambda a, b, c: c - a * b, bits),
        commutes="a b",
    )
    yield a64(
        f"mul{suffix}",
        "d:x = a:x, b:x",
        f"mul {d}, {a}, {b}",
        sized(lambda a, b: a * b, bits),
        commutes="a b",
    )


def _long_products() -> Iterator[Row]:
    halves = "{d}, {a:w}, {b:w}"
    wholes = "{d}, {a}, {b}"

    def signed_halves(c: MachineCarrier, a: int, b: int) -> int:
        return signed(a & low(32), 32) * signed(b & low(32), 32) & low(64)

    def unsigned_halves(c: MachineCarrier, a: int, b: int) -> int:
        return (a & low(32)) * (b & low(32))

    def signed_high(c: MachineCarrier, a: int, b: int) -> int:
        return signed(a, 64) * signed(b, 64) >> 64 & low(64)

    for name, operands, meaning in (
        ("smull", halves, signed_halves),
        ("smulh", wholes, signed_high),
        ("umull", halves, unsigned_halves),
        ("umulh", wholes, lambda c, a, b: a * b >> 64),
    ):
        yield a64(name, "d:x = a:x, b:x", f"{name} {operands}", meaning, commutes="a b")


class Comparison(NamedTuple):
    """How two integers are compared: the operands that its rows begin with, and the flags."""

    name: str
    slots: str
    text: str
    flags: Callable[..., tuple[bool, bool, bool, bool]]


def _comparisons() -> Iterator[Comparison]:
    for bits, suffix, w in SIZES:
        mask = low(bits)

        def of(
            compute: Callable[[int, int, int], tuple[bool, bool, bool, bool]],
            bits: int = bits,
            mask: int = mask,
        ) -> Callable[[int, int], tuple[bool, bool, bool, bool]]:
            return lambda a, b: compute(a & mask, b & mask, bits)

        first, second = f"{{a:{w}}}", f"{{b:{w}}}"
        pair, with_immediate = f"{first}, {second}", f"{first}, #{{b}}"
        difference, both = of(flags_of_difference), of(flags_of_and)
        yield Comparison(f"cmp{suffix}", "a:x, b:x", f"cmp {pair}", difference)
        yield Comparison(f"cmp_imm{suffix}", "a:x, b:immA", f"cmp {with_immediate}", difference)
        yield Comparison(f"tst{suffix}", "a:x, b:x", f"tst {pair}", both)
        yield Comparison(f"tst_imm{suffix}", f"a:x, b:immB{bits}", f"tst {with_immediate}", both)
    yield from _narrow_comparisons()


def _narrow_comparisons() -> Iterator[Comparison]:
    """Of 8 and 16 bits: signs are put above both, which leaves unsigned order as it is too."""
    for bits, letter, kind in ((8, "b", "immS8"), (16, "h", "immS12")):

        def flags(a: int, b: int, bits: int = bits) -> tuple[bool, bool, bool, bool]:
            one, other = (signed(each & low(bits), bits) & low(32) for each in (a, b))
            return flags_of_difference(one, other, 32)

        extended = f"sxt{letter} w16, {{a:w}}\ncmp w16, "
        registers, immediate = f"{extended}{{b:w}}, sxt{letter}", f"{extended}#{{b}}"
        yield Comparison(f"cmp_{bits}", "a:x, b:x", registers, flags)
        yield Comparison(f"cmp_imm_{bits}", f"a:x, b:{kind}", immediate, flags)


COMPARISONS: tuple[Comparison, ...] = tuple(_comparisons())
"""`cmp`, `cmp_imm`, `tst` and `tst_imm` of 64 bits, of 32, and the first two of 8 and 16."""


def decided(comparison: Comparison, a: Any, b: Any, condition: str) -> Any:
    """Whether the condition holds, as a bit.

    A truth that isn't known yet is what `cset` gives on terms. It is compared with 0, or its lowest
    bit is tested, and that again is such a truth.
    """
    if isinstance(a, int) and isinstance(b, int):
        return int(holds(condition, *comparison.flags(a, b)))
    bit = {"cmp_imm": 0, "tst_imm": 1}.get(re.sub(r"_\d+$", "", comparison.name))
    rest = a >> 1
    if b != bit or condition not in ("eq", "ne") or not isinstance(rest, int) or rest:
        raise NotModelled("a truth that isn't known, in another comparison than with zero")
    return a if condition == "ne" else a ^ 1


def _selects(comparison: Comparison) -> Iterator[Row]:
    """`cset_*` is 1 where the condition holds, else 0; `csel_*` is x where it holds, else y."""
    name, slots, text, _ = comparison

    def is_set(c: MachineCarrier, a: Any, b: Any, condition: str) -> Any:
        return decided(comparison, a, b, condition)

    def chosen(c: MachineCarrier, a: Any, b: Any, x: int, y: int, condition: str) -> int:
        return x if decided(comparison, a, b, condition) else y

    def chosen_float(element: Element) -> Meaning:
        def meaning(
            c: MachineCarrier, a: Any, b: Any, x: Vector, y: Vector, condition: str
        ) -> Vector:
            bit = decided(comparison, a, b, condition)
            if isinstance(bit, int):
                return x if bit else y
            return c.select(c.truths_of(bit, 1), x, y, element)

        return meaning

    yield a64(f"cset_{name}", f"d:x = {slots}, cc:cond", f"{text}\ncset {{d}}, {{cc}}", is_set)
    for move, suffix, view, meaning in (
        ("csel", "", "x", chosen),
        ("fcsel", "_d", "d", chosen_float("f64")),
        ("fcsel", "_s", "s", chosen_float("f32")),
    ):
        yield a64(
            f"{move}{suffix}_{name}",
            f"d:{view} = {slots}, x:{view}, y:{view}, cc:cond",
            f"{text}\n{move} {{d}}, {{x}}, {{y}}, {{cc}}",
            meaning,
        )


def _rows() -> Iterator[Row]:
    yield from _moves()
    yield from _constants()
    for size in SIZES:
        yield from _immediates(*size)
    for size in SIZES:
        yield from _extracts(*size)
    yield from _extensions()
    for size in SIZES:
        yield from _divisions(*size)
    for size in SIZES:
        yield from _bits(*size)
    yield from _popcount()
    for size in SIZES:
        yield from _registers(*size)
    for comparison in COMPARISONS:
        yield from _selects(comparison)
    for size in SIZES:
        yield from _products(*size)
    yield from _long_products()


ROWS: tuple[Row, ...] = tuple(_rows())
