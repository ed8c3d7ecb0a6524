"""The scalar operations that programs are written in: IEEE 754 operations, and four functions.

Invariant: an operation is in `OPERATIONS` only if every target computes the same bits for it. What
    exp, log, tanh and sigmoid are, `alpha.ir.mathematics` says.
Refuses: pointwise-type (another operation, a fast-math flag, a value that isn't a scalar),
    target-unsupported (sin and its kin, until they are built).
"""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from alpha.ir.mathematics.lists import FUNCTIONS
from alpha.ir.refusals import Refusal, name_of
from alpha.ir.shapes import is_float

CONSTANT = "arith.constant"
COMPARE = "arith.cmpf"
SELECT = "arith.select"

OPERATIONS = frozenset(
    {
        CONSTANT,
        "arith.addf",
        "arith.subf",
        "arith.mulf",
        "arith.divf",
        "arith.negf",
        COMPARE,
        SELECT,
        "math.sqrt",
        "math.absf",
        "math.copysign",
        "math.fma",
        "pointwise.min",
        "pointwise.max",
        *FUNCTIONS,
    }
)

MEANINGS = {
    "false": "never",
    "oeq": "a = b, and neither is NaN",
    "ogt": "a > b, and neither is NaN",
    "oge": "a >= b, and neither is NaN",
    "olt": "a < b, and neither is NaN",
    "ole": "a <= b, and neither is NaN",
    "one": "a < b or a > b, and neither is NaN",
    "ord": "neither is NaN",
    "ueq": "a = b, or one of them is NaN",
    "ugt": "a > b, or one of them is NaN",
    "uge": "a >= b, or one of them is NaN",
    "ult": "a < b, or one of them is NaN",
    "ule": "a <= b, or one of them is NaN",
    "une": "a < b or a > b, or one of them is NaN",
    "uno": "one of them is NaN",
    "true": "always",
}
"""When each predicate of `arith.cmpf` holds, in the order of MLIR's numbers for them."""

PREDICATES = tuple(MEANINGS)

_TRANSCENDENTAL = frozenset(
    f"math.{name}"
    for name in [
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp2",
        "expm1",
        "log10",
        "log1p",
        "log2",
        "powf",
        "rsqrt",
        "sin",
        "sincos",
        "sinh",
        "tan",
    ]
)

_INSTEAD = {
    "arith.minimumf": "pointwise.min (a < b ? a : b)",
    "arith.minnumf": "pointwise.min (a < b ? a : b)",
    "arith.maximumf": "pointwise.max (a > b ? a : b)",
    "arith.maxnumf": "pointwise.max (a > b ? a : b)",
}


def _is_truth(type: Attribute) -> bool:
    return isinstance(type, IntegerType) and type.width.data == 1


def check_scalar(op: Operation) -> None:
    """Refuse an operation that a pointwise program can't contain.

    Raises:
        Refusal: `pointwise-type` or `target-unsupported`, at the operation.
    """
    if op.name in _TRANSCENDENTAL:
        known = ", ".join(sorted(name for name in OPERATIONS if name.startswith("math.")))
        raise Refusal("target-unsupported", f"one of {known}", f"{op.name}, not built yet", op)
    if op.name not in OPERATIONS:
        wanted = _INSTEAD.get(op.name, "a scalar operation of exact meaning")
        raise Refusal("pointwise-type", wanted, name_of(op), op)
    fastmath = op.properties.get("fastmath")
    if fastmath is not None and tuple(getattr(fastmath, "data", ())):
        flags = ",".join(sorted(flag.value for flag in fastmath.data))  # pyright: ignore
        raise Refusal("pointwise-type", "no fast-math flag", f"{op.name} with {flags}", op)
    for value in (*op.operands, *op.results):
        if not is_float(value.type) and not _is_truth(value.type):
            wanted = f"f32, f64 or i1 scalars in {op.name}"
            raise Refusal("pointwise-type", wanted, str(value.type), op)
    if op.name == CONSTANT and not isinstance(op.properties.get("value"), FloatAttr):
        raise Refusal("pointwise-type", "an f32 or f64 constant", str(op.results[0].type), op)
    if op.name == SELECT and not is_float(op.results[0].type):
        raise Refusal("pointwise-type", "f32 or f64 from arith.select", "i1", op)


def predicate_of(op: Operation) -> str:
    """The predicate of an `arith.cmpf`, such as `olt`."""
    predicate = op.properties["predicate"]
    assert isinstance(predicate, IntegerAttr)
    return PREDICATES[predicate.value.data]
