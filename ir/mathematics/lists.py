"""Which functions have a list, and the list of each for a type of words.

Entry: `FUNCTIONS`, `operation_list`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from alpha.ir.mathematics.exponential import exp_f32, exp_f64
from alpha.ir.mathematics.hyperbolic_tangent import tanh_f32, tanh_f64
from alpha.ir.mathematics.logarithm import log_f32, log_f64
from alpha.ir.mathematics.sigmoid import sigmoid_f32, sigmoid_f64
from alpha.ir.mathematics.steps import OperationList
from alpha.ir.mathematics.writing import Word, written

_WRITTEN: Mapping[tuple[str, str], Callable[[Word], Word]] = {
    ("math.exp", "f64"): exp_f64,
    ("math.exp", "f32"): exp_f32,
    ("math.log", "f64"): log_f64,
    ("math.log", "f32"): log_f32,
    ("math.tanh", "f64"): tanh_f64,
    ("math.tanh", "f32"): tanh_f32,
    ("pointwise.sigmoid", "f64"): sigmoid_f64,
    ("pointwise.sigmoid", "f32"): sigmoid_f32,
}

FUNCTIONS = tuple(dict.fromkeys(operation for operation, _ in _WRITTEN))
"""The names of the operations that stand for a list."""


@cache
def operation_list(operation: str, element: str) -> OperationList:
    """The list of a function for `f64` or `f32` words; raises KeyError for another one."""
    return written(operation, element, _WRITTEN[operation, element])
