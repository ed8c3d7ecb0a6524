"""The steps of SHA-256, prepared, as FIPS 180-4 writes them.

Invariant: the order of words in halves of a state isn't said; here they are as they were.
Source: FIPS 180-4, 4.1.2 and 6.2.2.
Entry: `BUILDERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.ir import Operation

from alpha.interpreters.code.memory import DTYPES
from alpha.interpreters.code.slots import Builder, Environment, Prepare, Step

_BITS = 32
_MASK = (1 << _BITS) - 1
_WORDS = 4

Compute = Callable[[Sequence[list[int]]], Sequence[list[int]]]
"""From the words of the operands to those of the results."""


def _rotated(word: int, by: int) -> int:
    return (word >> by | word << (_BITS - by)) & _MASK


def _words(operands: Sequence[list[int]]) -> Sequence[list[int]]:
    (given,) = operands
    return [[int.from_bytes(word.to_bytes(4, "little"), "big") for word in given]]


def _scheduled(operands: Sequence[list[int]]) -> Sequence[list[int]]:
    w = [word for vector in operands for word in vector]
    for t in range(len(w), len(w) + _WORDS):
        early, late = w[t - 15], w[t - 2]
        sigma0 = _rotated(early, 7) ^ _rotated(early, 18) ^ early >> 3
        sigma1 = _rotated(late, 17) ^ _rotated(late, 19) ^ late >> 10
        w.append((sigma1 + w[t - 7] + sigma0 + w[t - 16]) & _MASK)
    return [w[-_WORDS:]]


def _as_it_is(operands: Sequence[list[int]]) -> Sequence[list[int]]:
    return operands


def _rounds(operands: Sequence[list[int]]) -> Sequence[list[int]]:
    (a, b, c, d), (e, f, g, h), added = operands
    for word in added:
        mixed = _rotated(e, 6) ^ _rotated(e, 11) ^ _rotated(e, 25)
        first = h + mixed + (e & f ^ ~e & g) + word
        mixed = _rotated(a, 2) ^ _rotated(a, 13) ^ _rotated(a, 22)
        second = mixed + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = (first + second) & _MASK, a, b, c, (d + first) & _MASK, e, f, g
    return [[a, b, c, d], [e, f, g, h]]


def _added(operands: Sequence[list[int]]) -> Sequence[list[int]]:
    left, right = operands
    return [[(a + b) & _MASK for a, b in zip(left, right, strict=True)]]


def _prepared(compute: Compute) -> Builder:
    """An operation whose operands and results are four words each."""

    def build(op: Operation, prepare: Prepare) -> Step:
        operands, results = prepare.slots.all(op.operands), prepare.slots.all(op.results)

        def step(environment: Environment) -> None:
            made = compute([[int(word) for word in environment[slot]] for slot in operands])
            for slot, words in zip(results, made, strict=True):
                environment[slot] = np.array(words, DTYPES["i32"])

        return step

    return build


BUILDERS: Mapping[str, Builder] = {
    "sha256.words": _prepared(_words),
    "sha256.schedule": _prepared(_scheduled),
    "sha256.pack": _prepared(_as_it_is),
    "sha256.rounds": _prepared(_rounds),
    "sha256.add": _prepared(_added),
    "sha256.unpack": _prepared(_as_it_is),
}
