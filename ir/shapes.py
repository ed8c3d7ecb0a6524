"""Shapes and element types of the values that a learner's programs work on.

Invariant: a value of a program is a scalar or a tensor of static shape, and its words are binary32
    or binary64; a scalar has the empty shape and one word. Every shape, and every domain, is one
    that numpy can hold an array of.
Refuses: pointwise-type, region-domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from xdsl.dialects.builtin import Float32Type, Float64Type, TensorType, f32, f64
from xdsl.ir import Attribute, Operation

from alpha.ir.refusals import Place, Refusal

FloatType = Float32Type | Float64Type

ELEMENTS: dict[str, FloatType] = {"f32": f32, "f64": f64}


AXES_MAX = 32
"""Most axes of a value or a domain: numpy has 64, which also hold samples and bound axes."""

WORDS_BITS_MAX = 60
"""A value or a domain has fewer than 2^60 words: the bytes of as many are counted in 63 bits."""


def is_float(type: Attribute) -> bool:
    """Whether `type` is a scalar of binary32 or binary64."""
    return isinstance(type, Float32Type | Float64Type)


def is_value_type(type: Attribute) -> bool:
    """Whether `type` is a scalar or a static tensor of binary32 or binary64."""
    if isinstance(type, TensorType):
        return is_float(type.element_type) and all(size >= 0 for size in type.get_shape())
    return is_float(type)


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape of a value type; a scalar's is empty."""
    return tuple(type.get_shape()) if isinstance(type, TensorType) else ()


def element_of(type: Attribute) -> FloatType:
    """The element type of a value type, for which `is_value_type` holds."""
    element = type.element_type if isinstance(type, TensorType) else type
    assert isinstance(element, Float32Type | Float64Type)
    return element


def words_of(type: Attribute) -> int:
    """The number of words (coordinates) of a value type."""
    return prod(shape_of(type))


def element_name(type: Attribute) -> str:
    """`f32` or `f64`, independent of how xDSL prints types."""
    return "f64" if isinstance(element_of(type), Float64Type) else "f32"


def word_bytes(type: Attribute) -> int:
    """The bytes of one word of a scalar or tensor."""
    return 4 if element_name(type) == "f32" else 8


def type_text(type: Attribute) -> str:
    """The canonical text of a value type, such as `f64` or `tensor<4x2xf32>`.

    Digests are taken over this text, so it is spelled here and not by xDSL's printer.
    """
    if not is_float(type):
        sizes = "".join(f"{size}x" for size in shape_of(type))
        return f"tensor<{sizes}{element_name(type)}>"
    return element_name(type)


def tensor_or_scalar(shape: tuple[int, ...], element: Attribute) -> Attribute:
    """The value type of this shape: the element itself where the shape is empty."""
    return TensorType(element, shape) if shape else element


def words_bound(extents: Iterable[int]) -> int:
    """The number of words of these extents, where an extent of 0 counts as 1.

    An array of no words must have a countable number in all its axes but the empty ones, too.
    """
    return prod(extent or 1 for extent in extents)


def require_extents(extents: Sequence[int], what: str, at: Operation | Place | None) -> None:
    """Refuse a shape or domain with too many axes, or with too many words for an array.

    Raises:
        Refusal: `region-domain`, naming `what` has the extents.
    """
    if len(extents) > AXES_MAX:
        raise Refusal("region-domain", f"at most {AXES_MAX} axes in {what}", f"{len(extents)}", at)
    words = words_bound(extents)
    if words >> WORDS_BITS_MAX:
        zero = ", an extent of 0 counted as 1" if 0 in extents else ""
        wanted = f"fewer than 2^{WORDS_BITS_MAX} words in {what}{zero}"
        bits = words.bit_length() - 1
        found = f"2^{bits}" if words == 1 << bits else f"more than 2^{bits}"
        raise Refusal("region-domain", wanted, found, at)


def require_field_type(type: Attribute, what: str, at: Operation | Place | None) -> None:
    """Refuse what `require_value_type` does, and a tensor without axes: its one word is a scalar.

    Raises:
        Refusal: `pointwise-type`, `region-domain`.
    """
    require_value_type(type, what, at)
    if isinstance(type, TensorType) and not shape_of(type):
        wanted = f"{element_name(type)}, not a tensor without axes, as the type of {what}"
        raise Refusal("pointwise-type", wanted, str(type), at)


def require_value_type(type: Attribute, what: str, at: Operation | Place | None) -> None:
    """Refuse a type that no word can have, or one of too many words.

    Raises:
        Refusal: `pointwise-type` or `region-domain`, naming `what` has the type.
    """
    if not is_value_type(type):
        raise Refusal(
            "pointwise-type",
            f"f32, f64 or a static tensor of them as the type of {what}",
            str(type),
            at,
        )
    require_extents(shape_of(type), what, at)


def types_text(types: Sequence[Attribute]) -> str:
    """Types as a list in parentheses, for messages."""
    return f"({', '.join(str(type) for type in types)})"
