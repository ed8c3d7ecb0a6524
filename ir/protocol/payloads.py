"""The words of a payload: how many a frame of it has, and of which type.

Invariant: both follow from types alone, so sender and receiver know them before anything is sent.
Refuses: nothing; a payload is checked where its type is built.
Entry: `value_of`, `words_in`, `element_in`, `element_bytes`, `samples_of`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import Float32Type, IntegerType, i64
from xdsl.ir import Attribute

from alpha.ir.attributes.shard import LocatedType, TotalType
from alpha.ir.shapes import element_of, words_of


def value_of(payload: Attribute) -> Attribute:
    """The type of the words of a payload: of a value of the shard dialect, the value's own."""
    return payload.value if isinstance(payload, LocatedType) else payload


def words_in(payload: Attribute) -> int:
    """The words of a whole payload; a selector has one."""
    value = value_of(payload)
    return 1 if isinstance(value, IntegerType) else words_of(value)


def element_in(payload: Attribute) -> Attribute:
    """The type of one word of a payload: f32, f64 or i64."""
    value = value_of(payload)
    return i64 if isinstance(value, IntegerType) else element_of(value)


def element_bytes(element: Attribute) -> int:
    """The bytes of one word of this type."""
    return 4 if isinstance(element, Float32Type) else 8


def samples_of(payload: Attribute) -> str | None:
    """The samples that a total is over, whose number travels with it; None for other payloads."""
    return payload.samples.string_value() if isinstance(payload, TotalType) else None
