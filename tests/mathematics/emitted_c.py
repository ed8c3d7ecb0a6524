"""A list of operations as a function in C, to run it on more words than numpy would in the time.

Invariant: written from what the operations mean in C alone; nothing of the evaluator is used. It is
    compiled without contraction, and with the processor's fused multiply-add.
Entry: `function_text`, `COMPILER_FLAGS`.
"""

from __future__ import annotations

import math

from alpha.ir.mathematics.steps import CONSTANT, OPERAND, OperationList, Step

COMPILER_FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno")

TYPES = {"f64": "double", "f32": "float", "i64": "uint64_t", "i1": "int"}

TEXTS = {
    "arith.addf": "{0} + {1}",
    "arith.subf": "{0} - {1}",
    "arith.mulf": "{0} * {1}",
    "arith.divf": "{0} / {1}",
    "arith.negf": "-{0}",
    "arith.cmpf.oeq": "{0} == {1}",
    "arith.cmpf.ogt": "{0} > {1}",
    "arith.cmpf.olt": "{0} < {1}",
    "arith.select": "{0} ? {1} : {2}",
    "arith.addi": "{0} + {1}",
    "arith.subi": "{0} - {1}",
    "arith.andi": "{0} & {1}",
    "arith.ori": "{0} | {1}",
    "arith.shli": "{0} << {1}",
    "arith.shrui": "{0} >> {1}",
    "arith.extf": "(double){0}",
    "arith.truncf": "(float){0}",
    "math.absf": "__builtin_fabs({0})",
    "math.copysign": "__builtin_copysign({0}, {1})",
    "math.fma": "__builtin_fma({0}, {1}, {2})",
}


def _constant(step: Step) -> str:
    if isinstance(step.value, int):
        return f"UINT64_C({step.value})"
    assert step.value is not None
    if math.isnan(step.value):
        return '__builtin_nan("")'
    if math.isinf(step.value):
        return "__builtin_inf()" if step.value > 0 else "-__builtin_inf()"
    return step.value.hex()


def _expression(step: Step) -> str:
    operands = [f"v{number}" for number in step.operands]
    if step.operation == OPERAND:
        return "x"
    if step.operation == CONSTANT:
        return _constant(step)
    if step.operation == "arith.bitcast":
        source = "double" if step.type == "i64" else "uint64_t"
        return f"((union {{ {source} a; {TYPES[step.type]} b; }}){{ {operands[0]} }}).b"
    return TEXTS[step.operation].format(*operands)


def function_text(listing: OperationList, name: str) -> str:
    """`static T name(T x)`; it needs stdint.h."""
    type = TYPES[listing.element]
    lines = [
        f"  {TYPES[step.type]} v{number} = {_expression(step)};"
        for number, step in enumerate(listing.steps)
    ]
    last = len(lines) - 1
    return "\n".join([f"static {type} {name}({type} x) {{", *lines, f"  return v{last};", "}"])
