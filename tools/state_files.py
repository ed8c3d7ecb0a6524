"""A learner's state as one `.safetensors` file: what `--save` and `alpha checkpoint export` write.

Invariant: equal states of one learner at one version have equal files, byte for byte. No more than
    a part of a state is copied at a time.
Why: the library `safetensors` writes the same, but for the order of its metadata, which is chance;
    and it takes all words at once.
Entry: `SavedState`, `state_file`, `in_parts`.

The file is 8 bytes of length, little-endian, so many bytes of JSON without blanks between its parts
and padded with spaces, and the words: states of the wider type first, then by their names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from alpha.ir.names import RESERVED

Array = np.ndarray[Any, Any]

DTYPES = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4")}
NAMES = {"f64": "F64", "f32": "F32"}

LENGTH_BYTES = 8
JSON_ALIGNMENT = 8

PART_WORDS = 1 << 17


class SavedState(NamedTuple):
    """A state of a file: its name, element type (`f64` or `f32`) and shape."""

    name: str
    element: str
    shape: tuple[int, ...]


def state_file(
    learner: str,
    version: int,
    states: Sequence[SavedState],
    words: Callable[[str], Iterable[Array]],
) -> Iterator[bytes | memoryview]:
    """All bytes of the file, a part at a time.

    Args:
        learner: its name.
        version: that of the words.
        states: in any order.
        words: gives all words of a state in row-major order, as arrays that follow one another.
    """
    ordered = sorted(states, key=lambda state: (-DTYPES[state.element].itemsize, state.name))
    yield _header(learner, version, ordered)
    for state in ordered:
        for array in words(state.name):
            yield np.ascontiguousarray(array, DTYPES[state.element]).reshape(-1).view(np.uint8).data


def in_parts(words: Array) -> Iterator[Array]:
    """The words of an array of any shape in row-major order, some at a time."""
    flat = words.reshape(-1) if words.flags.c_contiguous else words.flat
    for low in range(0, words.size, PART_WORDS):
        yield np.asarray(flat[low : low + PART_WORDS])


def _header(learner: str, version: int, states: Sequence[SavedState]) -> bytes:
    header: dict[str, object] = {RESERVED: {"learner": learner, "version": str(version)}}
    offset = 0
    for state in states:
        end = offset + prod(state.shape) * DTYPES[state.element].itemsize
        header[state.name] = {
            "dtype": NAMES[state.element],
            "shape": state.shape,
            "data_offsets": (offset, end),
        }
        offset = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % JSON_ALIGNMENT)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text
