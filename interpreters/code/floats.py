"""Float operations of the code level, on each carrier: one word, or a vector of them.

Invariant: an operation means what it means in `interpreters/carriers.py`; the short ways of the
    words carrier that stand here are tested against it. A truth is a bool, or an array of bool; on
    terms, what a comparison of floats gives is the number of a term.
Why: code runs one word at a time, for which the way through arrays of a carrier costs ten times
    the operation.
Refuses: target-unsupported (the bits of an expression, a choice that isn't known).
Entry: `FloatWords`, `FloatTerms`, `Floats`.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import inf, isfinite, isinf
from typing import Any

import numpy as np

from alpha.interpreters.carriers import OPERATIONS, Carrier
from alpha.interpreters.code.integers import masked, signed
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.store import CODES
from alpha.interpreters.words import DTYPES
from alpha.ir.refusals import Refusal

Function = Callable[..., Any]

_EXACT_BITS = 53


class Floats(ABC):
    """What code does with floats; a word is a scalar of the carrier, a vector an array."""

    symbolic: bool

    def __init__(self, carrier: Carrier) -> None:
        self.carrier = carrier

    def constant(self, value: float, element: str) -> Any:
        """One word that is known."""
        return self.carrier.constant(value, element)[()]

    def knows(self, operation: str) -> bool:
        """Whether this is an operation on floats of the carrier."""
        return operation in OPERATIONS

    @abstractmethod
    def function(self, operation: str, lanes: int | None) -> Function:
        """The function of an operation of the carrier, on words, or on vectors of so many lanes."""

    @abstractmethod
    def select(self, lanes: int | None) -> Function:
        """The function of `arith.select` on floats."""

    @abstractmethod
    def converted(self, name: str, before: str, after: str) -> Function | None:
        """The function of a conversion between types, of one word; None for another operation."""

    @abstractmethod
    def stored(self, word: Any) -> Any:
        """What a store writes of a word or vector."""

    @abstractmethod
    def known_truth(self, truth: Any, what: str) -> bool:
        """A truth that decides what is done.

        Raises:
            Refusal: `target-unsupported` if it is an expression.
        """


def _arrays(*words: Any) -> tuple[Any, ...]:
    return tuple(np.asarray(word) for word in words)


def _copysign(a: Any, b: Any) -> Any:
    return np.copysign(a, np.where(b != b, a.dtype.type(0.0), b))[()]


def fused(a: Any, b: Any, c: Any) -> Any:
    """a * b + c of three float64, rounded once: exact integers, and one division that rounds."""
    if a == 0 or b == 0 or not (isfinite(a) and isfinite(b) and isfinite(c)):
        return c if isfinite(a) and isfinite(b) and isinf(c) else a * b + c
    (p, q), (r, s) = float(a).as_integer_ratio(), float(b).as_integer_ratio()
    t, u = float(c).as_integer_ratio()
    above, below = p * r * u + t * q * s, q * s * u
    try:
        return np.float64(above / below)
    except OverflowError:
        return np.float64(inf if above > 0 else -inf)


_SHORT: dict[str, Function] = {
    "arith.addf": operator.add,
    "arith.subf": operator.sub,
    "arith.mulf": operator.mul,
    "arith.divf": operator.truediv,
    "arith.negf": operator.neg,
    "math.absf": abs,
    "math.sqrt": np.sqrt,
    "math.copysign": _copysign,
    "arith.cmpf.oeq": operator.eq,
    "arith.cmpf.ogt": operator.gt,
    "arith.cmpf.oge": operator.ge,
    "arith.cmpf.olt": operator.lt,
    "arith.cmpf.ole": operator.le,
    "arith.cmpf.une": operator.ne,
}


class FloatWords(Floats):
    """Words of numpy; the caller has silenced numpy's warnings."""

    symbolic = False

    def function(self, operation: str, lanes: int | None) -> Function:
        truth = OPERATIONS[operation].result == "b"
        short = _SHORT.get(operation)
        if short is not None:
            return (lambda a, b: bool(short(a, b))) if truth and lanes is None else short
        apply = self.carrier.apply
        if lanes is not None:
            return lambda *operands: apply(operation, *operands)
        if operation == "math.fma":
            return lambda a, b, c: (
                fused(a, b, c) if a.dtype == np.float64 else apply(operation, *_arrays(a, b, c))[()]
            )
        if truth:
            return lambda *operands: bool(apply(operation, *map(np.asarray, operands)))
        return lambda *operands: apply(operation, *map(np.asarray, operands))[()]

    def select(self, lanes: int | None) -> Function:
        if lanes is None:
            return lambda condition, a, b: a if condition else b
        return np.where

    def converted(self, name: str, before: str, after: str) -> Function | None:
        if name in ("arith.extf", "arith.truncf"):
            return DTYPES[after].type
        if name == "arith.bitcast" and before in DTYPES:
            unsigned = {"f64": np.uint64, "f32": np.uint32}[before]
            return lambda a: int(self.stored(a).view(unsigned))
        if name == "arith.bitcast":
            size = DTYPES[after].itemsize
            return lambda a: np.frombuffer(int(a).to_bytes(size, "little"), DTYPES[after])[0]
        if name in ("arith.sitofp", "arith.uitofp"):
            width = int(before[1:])
            has_sign = name == "arith.sitofp"
            return lambda a: rounded(signed(a, width) if has_sign else int(a), after)
        if name in ("arith.fptosi", "arith.fptoui"):
            return _saturating(int(after[1:]), name == "arith.fptosi")
        return None

    def known_truth(self, truth: Any, what: str) -> bool:
        return truth

    def stored(self, word: Any) -> Any:
        if isinstance(word, np.ndarray):
            nan = word != word
            return np.where(nan, word.dtype.type(np.nan), word) if nan.any() else word
        return word if word == word else word.dtype.type(np.nan)


def rounded(value: int, element: str) -> Any:
    """An integer as a float, rounded once to nearest even."""
    extra = abs(value).bit_length() - _EXACT_BITS
    if extra > 0 and element == "f32":
        # Rounded to odd in 53 bits, so that the rounding to 24 is that of the integer.
        rest = value & ((1 << extra) - 1)
        value = (value >> extra | (rest != 0)) << extra
    return DTYPES[element].type(float(value))


def _saturating(width: int, has_sign: bool) -> Function:
    """Towards zero; beyond the range its nearest end, and 0 for a NaN."""
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if has_sign else (0, (1 << width) - 1)

    def convert(word: Any) -> int:
        if word != word:
            return masked(0, width)
        if abs(word) == np.inf:
            return masked(low if word < 0 else high, width)
        return masked(min(max(int(word), low), high), width)

    return convert


class FloatTerms(Floats):
    """Numbers of terms: a Python integer for a word, an array of int64 for a vector."""

    symbolic = True

    def __init__(self, carrier: Terms) -> None:
        super().__init__(carrier)
        self._store = carrier.store

    def constant(self, value: float, element: str) -> Any:
        return int(super().constant(value, element))

    def function(self, operation: str, lanes: int | None) -> Function:
        code, node = CODES[operation], self._store.node
        apply = self.carrier.apply
        if lanes is None:
            return lambda *operands: node((code, *map(int, operands)))
        return lambda *operands: apply(operation, *operands)

    def select(self, lanes: int | None) -> Function:
        choose = self.function("arith.select", lanes)

        def word(condition: Any, a: Any, b: Any) -> Any:
            if type(condition) is bool:
                return a if condition else b
            return choose(condition, a, b)

        def vector(condition: Any, a: Any, b: Any) -> Any:
            if type(condition) is bool:
                return a if condition else b
            if isinstance(condition, np.ndarray) and condition.dtype == np.bool_:
                return np.where(condition, a, b)
            return choose(np.asarray(condition), a, b)

        return word if lanes is None else vector

    def converted(self, name: str, before: str, after: str) -> Function | None:
        if name in ("arith.sitofp", "arith.uitofp"):
            width = int(before[1:])
            has_sign = name == "arith.sitofp"

            def convert(a: int) -> int:
                word = rounded(signed(a, width) if has_sign else a, after)
                return int(self.carrier.literal(np.asarray(word)))

            return convert
        if not name.startswith(("arith.ext", "arith.trunc", "arith.fpto", "arith.bitcast")):
            return None

        def refuse(a: Any) -> Any:
            raise Refusal("target-unsupported", f"{name} of words that are known", "an expression")

        return refuse

    def stored(self, word: Any) -> Any:
        return word

    def known_truth(self, truth: Any, what: str) -> bool:
        if type(truth) is bool:
            return truth
        bits = self._store.constant_bits(truth)
        if bits is None:
            wanted = f"{what} on words that are known"
            raise Refusal("target-unsupported", wanted, "one on expressions")
        return bool(bits)
