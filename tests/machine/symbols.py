"""Vectors of terms and what they are once words are put for their symbols.

Entry: `Symbols`.
"""

from __future__ import annotations

from random import Random

import numpy as np

from alpha.backends.core.carriers import BYTES, NotModelled
from alpha.backends.core.pieces import Kind, Piece, Pieces, bits
from alpha.backends.core.symbolic import MachineTerms
from alpha.interpreters.carriers import Element
from alpha.interpreters.words import DTYPES

SPECIAL = (0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, -np.nan, 5e-324, 1e300)


class Symbols:
    """A carrier with symbols x (f64) and y (f32), and words for them: `count` of each."""

    def __init__(self, random: Random, count: int = 6) -> None:
        self.random = random
        self.terms = MachineTerms()
        self.environment: dict[str, np.ndarray] = {}
        self.symbols: dict[Element, np.ndarray] = {}
        for name, element in (("x", "f64"), ("y", "f32")):
            self.symbols[element] = self.terms.logic.symbol_array(name, (count,), element)
            with np.errstate(all="ignore"):
                words = np.array(random.choices(SPECIAL, k=count)).astype(DTYPES[element])
            negative = [random.random() < 0.5 and each != each for each in words.tolist()]
            self.environment[name] = np.where(
                negative, np.copysign(words, words.dtype.type(-1)), words
            )

    def word(self, term: int) -> np.ndarray:
        """The word of a term."""
        return self.terms.logic.evaluate(np.array([term], np.int64), self.environment)

    def truth(self, truth: int) -> bool:
        """Whether a truth is true."""
        logic = self.terms.logic
        one, zero = (logic.store.constant("f32", word) for word in (0x3F80_0000, 0))
        return bool(self.word(logic.chosen(truth, one, zero))[0])

    def concrete(self, vector: Pieces) -> np.ndarray:
        """The bytes of a vector; those of a NaN are the canonical ones."""
        return np.frombuffer(b"".join(map(self._bytes, vector.pieces)), np.uint8)

    def _bytes(self, piece: Piece) -> bytes:
        match piece.kind:
            case Kind.BITS:
                return piece.value.to_bytes(piece.bytes, "little")
            case Kind.TERM:
                return self.word(piece.value).tobytes()
            case Kind.TRUTH:
                return (b"\xff" if self.truth(piece.value) else b"\0") * piece.bytes
            case Kind.SIGN:
                word = self.word(piece.value)
                positive = np.where(np.isnan(word), 0, np.signbit(word)).astype(bool)[0]
                return bytes(piece.bytes - 1) + (b"\x80" if positive else b"\0")
        raise ValueError(piece)

    def operand(self, width: int, lanes: int, depth: int = 2) -> Pieces:
        """A random vector of lanes of so many bytes."""
        return Pieces(self._piece(width, depth) for _ in range(lanes))

    def floats(self, width: int, lanes: int) -> Pieces:
        """A random vector of floats."""
        return self._lanes(width, lanes, (Kind.TERM, Kind.BITS))

    def masks(self, width: int, lanes: int) -> Pieces:
        """A random vector of lanes that are ones or zeros."""
        return self._lanes(width, lanes, (Kind.TRUTH,))

    def _lanes(self, width: int, lanes: int, kinds: tuple[Kind, ...]) -> Pieces:
        found: list[Piece] = []
        while len(found) < lanes:
            piece = self._piece(width, 2)
            magnitude = piece.value & ((1 << 8 * width - 1) - 1)
            infinity = 0x7FF << 52 if width == 8 else 0xFF << 23
            if piece.kind in kinds and (piece.kind is not Kind.BITS or magnitude <= infinity):
                found.append(piece)
        return Pieces(found)

    def _piece(self, width: int, depth: int) -> Piece:
        random, terms = self.random, self.terms
        element: Element = "f64" if width == 8 else "f32"
        sign = 1 << 8 * width - 1
        choice = random.random()
        if choice < 0.25:
            known = (0, sign, sign - 1, 2 * sign - 1, random.getrandbits(8 * width - 3))
            return bits(random.choice(known), width)
        term = int(random.choice(self.symbols[element].tolist()))
        if choice < 0.45:
            return Piece(Kind.TERM, term, width)
        if depth == 0:
            return Piece(Kind.TERM, term, width)
        symbols = self.symbols[element]
        others = np.array(random.choices(symbols.tolist(), k=2), np.int64)
        predicate = random.choice(("olt", "uno", "une", "oeq", "ord", "uge"))
        compared = terms.logic.compare(predicate, others[:1], others[1:])
        if choice < 0.65:
            return terms.mask(compared, element).pieces[0]
        one = Pieces([self._piece(width, depth - 1)])
        other = Pieces([self._piece(width, depth - 1)])
        if choice < 0.8:
            nan = Pieces([bits(0x7FF8 << 48 if width == 8 else 0x7FC0_0000, width)])
            word = Pieces([Piece(Kind.TERM, term, width)])
            same = np.array([term], np.int64)
            return terms.select(terms.logic.compare("uno", same, same), nan, word, element).pieces[
                0
            ]
        operation = random.choice(("and", "or", "xor", "andnot"))
        try:
            return terms.bitwise(operation, one, other).pieces[0]
        except NotModelled:
            return Piece(Kind.TERM, term, width)


def same_words(a: np.ndarray, b: np.ndarray, vector: Pieces) -> bool:
    """Whether bytes are the same, but that where `vector` has a float a NaN is any NaN."""
    at = 0
    for piece in vector.pieces:
        ours, theirs = a[at : at + piece.bytes].copy(), b[at : at + piece.bytes].copy()
        at += piece.bytes
        if ours.tobytes() == theirs.tobytes():
            continue
        if piece.kind is not Kind.TERM:
            return False
        dtype = DTYPES["f64" if piece.bytes == BYTES["f64"] else "f32"]
        if not (np.isnan(ours.view(dtype)[0]) and np.isnan(theirs.view(dtype)[0])):
            return False
    return True
