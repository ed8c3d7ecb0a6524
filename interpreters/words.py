"""The carrier that computes: binary64 and binary32 words, whole arrays at once in numpy.

Invariant: no result depends on numpy's version, on vector width or on the layout of an array. So
    nothing here calls `np.sum`, `np.dot` or another reduction whose order numpy chooses, and
    operands of two element types are an error instead of being promoted.
Entry: `Words`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from alpha.interpreters.carriers import (
    OPERATIONS,
    STEP,
    Array,
    Carrier,
    Element,
    FoldKind,
)
from alpha.interpreters.fused_multiply_add import fused_multiply_add
from alpha.interpreters.operation_lists import evaluated
from alpha.ir.mathematics.lists import FUNCTIONS, operation_list

DTYPES: Mapping[Element, np.dtype] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "i1": np.dtype(np.bool_),
}
_ELEMENTS: Mapping[np.dtype, Element] = {dtype: element for element, dtype in DTYPES.items()}

_ROW_WORDS_ACCUMULATE_MAX = 64
"""Up to this many words a row, one call that keeps every partial sum beats a call a row."""


def element_of(words: Array) -> Element:
    """The element type of floating-point words or truths; raises KeyError for another dtype."""
    return _ELEMENTS[words.dtype]


def _copysign(a: Array, b: Array) -> Array:
    return np.copysign(a, np.where(np.isnan(b), b.dtype.type(0.0), b))


def _function(operation: str) -> Callable[[Array], Array]:
    return lambda a: evaluated(operation_list(operation, element_of(a)), a)


def _constantly(truth: bool) -> Callable[[Array, Array], Array]:
    return lambda a, b: np.full(np.broadcast(a, b).shape, truth)


_COMPARISONS: Mapping[str, Callable[[Array, Array], Array]] = {
    "false": _constantly(False),
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: (a < b) | (a > b),
    "ord": lambda a, b: (a == a) & (b == b),
    "ueq": lambda a, b: ~((a < b) | (a > b)),
    "ugt": lambda a, b: ~(a <= b),
    "uge": lambda a, b: ~(a < b),
    "ult": lambda a, b: ~(a >= b),
    "ule": lambda a, b: ~(a > b),
    "une": lambda a, b: a != b,
    "uno": lambda a, b: (a != a) | (b != b),
    "true": _constantly(True),
}

_MEANINGS: Mapping[str, Callable[..., Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.select": np.where,
    "math.sqrt": np.sqrt,
    "math.absf": np.absolute,
    "math.copysign": _copysign,
    "math.fma": fused_multiply_add,
    "pointwise.min": lambda a, b: np.where(a < b, a, b),
    "pointwise.max": lambda a, b: np.where(a > b, a, b),
    **{operation: _function(operation) for operation in FUNCTIONS},
    **{f"arith.cmpf.{predicate}": meaning for predicate, meaning in _COMPARISONS.items()},
}


class Words(Carrier):
    """Arrays of float64, float32 and bool.

    Raises RuntimeError if this process flushes subnormal words to zero, as a library built with
    fast-math flags can make it do: then no result would be IEEE 754's.
    """

    holds_words = True

    def __init__(self) -> None:
        for element in ("f64", "f32"):
            smallest = np.finfo(DTYPES[element]).smallest_normal
            with np.errstate(all="ignore"):
                half = np.multiply(smallest, DTYPES[element].type(0.5))
            if half == 0 or half + half != smallest:
                raise RuntimeError(f"this process flushes subnormal {element} words to zero")

    def constant(self, value: float | bytes, element: Element) -> Array:
        dtype = DTYPES[element]
        if isinstance(value, bytes):
            if len(value) != dtype.itemsize:
                raise ValueError(f"{len(value)} bytes of {element}")
            return np.frombuffer(value, dtype.newbyteorder("<")).astype(dtype).reshape(())
        with np.errstate(all="ignore"):
            return np.array(value, np.float64).astype(dtype)

    def literal(self, array: Array) -> Array:
        native = array.dtype.newbyteorder("=")
        if native not in _ELEMENTS:
            raise TypeError(f"words of {array.dtype}")
        return np.asarray(array, native)

    def element_of(self, array: Array) -> Element | None:
        return element_of(array)

    def apply(self, operation: str, *operands: Array) -> Array:
        _check(operation, operands)
        with np.errstate(all="ignore"):
            return np.asarray(_MEANINGS[operation](*operands))

    def accumulate_from(
        self, start: Array, array: Array, axis: int, kind: FoldKind = "add"
    ) -> Array:
        rows = np.moveaxis(array, axis, 0)
        _check(STEP[kind], (start, rows))
        if kind == "max":
            return self._accumulate_max(start, rows)
        total = np.array(np.broadcast_to(start, rows.shape[1:]))
        with np.errstate(all="ignore"):
            if total.size <= _ROW_WORDS_ACCUMULATE_MAX and len(rows):
                partial = np.concatenate([total[np.newaxis], rows])
                return np.array(np.add.accumulate(partial, axis=0)[-1, ...])
            for index in range(len(rows)):
                np.add(total, rows[index, ...], out=total)
        return total

    @staticmethod
    def _accumulate_max(start: Array, rows: Array) -> Array:
        total = np.array(np.broadcast_to(start, rows.shape[1:]))
        with np.errstate(all="ignore"):
            for index in range(len(rows)):
                row = rows[index, ...]
                np.copyto(total, row, where=~(total > row))
        return total


_FLOATS = "df"  # numpy's characters of float64 and float32; that of bool is "?"

_ACCEPTED: Mapping[str, frozenset[str]] = {
    operation: frozenset(
        signature.operands.replace("b", "?").replace("f", float_) for float_ in _FLOATS
    )
    for operation, signature in OPERATIONS.items()
}


def _check(operation: str, operands: tuple[Array, ...]) -> None:
    """Refuse what numpy would promote to another element."""
    found = "".join([operand.dtype.char for operand in operands])
    accepted = _ACCEPTED.get(operation)
    if accepted is None:
        raise ValueError(f"no operation {operation}")
    if found in accepted:
        return
    if len(found) != len(OPERATIONS[operation].operands):
        raise ValueError(f"{operation} of {len(operands)} operands")
    raise TypeError(f"{operation} of {', '.join(str(operand.dtype) for operand in operands)}")
