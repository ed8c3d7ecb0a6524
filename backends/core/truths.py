"""Truths about terms, joined by and, or and not, which the store of terms has no operations for.

A truth that is joined is a negative number. A choice by it is made of choices by its parts, so that
every term stays one of the store's.

Entry: `LogicTerms`, `TruthBits`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from alpha.backends.core.carriers import NotModelled
from alpha.interpreters.carriers import Array
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.store import CODES, TermStore

Truth = int
"""The number of a term of i1, or of a joined truth if it is negative."""

_SELECT = CODES["arith.select"]


class LogicTerms(Terms):
    """The carrier of terms with joined truths. Raises NotModelled where one is read as a word."""

    def __init__(self, store: TermStore | None = None) -> None:
        super().__init__(store)
        self.true = self.store.constant("i1", 1)
        self.false = self.store.constant("i1", 0)
        self._joined: list[tuple[str, Truth, Truth]] = []
        self._numbers: dict[tuple[str, Truth, Truth], Truth] = {}

    def apply(self, operation: str, *operands: Array) -> Array:
        if not any((operand < 0).any() for operand in operands):
            return super().apply(operation, *operands)
        if operation != "arith.select" or any((operand < 0).any() for operand in operands[1:]):
            raise NotModelled(f"{operation} of truths that are joined")
        broadcast = np.broadcast_arrays(*operands)
        columns = zip(*(each.ravel().tolist() for each in broadcast), strict=True)
        chosen = [self.chosen(*column) for column in columns]
        return np.array(chosen, np.int64).reshape(broadcast[0].shape)

    def chosen(self, truth: Truth, a: int, b: int) -> int:
        """The term that is `a` where it is true, else `b`."""
        if truth >= 0:
            return self.store.node((_SELECT, truth, a, b))
        kind, one, other = self._joined[-1 - truth]
        match kind:
            case "not":
                return self.chosen(one, b, a)
            case "and":
                return self.chosen(one, self.chosen(other, a, b), b)
            case "or":
                return self.chosen(one, a, self.chosen(other, a, b))
        return self.chosen(one, self.chosen(other, b, a), self.chosen(other, a, b))

    def known(self, truth: Truth) -> bool | None:
        """Whether it is true, None if that depends on symbols."""
        return {self.true: True, self.false: False}.get(truth)

    def truth(self, value: bool) -> Truth:
        """A truth that is known."""
        return self.true if value else self.false

    def negation(self, truth: Truth) -> Truth:
        """True where it isn't."""
        known = self.known(truth)
        if known is not None:
            return self.truth(not known)
        if truth < 0 and self._joined[-1 - truth][0] == "not":
            return self._joined[-1 - truth][1]
        return self._join("not", truth, truth)

    def joined(self, operation: str, a: Truth, b: Truth) -> Truth:
        """`and`, `or`, `xor` or `andnot` (not a, and b) of two truths."""
        if operation == "andnot":
            a, operation = self.negation(a), "and"
        if a == b:
            return self.false if operation == "xor" else a
        for known, other in ((self.known(a), b), (self.known(b), a)):
            if known is None:
                continue
            if operation == "xor":
                return self.negation(other) if known else other
            return other if known == (operation == "and") else self.truth(known)
        return self._join(operation, a, b)

    def _join(self, kind: str, a: Truth, b: Truth) -> Truth:
        key = kind, a, b
        if key not in self._numbers:
            self._joined.append(key)
            self._numbers[key] = -len(self._joined)
        return self._numbers[key]


class TruthBits:
    """The bits of a mask register that depend on symbols: lane 0 the lowest; `above` all others.

    It joins with integers as an integer does; what else one does with it raises NotModelled.
    """

    __slots__ = ("_logic", "above", "truths")

    def __init__(self, logic: LogicTerms, truths: Sequence[Truth], above: bool = False) -> None:
        self._logic, self.truths, self.above = logic, tuple(truths), above

    def lane(self, at: int) -> Truth:
        """One bit."""
        return self.truths[at] if at < len(self.truths) else self._logic.truth(self.above)

    def _with(self, operation: str, other: Any) -> Any:
        if isinstance(other, int):
            count = max(len(self.truths), other.bit_length())
            lanes = [self._logic.truth(bool(other >> at & 1)) for at in range(count)]
            other = TruthBits(self._logic, lanes, other < 0)
        if not isinstance(other, TruthBits):
            return NotImplemented
        count = max(len(self.truths), len(other.truths))
        pairs = [(self.lane(at), other.lane(at)) for at in range(count)]
        join: Callable[[int, int], int] = {
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
        }[operation]
        above = bool(join(self.above, other.above))
        return simplified(
            self._logic, [self._logic.joined(operation, *pair) for pair in pairs], above
        )

    def __and__(self, other: Any) -> Any:
        return self._with("and", other)

    def __or__(self, other: Any) -> Any:
        return self._with("or", other)

    def __xor__(self, other: Any) -> Any:
        return self._with("xor", other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> Any:
        return TruthBits(
            self._logic, [self._logic.negation(each) for each in self.truths], not self.above
        )

    def __rshift__(self, count: int) -> Any:
        return simplified(self._logic, self.truths[count:], self.above)

    def __lshift__(self, count: int) -> Any:
        return simplified(self._logic, [self._logic.false] * count + list(self.truths), self.above)

    def __bool__(self) -> bool:
        raise NotModelled("control that depends on symbols")

    def __index__(self) -> int:
        raise NotModelled("a mask that depends on symbols, as an integer")

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, TruthBits):
            return (self.truths, self.above) == (other.truths, other.above)
        raise NotModelled("a mask that depends on symbols, compared")

    def __hash__(self) -> int:
        return hash((self.truths, self.above))


def simplified(logic: LogicTerms, truths: Sequence[Truth], above: bool = False) -> Any:
    """The same as an integer, if nothing of it depends on symbols."""
    known = [logic.known(truth) for truth in truths]
    if any(each is None for each in known):
        return TruthBits(logic, truths, above)
    value = reduce(lambda total, lane: total | bool(known[lane]) << lane, range(len(known)), 0)
    return value | (-1 << len(known) if above else 0)
