"""A shared object of compiled functions in this process, and calls of them by way of ctypes.

Invariant: arguments and results keep their bits, also those of NaNs: ctypes would take a float
    through a double, so floats are handed over as the bytes they are.
Why: ctypes has the calling conventions from another source than the drivers, and no emulator,
    so that the two are checked against each other, and times can be taken.
Entry: `Library`, `perform`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alpha.backends.toolchain import records
from alpha.backends.toolchain.records import WORD_BYTES


class _Float(ctypes.c_float):
    """A float that ctypes returns as it is, since it is a class of its own."""


class _Double(ctypes.c_double):
    """The same for a double."""


RESULTS: Mapping[str | None, Any] = MappingProxyType(
    {
        "pointer": ctypes.c_uint64,
        "i1": ctypes.c_uint8,
        "i8": ctypes.c_uint8,
        "i16": ctypes.c_uint16,
        "i32": ctypes.c_uint32,
        "i64": ctypes.c_uint64,
        "f32": _Float,
        "f64": _Double,
        None: None,
    }
)

ARGUMENTS: Mapping[str, Any] = MappingProxyType(
    {
        "pointer": ctypes.c_uint64,
        "i1": ctypes.c_uint8,
        "i8": ctypes.c_int8,
        "i16": ctypes.c_int16,
        "i32": ctypes.c_int32,
        "i64": ctypes.c_uint64,
        "f32": ctypes.c_float,
        "f64": ctypes.c_double,
    }
)

PlainCall = tuple[str, Sequence[tuple[str, int]], str | None, int]
"""A call as `Image.plain` says it."""


class Library:
    """A shared object that is loaded for as long as the process lasts.

    Raises:
        OSError: it can't be loaded.
    """

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def function(self, name: str, arguments: Sequence[str], returns: str | None) -> Any:
        """A function by its name and the kinds of its arguments and result, to be called often.

        A pointer is passed as an address. What a float function returns has the bits in it, and
        the number as its `value`.

        Raises:
            KeyError: there is no function of this name, or no such kind.
        """
        try:
            function = self._library[name]
        except AttributeError as error:
            raise KeyError(f"no function named {name}") from error
        function.argtypes = [ARGUMENTS[kind] for kind in arguments]
        function.restype = RESULTS[returns]
        return function


def perform(library: Library, memory: Any, calls: Sequence[PlainCall]) -> None:
    """Do a batch in memory that this process can write to, as the drivers do."""
    first = ctypes.c_char.from_buffer(memory)
    base = ctypes.addressof(first)
    view = memoryview(memory).cast("B").cast("Q")
    for number, (name, arguments, returns, record) in enumerate(calls, 1):
        view[records.STARTED] = number
        function = library.function(name, [kind for kind, _ in arguments], returns)
        given = [_passed(kind, bits, base) for kind, bits in arguments]
        returned = function(*given)
        if returns is not None:
            in_float = returns in ("f32", "f64")
            field = records.RETURNED_FLOAT if in_float else records.RETURNED
            bits = int.from_bytes(bytes(returned), "little") if in_float else returned
            view[record // WORD_BYTES + field] = bits
        view[records.FINISHED] = number


def _passed(kind: str, bits: int, base: int) -> Any:
    if kind == "pointer":
        return bits + base
    type = ARGUMENTS[kind]
    return type.from_buffer_copy(bits.to_bytes(ctypes.sizeof(type), "little"))
