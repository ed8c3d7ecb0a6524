"""The carrier of machine code that proves: lanes of vectors are terms, all else is known.

Machine code handles signs by bits: `and` with all bits but the sign is `math.absf`, `xor` with the
sign is `arith.negf`, and a sign that is taken from one word and put into another is
`math.copysign`. Masks that comparisons make are truths, which choose.

Invariant: terms that come out of a run evaluate to the words that a processor computes with words
    for the symbols, as far as they aren't NaN. So the sign bit of a word is only modelled where it
    can't be that of a NaN, whose sign differs from one processor to another.
Refuses: everything else, with NotModelled.
Entry: `MachineTerms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alpha.backends.core.carriers import BYTES, MachineCarrier, NotModelled, Vector
from alpha.backends.core.pieces import Kind, Piece, Pieces, aligned, bits, unknown
from alpha.backends.core.truths import LogicTerms, Truth, TruthBits, simplified
from alpha.interpreters.carriers import Array, Element
from alpha.interpreters.terms.store import CODES, TermStore

_FLOATS = {bytes: element for element, bytes in BYTES.items()}
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
_INFINITY = {8: 0x7FF0_0000_0000_0000, 4: 0x7F80_0000}
_NAN = {8: 0x7FF8_0000_0000_0000, 4: 0x7FC0_0000}
_UNORDERED = ("arith.cmpf.uno", "arith.cmpf.une")
_ORDERED = ("arith.cmpf.ord", "arith.cmpf.oeq", "arith.cmpf.ueq")


class MachineTerms(MachineCarrier):
    """Vectors of pieces; `carrier` computes on the terms of `store`."""

    symbolic = True

    def __init__(self, store: TermStore | None = None) -> None:
        self.logic = LogicTerms(store)
        self.carrier = self.logic
        self.store = self.logic.store

    # Lanes of floats and of integers

    def lanes(self, vector: Vector, element: Element) -> Array:
        return np.array([self._term(piece) for piece in vector.lanes(BYTES[element])], np.int64)

    def _term(self, piece: Piece) -> int:
        """A float as a term."""
        if piece.kind is Kind.TERM:
            return piece.value
        if piece.kind is not Kind.BITS:
            raise NotModelled(f"a {piece.kind.value} that is read as a float")
        magnitude = piece.value & ((1 << 8 * piece.bytes - 1) - 1)
        if magnitude > _INFINITY[piece.bytes] and piece.value != _NAN[piece.bytes]:
            raise NotModelled("a NaN that isn't the canonical one")
        return self.store.constant(_FLOATS[piece.bytes], piece.value)

    def vector(self, lanes: Array, element: Element) -> Vector:
        return Pieces(self._float(term, BYTES[element]) for term in lanes.ravel().tolist())

    def _float(self, term: int, bytes: int) -> Piece:
        """A term as a piece: known bits if it is a constant."""
        if _FLOATS[bytes] != self.store.element(term):
            raise TypeError(f"a term of {self.store.element(term)} in a lane of {bytes} bytes")
        word = self.store.constant_bits(term)
        if word is None:
            return Piece(Kind.TERM, term, bytes)
        if word == _NAN[bytes]:
            raise NotModelled("a NaN that is computed from constants, whose sign isn't known")
        return bits(word, bytes)

    def integers(self, vector: Vector, bits: int) -> np.ndarray:
        lanes = vector.lanes(bits // 8)
        for piece in lanes:
            if piece.kind is not Kind.BITS:
                raise NotModelled(f"a {piece.kind.value} that is read as an integer")
        return np.array([piece.value for piece in lanes], _UNSIGNED[bits // 8])

    def of_integers(self, lanes: np.ndarray) -> Vector:
        width = lanes.dtype.itemsize
        mask = (1 << 8 * width) - 1
        return Pieces(Piece(Kind.BITS, value & mask, width) for value in lanes.tolist())

    # Bytes

    def unknown(self, bytes: int) -> Vector:
        return unknown(bytes)

    def resized(self, vector: Vector, bytes: int) -> Vector:
        if bytes <= vector.nbytes:
            return Pieces(vector.cut(0, bytes))
        above = bytes - vector.nbytes
        zeros = [bits(0, min(8, above - at)) for at in range(0, above, 8)]
        return Pieces([*vector.pieces, *zeros])

    def shuffle(self, vector: Vector, bytes: int, places: Sequence[int]) -> Vector:
        found: list[Piece] = []
        for place in places:
            found += vector.cut(place * bytes, bytes)
        return Pieces(found)

    def join(self, *vectors: Vector) -> Vector:
        return Pieces(piece for vector in vectors for piece in vector.pieces)

    # Truths

    def mask(self, truths: Array, element: Element) -> Vector:
        return Pieces(self._mask(truth, BYTES[element]) for truth in truths.ravel().tolist())

    def _mask(self, truth: Truth, bytes: int) -> Piece:
        known = self.logic.known(truth)
        if known is None:
            return Piece(Kind.TRUTH, truth, bytes)
        return bits(-1 if known else 0, bytes)

    def truths(self, vector: Vector, element: Element) -> Array:
        found: list[Truth] = []
        for piece in vector.lanes(BYTES[element]):
            if piece.kind is Kind.TRUTH:
                found.append(piece.value)
            elif piece.kind is Kind.BITS:
                found.append(self.logic.truth(bool(piece.value >> 8 * piece.bytes - 1)))
            else:
                raise NotModelled(f"a {piece.kind.value} that is read as a truth")
        return np.array(found, np.int64)

    def bits(self, truths: Array) -> Any:
        return simplified(self.logic, truths.ravel().tolist())

    def truths_of(self, bits: Any, lanes: int) -> Array:
        if isinstance(bits, TruthBits):
            return np.array([bits.lane(at) for at in range(lanes)], np.int64)
        known = [self.logic.truth(bool(bits >> at & 1)) for at in range(lanes)]
        return np.array(known, np.int64)

    def select(self, truths: Array, a: Vector, b: Vector, element: Element) -> Vector:
        width = BYTES[element]
        lanes = zip(truths.ravel().tolist(), a.lanes(width), b.lanes(width), strict=True)
        return Pieces(self._chosen(*lane) for lane in lanes)

    def _chosen(self, truth: Truth, a: Piece, b: Piece) -> Piece:
        known = self.logic.known(truth)
        if known is not None or a == b:
            return b if known is False else a
        if Kind.TRUTH in (a.kind, b.kind):
            one = self.logic.joined("and", truth, self._truth(a))
            other = self.logic.joined("andnot", truth, self._truth(b))
            return self._mask(self.logic.joined("or", one, other), a.bytes)
        return self._float(self.logic.chosen(truth, self._term(a), self._term(b)), a.bytes)

    def _truth(self, piece: Piece) -> Truth:
        """A lane that is all ones or all zeros."""
        if piece.kind is Kind.TRUTH:
            return piece.value
        if piece.kind is Kind.BITS and piece.value in (0, _ones(piece)):
            return self.logic.truth(piece.value != 0)
        raise NotModelled(f"a {piece.kind.value} that is read as a truth")

    # Bits

    def bitwise(self, operation: str, a: Vector, b: Vector) -> Vector:
        if a is b and operation in ("xor", "andnot"):
            return self.resized(Pieces(()), a.nbytes)
        return Pieces(self._bitwise(operation, one, other) for one, other in aligned(a, b))

    def _bitwise(self, operation: str, a: Piece, b: Piece) -> Piece:
        kinds = {a.kind, b.kind}
        if kinds == {Kind.BITS}:
            return bits(_joined(operation, a.value, b.value), a.bytes)
        if operation == "andnot":
            if a.kind is Kind.BITS:
                return self._bitwise("and", bits(~a.value, a.bytes), b)
            if a.kind is not Kind.TRUTH:
                return (
                    self._with_bits("andnot", a, b) if b.kind is Kind.BITS else _no(operation, a, b)
                )
            operation = "and"
            a = self._mask(self.logic.negation(a.value), a.bytes)
        if kinds == {Kind.TRUTH}:
            return self._mask(self.logic.joined(operation, a.value, b.value), a.bytes)
        if a.kind is Kind.BITS:
            a, b = b, a
        if b.kind is Kind.BITS:
            return self._with_bits(operation, a, b)
        if kinds == {Kind.TRUTH, Kind.TERM} and operation == "and":
            truth, word = (a, b) if a.kind is Kind.TRUTH else (b, a)
            return self._chosen(truth.value, word, bits(0, a.bytes))
        if operation == "or":
            return self._either(a, b)
        if a == b and operation == "and" and a.kind is not Kind.UNKNOWN:
            return a
        return _no(operation, a, b)

    def _with_bits(self, operation: str, a: Piece, b: Piece) -> Piece:
        """Something symbolic with known bits."""
        ones, sign = _ones(b), 1 << 8 * b.bytes - 1
        word = b.value
        match operation, word:
            case "and", 0:
                return b
            case "andnot", 0:
                return b
            case (("or" | "xor"), 0):
                return a
            case "or", _ if word == ones:
                return b
            case "and", _ if word == ones:
                return a
            case "xor", _ if word == ones and a.kind is Kind.TRUTH:
                return self._mask(self.logic.negation(a.value), a.bytes)
        if a.kind is Kind.TRUTH and operation == "and" and a.bytes in _FLOATS:
            return self._chosen(a.value, b, bits(0, a.bytes))
        if a.kind is Kind.SIGN:
            if operation == "and":
                return a if word & sign else bits(0, a.bytes)
            if operation == "or" and not word & sign:
                return self._copysign(self._term(b), a)
        if a.kind is Kind.TERM and operation in ("and", "or", "xor"):
            return self._signed(operation, a, word, sign)
        return _no(operation, a, b)

    def _signed(self, operation: str, a: Piece, word: int, sign: int) -> Piece:
        """A float whose sign is taken off, put on, turned round or picked out."""
        ones = 2 * sign - 1
        if (operation, word) == ("and", ones ^ sign):
            return self._applied("math.absf", a.bytes, a.value)
        if (operation, word) == ("xor", sign):
            return self._applied("arith.negf", a.bytes, a.value)
        if (operation, word) == ("or", sign):
            magnitude = self._applied("math.absf", a.bytes, a.value)
            return self._applied("arith.negf", a.bytes, magnitude.value)
        if (operation, word) == ("and", sign):
            return Piece(Kind.SIGN, self._sign_source(a.value), a.bytes)
        return _no(operation, a, bits(word, a.bytes))

    def _sign_source(self, term: int) -> int:
        """A term with the sign bit of this one, if that isn't a NaN's; a NaN counts as positive."""
        store = self.store
        operation, operands = store.operation(term), store.operands(term)
        if operation == "math.absf":
            return term
        if operation == "arith.select":
            condition, a, b = operands
            if store.operation(condition) in _ORDERED:
                a, b = b, a
            elif store.operation(condition) not in _UNORDERED:
                a = -1
            width = BYTES[store.element(term)]
            canonical = a >= 0 and store.constant_bits(a) == _NAN[width]
            if canonical and store.operands(condition) == (b, b):
                return b
        raise NotModelled("the sign bit of a word that may be a NaN")

    def _copysign(self, magnitude: int, sign: Piece) -> Piece:
        return self._applied("math.copysign", sign.bytes, magnitude, sign.value)

    def _applied(self, operation: str, bytes: int, *terms: int) -> Piece:
        return self._float(self.store.node((CODES[operation], *terms)), bytes)

    def _either(self, a: Piece, b: Piece) -> Piece:
        """`or` of two symbolic words that have no bit in common."""
        if a == b and a.kind is not Kind.UNKNOWN:
            return a
        if b.kind is Kind.SIGN:
            a, b = b, a
        store = self.store
        if a.kind is Kind.SIGN and b.kind is Kind.TERM and store.operation(b.value) == "math.absf":
            return self._copysign(store.operands(b.value)[0], a)
        if a.kind is b.kind is Kind.TERM:
            ours, theirs = store.operands(a.value), store.operands(b.value)
            selects = {store.operation(a.value), store.operation(b.value)} == {"arith.select"}
            if selects and ours[0] == theirs[0]:
                one = self._nonzero(ours[1], theirs[1])
                other = self._nonzero(ours[2], theirs[2])
                if one is not None and other is not None:
                    return self._float(self.logic.chosen(ours[0], one, other), a.bytes)
        return _no("or", a, b)

    def _nonzero(self, a: int, b: int) -> int | None:
        """That of two terms which isn't +0.0, if the other is."""
        if self.store.constant_bits(a) == 0:
            return b
        return a if self.store.constant_bits(b) == 0 else None


def _ones(piece: Piece) -> int:
    return (1 << 8 * piece.bytes) - 1


def _joined(operation: str, a: int, b: int) -> int:
    match operation:
        case "and":
            return a & b
        case "or":
            return a | b
        case "xor":
            return a ^ b
        case "andnot":
            return ~a & b
    raise ValueError(f"no bitwise operation {operation}")


def _no(operation: str, a: Piece, b: Piece) -> Piece:
    raise NotModelled(f"{operation} of a {a.kind.value} and a {b.kind.value}")
