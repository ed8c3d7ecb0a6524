"""Integers in general registers, in 64 and in 32 bits.

Invariant: what is computed in 32 bits has zeros above, as every narrower integer in a register.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from alpha.backends.core.meanings import (
    in_memory,
    low,
    rotated,
    signed,
    sized,
)
from alpha.backends.core.rows import Row, row
from alpha.backends.x86.meanings import (
    divided,
)
from alpha.backends.x86.registers import VIEWS

_row = partial(row, VIEWS)

WIDTHS = (("", 64, "r64", "qword"), ("_32", 32, "r32", "dword"))
"""The suffix of a row's name, bits, view and the word for such memory."""

_A, _AB, _AI = "d:r64/a = a:r64", "d:r64/a = a:r64, b:r64", "d:r64/a = a:r64, i:immS32"


def _binary(name: str, compute: Callable[[int, int], int], commutes: str = "") -> Iterator[Row]:
    """Of two registers, of one and an immediate, of one and memory."""
    for suffix, bits, view, word in WIDTHS:
        meaning = sized(compute, bits)
        d = f"{{d:{view}}}"
        yield _row(f"{name}{suffix}", _AB, f"{name} {d}, {{b:{view}}}", meaning, commutes=commutes)
        yield _row(f"{name}{suffix}_imm", _AI, f"{name} {d}, {{i}}", meaning)
        yield _row(
            f"{name}{suffix}_mem",
            f"d:r64/a = a:r64, m:mem{bits // 8}",
            f"{name} {d}, {word} ptr {{m}}",
            in_memory(meaning, bits),
        )


def _unary(name: str, compute: Callable[[int], int]) -> Iterator[Row]:
    """In place."""
    for suffix, bits, view, _ in WIDTHS:
        yield _row(f"{name}{suffix}", _A, f"{name} {{d:{view}}}", sized(compute, bits))


def _counting(name: str, compute: Callable[[int, int], int]) -> Iterator[Row]:
    """Of one register into another; `compute` gets the bits too."""
    for suffix, bits, view, _ in WIDTHS:
        yield _row(
            f"{name}{suffix}",
            "d:r64 = a:r64",
            f"{name} {{d:{view}}}, {{a:{view}}}",
            sized(partial(compute, bits), bits),
        )


def _shift(name: str, compute: Callable[[int, int, int], int]) -> Iterator[Row]:
    """By an immediate in place, and by a register (BMI2); the count is modulo the bits."""
    for suffix, bits, view, _ in WIDTHS:
        count = f"i:immU{bits.bit_length() - 1}"
        meaning = sized(lambda a, n, bits=bits: compute(bits, a, n % bits), bits)
        yield _row(
            f"{name}{suffix}_imm",
            f"d:r64/a = a:r64, {count}",
            f"{name} {{d:{view}}}, {{i}}",
            meaning,
        )
        yield _row(
            f"{name}x{suffix}",
            "d:r64 = a:r64, n:r64",
            f"{name}x {{d:{view}}}, {{a:{view}}}, {{n:{view}}}",
            meaning,
        )


def _rotate(name: str, sign: int) -> Iterator[Row]:
    """By an immediate and by cl, in place."""
    for suffix, bits, view, _ in WIDTHS:
        count = f"i:immU{bits.bit_length() - 1}"
        meaning = sized(lambda a, n, bits=bits: rotated(a, sign * n, bits), bits)
        yield _row(
            f"{name}{suffix}_cl", "d:r64/a = a:r64, n:r64@rcx", f"{name} {{d:{view}}}, cl", meaning
        )
        yield _row(
            f"{name}{suffix}_imm",
            f"d:r64/a = a:r64, {count}",
            f"{name} {{d:{view}}}, {{i}}",
            meaning,
        )


def _rorx() -> Iterator[Row]:
    for suffix, bits, view, _ in WIDTHS:
        yield _row(
            f"rorx{suffix}",
            f"d:r64 = a:r64, i:immU{bits.bit_length() - 1}",
            f"rorx {{d:{view}}}, {{a:{view}}}, {{i}}",
            sized(lambda a, n, bits=bits: rotated(a, -n, bits), bits),
        )


def _andn() -> Iterator[Row]:
    for suffix, bits, view, _ in WIDTHS:
        yield _row(
            f"andn{suffix}",
            "d:r64 = a:r64, b:r64",
            f"andn {{d:{view}}}, {{a:{view}}}, {{b:{view}}}",
            sized(lambda a, b: ~a & b, bits),
        )


def _bswap() -> Iterator[Row]:
    for suffix, bits, view, _ in WIDTHS:
        reverse = partial(_reversed_bytes, bits // 8)
        yield _row(f"bswap{suffix}", _A, f"bswap {{d:{view}}}", sized(reverse, bits))


def _reversed_bytes(bytes: int, a: int) -> int:
    return int.from_bytes(a.to_bytes(bytes, "little"), "big")


def _divisions() -> Iterator[Row]:
    """Quotient and remainder; a zero divisor traps, and so does -2^(bits-1) / -1."""
    for name, with_sign in (("div", False), ("idiv", True)):
        for suffix, bits, view, _ in WIDTHS:
            extend = {"": "cqo", "_32": "cdq"}[suffix] if with_sign else "xor edx, edx"
            yield _row(
                f"{name}{suffix}",
                "q:r64@rax, r:r64@rdx! = a:r64@rax, b:r64",
                f"{extend}\n{name} {{b:{view}}}",
                divided(bits, with_sign),
            )


def _imul() -> Iterator[Row]:
    yield from (
        each for each in _binary("imul", lambda a, b: a * b, "a b") if "imm" not in each.name
    )
    for suffix, bits, view, _ in WIDTHS:
        yield _row(
            f"imul{suffix}_imm",
            "d:r64 = a:r64, i:immS32",
            f"imul {{d:{view}}}, {{a:{view}}}, {{i}}",
            sized(lambda a, b: a * b, bits),
        )


def _extensions() -> Iterator[Row]:
    """The sign of a narrower integer up to 64 or 32 bits, or zeros above it."""
    for bits, view in ((8, "r8"), (16, "r16"), (32, "r32")):
        name = "movsxd" if bits == 32 else "movsx"
        for suffix, to, wide, _ in WIDTHS[: 1 if bits == 32 else 2]:
            yield _row(
                f"movsx_{bits}{suffix}",
                "d:r64 = a:r64",
                f"{name} {{d:{wide}}}, {{a:{view}}}",
                lambda c, a, bits=bits, to=to: signed(a & low(bits), bits) & low(to),
            )
    for bits, view in ((8, "r8"), (16, "r16"), (32, "r32")):
        yield _row(
            f"movzx_{bits}",
            "d:r64 = a:r64",
            f"{'mov' if bits == 32 else 'movzx'} {{d:r32}}, {{a:{view}}}",
            lambda c, a, bits=bits: a & low(bits),
        )


def _lzcnt(bits: int, a: int) -> int:
    return bits - a.bit_length()


def _tzcnt(bits: int, a: int) -> int:
    return (a & -a).bit_length() - 1 if a else bits


def _mulx(c: object, a: int, b: int) -> tuple[int, int]:
    return a * b >> 64, a * b & low(64)


_COPY, _CONSTANT = "d:r64 = s:r64", "constant"

ROWS: tuple[Row, ...] = (
    *_binary("add", lambda a, b: a + b, "a b"),
    *_binary("and", lambda a, b: a & b, "a b"),
    *_andn(),
    *_bswap(),
    *_divisions(),
    *_imul(),
    *_counting("lzcnt", _lzcnt),
    _row("mov", _COPY, "mov {d}, {s}", lambda c, s: s, role="move"),
    _row("mov_immS32", "d:r64 = i:immS32", "mov {d}, {i}", sized(int, 64), role=_CONSTANT),
    _row("mov_immU32", "d:r64 = i:immU32", "mov {d:r32}, {i}", sized(int, 64), role=_CONSTANT),
    _row("mov_immU64", "d:r64 = i:immU64", "movabs {d}, {i}", sized(int, 64), role=_CONSTANT),
    *_extensions(),
    _row("mulx", "h:r64, l:r64 = a:r64@rdx, b:r64", "mulx {h}, {l}, {b}", _mulx, commutes="a b"),
    *_unary("neg", lambda a: -a),
    *_unary("not", lambda a: ~a),
    *_binary("or", lambda a, b: a | b, "a b"),
    *_counting("popcnt", lambda bits, a: a.bit_count()),
    *_rotate("rol", 1),
    *_rotate("ror", -1),
    *_rorx(),
    *_shift("sar", lambda bits, a, n: signed(a, bits) >> n),
    *_shift("shl", lambda bits, a, n: a << n),
    *_shift("shr", lambda bits, a, n: a >> n),
    *_binary("sub", lambda a, b: a - b),
    *_counting("tzcnt", _tzcnt),
    _row(
        "xchg",
        "c:r64/a, d:r64/b = a:r64, b:r64",
        "xchg {c}, {d}",
        lambda c, a, b: (b, a),
        role="swap",
    ),
    *_binary("xor", lambda a, b: a ^ b, "a b"),
    _row("xor_zero", "d:r64 =", "xor {d:r32}, {d:r32}", lambda c: 0, role=_CONSTANT),
)
