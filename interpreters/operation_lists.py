"""Evaluates a list of exact operations on a whole array of words, in numpy.

Invariant: each step is one operation of numpy on all words, so no word depends on its neighbours.
Entry: `evaluated`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from alpha.interpreters.fused_multiply_add import fused_multiply_add
from alpha.ir.mathematics.steps import CONSTANT, OPERAND, OperationList, Step

_DTYPES: Mapping[str, np.dtype] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "i64": np.dtype(np.uint64),
    "i1": np.dtype(np.bool_),
}


def _copysign(a: NDArray, b: NDArray) -> NDArray:
    return np.copysign(a, np.where(np.isnan(b), b.dtype.type(0.0), b))


_MEANINGS: Mapping[str, Callable[..., NDArray]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.cmpf.oeq": np.equal,
    "arith.cmpf.ogt": np.greater,
    "arith.cmpf.olt": np.less,
    "arith.select": np.where,
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.shli": np.left_shift,
    "arith.shrui": np.right_shift,
    "math.absf": np.absolute,
    "math.copysign": _copysign,
    "math.fma": fused_multiply_add,
}


def _result(step: Step, operands: list[NDArray]) -> NDArray:
    dtype = _DTYPES[step.type]
    if step.operation == "arith.bitcast":
        return operands[0].view(dtype)
    if step.operation in ("arith.extf", "arith.truncf"):
        return operands[0].astype(dtype)
    return _MEANINGS[step.operation](*operands)


def evaluated(listing: OperationList, words: NDArray) -> NDArray:
    """The function that the list writes, of every word; words of the list's element type.

    Raises TypeError for words of another dtype.
    """
    if words.dtype != _DTYPES[listing.element]:
        raise TypeError(f"{words.dtype} words for {listing.operation} of {listing.element}")
    results: list[NDArray] = []
    with np.errstate(all="ignore"):
        for step in listing.steps:
            if step.operation == OPERAND:
                results.append(np.atleast_1d(words))
            elif step.operation == CONSTANT:
                results.append(np.array([step.value], _DTYPES[step.type]))
            else:
                results.append(_result(step, [results[each] for each in step.operands]))
    return results[-1].reshape(words.shape)
