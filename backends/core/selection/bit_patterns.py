"""Shifts and masks that only move the bits of one value: rotations and reversals of bytes.

Source programs spell them with `or`, `shl`, `shr` and `and`; processors have an instruction for
each.

Entry: `moved_bits`, `rotation_right`, `reverses_bytes`.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from alpha.backends.core.selection.addresses import constant_of, defining
from alpha.backends.core.selection.keys import key_of

DEPTH_MAX = 6
"""How deep a tree of operations is looked into: four bytes take four levels."""

Bits = tuple[int | None, ...]
"""For each bit of a result, from the lowest, which bit of the source it is; None for a zero."""


def moved_bits(value: SSAValue) -> tuple[SSAValue, Bits] | None:
    """The one value whose bits, some moved and some dropped, are those of `value`; None if not so.

    A value that is nothing of the kind isn't its own source.
    """
    width = int(key_of(value.type)[1:])
    found = _bits(value, width, DEPTH_MAX)
    if found is None or found[0] is value:
        return None
    return found


def _bits(value: SSAValue, width: int, depth: int) -> tuple[SSAValue, Bits] | None:
    op = defining(value)
    whole = (value, tuple(range(width)))
    if not depth:
        return whole
    match op:
        case arith.OrIOp():
            left, right = _bits(op.lhs, width, depth - 1), _bits(op.rhs, width, depth - 1)
            return _joined(left, right)
        case arith.ShLIOp() | arith.ShRUIOp():
            count = constant_of(op.rhs)
            inner = _bits(op.lhs, width, depth - 1)
            if count is None or not 0 <= count < width or inner is None:
                return whole
            zeros: Bits = (None,) * count
            if isinstance(op, arith.ShLIOp):
                return inner[0], zeros + inner[1][: width - count]
            return inner[0], inner[1][count:] + zeros
        case arith.AndIOp():
            for left, right in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
                mask = constant_of(right)
                if mask is not None and (inner := _bits(left, width, depth - 1)) is not None:
                    kept = (bit if mask >> at & 1 else None for at, bit in enumerate(inner[1]))
                    return inner[0], tuple(kept)
            return whole
        case _:
            return whole


def _joined(
    left: tuple[SSAValue, Bits] | None, right: tuple[SSAValue, Bits] | None
) -> tuple[SSAValue, Bits] | None:
    """Two parts of one source that have no place in common."""
    if left is None or right is None or left[0] is not right[0]:
        return None
    pairs = list(zip(left[1], right[1], strict=True))
    if any(a is not None and b is not None for a, b in pairs):
        return None
    return left[0], tuple(b if a is None else a for a, b in pairs)


def rotation_right(bits: Bits) -> int | None:
    """By how much a value is rotated to the right, if that is all; a rotation by 0 is none."""
    first = bits[0]
    if not first:
        return None
    width = len(bits)
    rotated = tuple((first + at) % width for at in range(width))
    return first if bits == rotated else None


def reverses_bytes(bits: Bits) -> bool:
    """Whether the bytes stand in the other order, and nothing else is changed."""
    last = len(bits) // 8 - 1
    return last > 0 and bits == tuple(8 * (last - at // 8) + at % 8 for at in range(len(bits)))
