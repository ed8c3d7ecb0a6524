"""The `linalg` dialect as far as programs may be written in it, in MLIR's own spelling.

Its operations stand in four more files: `linalg_structured` (what all share, and yield),
`linalg_generic`, `linalg_named` (a table) and `linalg_shaped` (transpose, broadcast, reduce).

Invariant: no operation of it is ever computed here; a program that holds one is to be converted.
Why: this takes the place of xDSL's `linalg`, which has no `matvec`, `vecmat` or `dot`, loses the
    maps of a matmul when it prints, and can't read a generic operation of several results.
Refuses: pointwise-type, pointwise-domain, source-syntax.
Entry: `LINALG`.
"""

from __future__ import annotations

from xdsl.ir import Dialect

from alpha.ir.attributes.linalg import IteratorTypeAttr
from alpha.ir.dialects.linalg_generic import GenericOp, IndexOp
from alpha.ir.dialects.linalg_named import NAMED
from alpha.ir.dialects.linalg_shaped import BroadcastOp, ReduceOp, TransposeOp
from alpha.ir.dialects.linalg_structured import YieldOp

LINALG = Dialect(
    "linalg",
    [GenericOp, YieldOp, IndexOp, *NAMED, TransposeOp, BroadcastOp, ReduceOp],
    [IteratorTypeAttr],
)
