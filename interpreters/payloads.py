"""Words as they lie in the payload of a frame, with those that ride behind them.

Invariant: no bit of a word changes on the way. On the carrier that computes, words of two types in
    one payload are its bytes; on the one that proves, all words are numbers of terms.
Entry: `dtype_of`, `joined`, `split`, `RAW`.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import Float32Type, IntegerType
from xdsl.ir import Attribute

from alpha.interpreters.carriers import Carrier
from alpha.ir.protocol.payloads import element_bytes
from alpha.ir.protocol.steps import Frame

RAW = "|u1"
"""numpy's name of a payload of several types: bytes."""


def dtype_of(element: Attribute) -> str:
    """numpy's name of a word of this type, as it stands in a frame."""
    if isinstance(element, IntegerType):
        return "<i8"
    return "<f4" if isinstance(element, Float32Type) else "<f8"


def joined(words: np.ndarray, riding: np.ndarray, carrier: Carrier) -> np.ndarray:
    """Words with integers of 64 bits behind them."""
    if not carrier.holds_words:
        return np.concatenate([words, riding])
    parts = [np.ascontiguousarray(each).view(np.uint8) for each in (words, riding)]
    return np.concatenate(parts)


def split(payload: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """The words of a frame, and the integers that ride behind them."""
    if payload.dtype != np.uint8:
        return payload[: frame.words], payload[frame.words :]
    size = frame.words * element_bytes(frame.element)
    words = np.frombuffer(payload[:size].tobytes(), dtype_of(frame.element)).copy()
    return words, np.frombuffer(payload[size:].tobytes(), "<i8").copy()
