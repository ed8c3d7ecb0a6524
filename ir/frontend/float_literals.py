"""Float literals of every type of xDSL: from text to value and back, exact to the bit.

Invariant: what `float_text` writes for a value of a type, `float_value` reads back to that value. A
    decimal is rounded once, to nearest even, to binary64 and from there to the type; in hexadecimal
    stand the bits of the type.
Why: xDSL 0.75 prints 123456789.0 in hexadecimal and reads that in a dense attribute as an integer,
    reads no hexadecimal in an array, and turns a decimal that is too large into an infinity.
Entry: `float_value`, `float_text`, `require_kept_bits`.
"""

from __future__ import annotations

from math import isfinite, isinf

from xdsl.dialects.builtin import AnyFloat


def require_kept_bits(data: bytes, type: AnyFloat) -> None:
    """Refuse words of a type whose values don't stand for their bits.

    A value is a binary64 number, and a signaling NaN of a smaller type becomes a quiet one there.
    Raises ValueError with what was expected.
    """
    count = len(data) // type.compile_time_size
    if type.pack(type.unpack(data, count)) != data:
        raise ValueError("a word that keeps its bits, as a signaling NaN doesn't")


def float_value(text: str, type: AnyFloat) -> float:
    """The value of a literal such as `1.0`, `-2.5e-3`, `7` or `0x3FF0000000000000` in a type.

    Raises ValueError, with what was expected, for a literal that the type has no value for.
    """
    digits = text.removeprefix("-")
    if digits.startswith("0x"):
        bits = int(digits, 16)
        if digits is not text or bits.bit_length() > type.bitwidth:
            raise ValueError(f"at most {type.bitwidth} bits without a sign, for {type}")
        word = bits.to_bytes(type.compile_time_size, "little")
        require_kept_bits(word, type)
        return type.unpack(word, 1)[0]
    value = type.round(float(text))
    if isinf(value):
        raise ValueError(f"a literal within the range of {type}")
    return value


def float_text(value: float, type: AnyFloat) -> str:
    """The literal that stands for a value of a type, as MLIR writes it where that is exact."""
    if not isfinite(value):
        return f"0x{type.pack((value,))[::-1].hex().upper()}"
    mantissa, _, exponent = f"{value:.5e}".partition("e")
    text = f"{mantissa}0e{exponent}"
    if type.round(float(text)) == value:
        return text
    text = repr(value)
    mantissa, e, exponent = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{e}{exponent}"
