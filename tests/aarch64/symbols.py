"""Meanings on terms: the operands of a row as symbols, and what the result evaluates to.

Entry: `compared_with_words`, `bytes_of`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from aarch64.instances import Instance

from alpha.backends.core.carriers import BYTES, MachineWords
from alpha.backends.core.pieces import Kind, Pieces
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory, Slot, Word
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.truths import TruthBits
from alpha.interpreters.carriers import Element

WORDS = MachineWords()
_UNSIGNED = {8: np.dtype("<u8"), 4: np.dtype("<u4")}
_FLOATS = {"f64": np.dtype("<f8"), "f32": np.dtype("<f4")}


def bytes_of(slot: Slot) -> int:
    """The bytes of an operand that may be symbolic, 0 for any other."""
    if isinstance(slot.kind, View):
        return slot.kind.bytes if slot.kind.of.name == "vec" else 0
    return slot.kind.bytes if isinstance(slot.kind, Memory) else 0


def compared_with_words(
    instance: Instance, element: Element, draw: np.random.Generator, pool: np.ndarray
) -> tuple[list[Any], list[Any]]:
    """The results of a row on terms, evaluated, and on words; NaNs as one value.

    `pool` has floats of the element. A mask `m` is the sign bit. Raises NotModelled.
    """
    terms = MachineTerms()
    width = BYTES[element]
    symbolic: list[Any] = []
    known: list[Any] = []
    environment: dict[str, np.ndarray] = {}
    for slot in instance.row.reads:
        bytes = bytes_of(slot)
        if slot.kind == Word("label"):
            continue
        if bytes >= width and not _is_sign(instance, slot):
            words = draw.choice(pool, bytes // width)
            environment[slot.name] = words
            ids = terms.logic.symbol_array(slot.name, words.shape, element)
            symbolic.append(terms.vector(ids, element))
            known.append(WORDS.vector(words, element))
        elif bytes:
            sign = np.full(bytes // width, 1 << 8 * width - 1, _UNSIGNED[width])
            symbolic.append(terms.of_integers(sign))
            known.append(sign)
        else:
            value = instance.extras.get(slot.name, int(draw.integers(0, 1 << 32)))
            symbolic.append(value)
            known.append(value)
    made = instance.row.meaning(terms, *symbolic)
    expected = instance.row.meaning(WORDS, *known)
    several = len(instance.row.writes) > 1
    pairs = zip(made if several else [made], expected if several else [expected], strict=True)
    left: list[Any] = []
    right: list[Any] = []
    for one, other in pairs:
        if isinstance(one, Pieces):
            left += _evaluated(terms, one, environment, element)
            right += _lanes(other, width, element)
        else:
            left.append(_bits(terms, one, environment) if isinstance(one, TruthBits) else one)
            right.append(other)
    return left, right


def _bits(terms: MachineTerms, mask: TruthBits, environment: dict[str, np.ndarray]) -> int:
    """Truths as an integer, lane 0 the lowest bit."""
    words = terms.logic.evaluate(np.array(mask.truths), environment)
    return sum(1 << at for at, word in enumerate(words.tolist()) if word)


def _is_sign(instance: Instance, slot: Slot) -> bool:
    return instance.row.name.startswith("copysign") and slot.name == "m"


def _evaluated(
    terms: MachineTerms, vector: Pieces, environment: dict[str, np.ndarray], element: Element
) -> list[Any]:
    found: list[Any] = []
    for piece in vector.lanes(BYTES[element]):
        if piece.kind is Kind.BITS:
            bits = piece.value
        else:
            (word,) = terms.logic.evaluate(np.array([piece.value]), environment).tolist()
            if piece.kind is Kind.TRUTH:
                bits = (1 << 8 * piece.bytes) - 1 if word else 0
            else:
                assert piece.kind is Kind.TERM
                held = np.array([word], _FLOATS[element])
                bits = int(held.view(_UNSIGNED[piece.bytes])[0])
        found += _lanes(np.array([bits], _UNSIGNED[piece.bytes]), piece.bytes, element)
    return found


def _lanes(vector: np.ndarray, width: int, element: Element) -> list[Any]:
    """The bits of each lane, "NaN" for any NaN but all ones, which is a mask."""
    bits = vector.view(_UNSIGNED[width])
    floats = vector.view(_FLOATS[element])
    return [
        "NaN" if each != each and int(word) != (1 << 8 * width) - 1 else int(word)
        for word, each in zip(bits, floats, strict=True)
    ]
