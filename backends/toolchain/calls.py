"""What is called and what comes back: calls of compiled functions as tests and benchmarks say them.

Invariant: a call holds values, and never an address; every call has its own copies of its buffers.
Entry: `Call`, `Buffer`, `Result`, `CallFailed`; `word_of` and `value_of` for the words of a value.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

ALIGNMENT_BYTES = 64

Kind = Literal["pointer", "i1", "i8", "i16", "i32", "i64", "f32", "f64"]

BITS: Mapping[str, int] = MappingProxyType(
    {"pointer": 64, "i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64}
)
"""The width of each kind of value."""

# Not the narrow unsigned ones: of them a caller doesn't extend the sign.
_KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "bool": "i1",
        "int8": "i8",
        "int16": "i16",
        "int32": "i32",
        "int64": "i64",
        "uint64": "i64",
        "float32": "f32",
        "float64": "f64",
    }
)


Fence = Literal["before", "behind"]


@dataclass(frozen=True, eq=False)
class Buffer:
    """Words that a function is given the address of, and may change.

    They lie `offset` bytes behind a multiple of `ALIGNMENT_BYTES`. With a `fence` they lie next to
    a page of which nothing can be read instead, `"before"` or `"behind"` them: so even a load that
    goes too far and changes nothing is noticed. The same buffer twice is the same address twice.
    """

    words: np.ndarray
    offset: int = 0
    fence: Fence | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.offset < ALIGNMENT_BYTES:
            raise ValueError(f"an offset below {ALIGNMENT_BYTES} is possible, not {self.offset}")
        if self.fence and self.offset:
            raise ValueError("a fenced buffer lies where its fence tells, and has no offset")


Argument = Buffer | int | float | np.generic
"""A Python integer is passed as i64, a Python float as f64, a scalar of numpy as its type says."""


@dataclass(frozen=True)
class Call:
    """A function by its name, its arguments, and the kind of what it returns, if it does."""

    name: str
    arguments: Sequence[Argument] = ()
    returns: Kind | None = None


@dataclass(frozen=True)
class Result:
    """What a call returned, and what its buffers held then: an array for each argument that is one.

    `value` is an integer, signed unless it is a pointer or i1, or a float as numpy has it; `bits`
    are its bits, in which even NaNs differ.
    """

    value: int | np.floating | None
    bits: int | None
    buffers: tuple[np.ndarray, ...]


class CallFailed(Exception):
    """A call didn't return, or did what the calling convention or its buffers don't allow.

    `problems` are the numbers of calls of the batch with what each did, in order; `results` are
    those of the calls before the first of them.
    """

    def __init__(
        self, calls: Sequence[Call], problems: Sequence[tuple[int, str]], results: list[Result]
    ) -> None:
        self.problems = tuple(problems)
        self.results = results
        lines = [f"call {index} ({calls[index].name}): {what}" for index, what in problems[:4]]
        if len(problems) > len(lines):
            lines.append(f"and {len(problems) - len(lines)} more")
        super().__init__("; ".join(lines))


def word_of(argument: int | float | np.generic) -> tuple[Kind, int]:
    """The kind of an argument that isn't a buffer, and its bits.

    Raises:
        TypeError: no function can be given it.
        OverflowError: an integer needs more than 64 bits.
    """
    if isinstance(argument, float) and not isinstance(argument, np.generic):
        argument = np.float64(argument)
    if isinstance(argument, bool):
        argument = np.bool_(argument)
    if isinstance(argument, int):
        if not -(1 << 63) <= argument < 1 << 64:
            raise OverflowError(f"{argument} has more than 64 bits")
        return "i64", argument & (1 << 64) - 1
    kind = _KINDS.get(argument.dtype.name)
    if kind is None:
        raise TypeError(f"no function takes a {argument.dtype.name}")
    return kind, int.from_bytes(argument.tobytes(), "little")


def value_of(kind: Kind, word: int) -> tuple[int | np.floating, int]:
    """The value of a kind in the low bits of a word of 64, and those bits alone."""
    bits = word & (1 << BITS[kind]) - 1
    if kind == "f64":
        return np.frombuffer(struct.pack("<Q", bits), "<f8")[0], bits
    if kind == "f32":
        return np.frombuffer(struct.pack("<I", bits), "<f4")[0], bits
    if kind in ("pointer", "i1") or not bits >> (BITS[kind] - 1):
        return bits, bits
    return bits - (1 << BITS[kind]), bits
