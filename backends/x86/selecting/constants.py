"""Constants: small integers in the text, zeros out of nothing, the rest from the literal pool."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith
from xdsl.ir import Operation

from alpha.backends.core.program import Value
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import integer_constant, literal, words_of_constant
from alpha.backends.core.selection.keys import key_of, lanes_of
from alpha.backends.core.selection.matching import Match, Matcher, Rule

INTEGERS = ("i1", "i8", "i16", "i32", "i64")
SCALARS = {"f64": ("vmovsd_pool", "vxorps_zero_d"), "f32": ("vmovss_pool", "vxorps_zero_s")}
"""The rows for any float, and for +0.0."""

SPLATS = {8: "vbroadcastsd", 4: "vbroadcastss"}
"""What puts a word of so many bytes into every lane."""


def constants() -> Iterator[Rule]:
    """Rules for `arith.constant`."""
    for key in INTEGERS:
        yield Rule("arith.constant", key, integer_constant(integer))
    yield Rule("arith.constant", "f64", _scalar)
    yield Rule("arith.constant", "f32", _scalar)
    yield Rule("arith.constant", "*", _vector)


def integer(builder: Builder, value: int) -> Value:
    """An unsigned integer of 64 bits in a register, by the shortest instruction."""
    if not value:
        return builder.emit("xor_zero")[0]
    if value < 1 << 32:
        return builder.emit("mov_immU32", extras=(value,))[0]
    if value >= (1 << 64) - (1 << 31):
        return builder.emit("mov_immS32", extras=(value - (1 << 64),))[0]
    return builder.emit("mov_immU64", extras=(value,))[0]


def _scalar(matcher: Matcher, op: Operation) -> Match | None:
    assert isinstance(op, arith.ConstantOp)
    (word,) = words_of_constant(op)
    pool, zero = SCALARS[key_of(op.result.type, op)]

    def emit(builder: Builder) -> None:
        made = builder.emit(pool, literal(word)) if any(word) else builder.emit(zero)
        builder.bind(op.result, made[0])

    return Match([], emit)


def _vector(matcher: Matcher, op: Operation) -> Match | None:
    """A vector of words; one of truths has no register of its own."""
    assert isinstance(op, arith.ConstantOp)
    key = key_of(op.result.type, op)
    lanes, element = lanes_of(key)
    if element == "i1":
        return None
    words = words_of_constant(op)
    try:
        view = matcher.target.view_of(key)
    except KeyError:
        return None

    def emit(builder: Builder) -> None:
        if not any(map(any, words)):
            made = builder.emit(f"vxorps_zero_{view}")
        elif len(set(words)) == 1 and len(words[0]) in SPLATS:
            name = f"{SPLATS[len(words[0])]}_{view}_pool"
            made = builder.emit(name, literal(words[0]))
        else:
            content = b"".join(words if len(words) > 1 else words * lanes)
            made = builder.emit(f"vmovups_{view}_pool", literal(content))
        builder.bind(op.result, made[0])

    return Match([], emit)
