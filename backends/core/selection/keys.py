"""Short names of the types of the code level, by which rules are found.

`i1` to `i64`, `f32`, `f64`; `index` and pointers are `i64`; a vector is its lanes and its element,
as in `8xf64`. A half of a state of SHA-256 is four words.

Refuses: target-unsupported.
Entry: `key_of`, `bytes_of`, `lanes_of`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    VectorType,
)
from xdsl.dialects.ptr import PtrType
from xdsl.ir import Attribute, Operation

from alpha.ir.dialects.sha256 import FirstHalfType, SecondHalfType
from alpha.ir.refusals import Refusal

_WIDTHS = (1, 8, 16, 32, 64)


def key_of(type: Attribute, at: Operation | None = None) -> str:
    """The short name of a type.

    Raises:
        Refusal: `target-unsupported` for a type that no target has.
    """
    match type:
        case IntegerType() if type.width.data in _WIDTHS:
            return f"i{type.width.data}"
        case IndexType() | PtrType() | MemRefType():
            return "i64"
        case Float64Type():
            return "f64"
        case Float32Type():
            return "f32"
        case FirstHalfType() | SecondHalfType():
            return "4xi32"
        case VectorType() if type.get_num_dims() == 1:
            (lanes,) = type.get_shape()
            element = key_of(type.element_type, at)
            return f"{lanes}x{element}"
    wanted = "an integer of 1, 8, 16, 32 or 64 bits, f32, f64, a pointer or a vector of them"
    raise Refusal("target-unsupported", wanted, str(type), at)


def lanes_of(key: str) -> tuple[int, str]:
    """Lanes and element of a key: 1 and itself for a scalar."""
    lanes, found, element = key.partition("x")
    return (int(lanes), element) if found else (1, key)


def bytes_of(key: str) -> int:
    """How many bytes a value takes in memory; a truth takes one."""
    lanes, element = lanes_of(key)
    return lanes * max(1, int(element[1:]) // 8)
