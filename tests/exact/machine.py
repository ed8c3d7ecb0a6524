"""The exact operations as they are compiled for this processor, on arrays of any length.

Entry: `Machine`, `ROOTS`, `QUOTIENTS`, `is_wide`, `different`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from x86.execution import has

from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.backends.toolchain.calling import Caller
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

LANES = 8

_LOOP = """
  %zero = arith.constant 0 : index
  %eight = arith.constant 8 : index
  %count = arith.index_cast %n : i64 to index
  scf.for %i = %zero to %count step %eight {
    %x = vector.load %a[%i] : memref<?xf64>, vector<8xf64>
"""

ROOTS = f"""
func.func @f(%a : memref<?xf64>, %r : memref<?xf64>, %n : i64) {{{_LOOP}
    %s = exact.sqrt %x : vector<8xf64>
    vector.store %s, %r[%i] : memref<?xf64>, vector<8xf64>
  }}
  func.return
}}
"""

QUOTIENTS = f"""
func.func @f(%a : memref<?xf64>, %b : memref<?xf64>, %r : memref<?xf64>, %n : i64) {{{_LOOP}
    %c = vector.load %b[%i] : memref<?xf64>, vector<8xf64>
    %h, %l, %m = exact.reciprocal %c : vector<8xf64>
    %q = exact.divide %x, %c, %h, %l, %m : vector<8xf64>
    vector.store %q, %r[%i] : memref<?xf64>, vector<8xf64>
  }}
  func.return
}}
"""


def is_wide() -> bool:
    """Whether this processor computes the exact operations by multiply-adds."""
    return has("avx512")


def compiled(source: str) -> str:
    """The assembly text of a function of the code level, for the widest vectors of this host."""
    if not is_wide():
        # Without AVX-512 eight words would be wider than the vectors of the target.
        source = source.replace("<8xf64>", "<4xf64>").replace("constant 8 ", "constant 4 ")
    context = make_context()
    module = parse_text(context, source, "exact.mlir")
    verify_module(module)
    for each in remaining_passes(module, "x64", "avx512" if is_wide() else ""):
        each.apply(context, module)
    return assembly_of(module, "x64")


class Machine:
    """A function @f of arrays, assembled from its text into this process."""

    def __init__(self, text: str) -> None:
        self._caller = Caller(text, "x86-64", by="this process")
        function = self._caller.library().function("f", [], None)
        self._address = ctypes.cast(function, ctypes.c_void_p).value

    def __call__(self, *arrays: np.ndarray) -> np.ndarray:
        """The results for words in a row; what fills the last vector up is 1."""
        count = len(arrays[0])
        padded = -count % LANES
        held = [np.concatenate([each, np.ones(padded)]) for each in arrays]
        result = np.empty(count + padded)
        words = [each.ctypes.data for each in (*held, result)]
        assert self._address is not None
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_long] * (len(words) + 1))(self._address)
        call(*words, count + padded)
        return result[:count]


def different(found: np.ndarray, wanted: np.ndarray) -> Sequence[int]:
    """Where words differ in their bits; all NaNs are one value."""
    nan = np.isnan(found) & np.isnan(wanted)
    bits = found.view(np.uint64) != wanted.view(np.uint64)
    return np.flatnonzero(bits & ~nan).tolist()
