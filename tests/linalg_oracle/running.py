"""Converts texts with `linalg` by the pass, and runs what comes out of it.

Entry: `convert`, `run_update`, `update_learner`, `words`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.programs import Program, Value
from alpha.interpreters.words import Words
from alpha.ir.dialects.pointwise_programs import UpdateOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.unconverted import require_converted
from alpha.passes.convert_linalg_to_pointwise import ConvertLinalgToPointwisePass

DTYPES = {"f64": np.float64, "f32": np.float32}

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.1, -3.0, 7.0e18, -1.5e-20, 1.0e38, -1.0e38, 1.2e-40, -1.0e-45)
"""Both zeros, signs, magnitudes of 38 decades, and subnormal words of binary32."""

INFINITE = (*SPECIAL, np.inf, -np.inf, np.nan)


def words(
    random: np.random.Generator, element: str, shape: Sequence[int], finite: bool = True
) -> NDArray:
    """Random words, a third of them special ones."""
    plain = random.standard_normal(tuple(shape)) * 10.0 ** random.integers(-6, 7, tuple(shape))
    special = random.choice(np.array(SPECIAL if finite else INFINITE), tuple(shape))
    picked = np.where(random.random(tuple(shape)) < 1 / 3, special, plain)
    with np.errstate(all="ignore"):
        return np.asarray(picked, DTYPES[element])


def convert(text: str) -> ModuleOp:
    """The module of a text, with its programs converted and everything verified."""
    context = make_context()
    module = parse_text(context, text, "in.mlir")
    verify_module(module)
    ConvertLinalgToPointwisePass().apply(context, module)
    verify_module(module)
    require_converted(module)
    return module


def run_update(module: ModuleOp, arguments: Sequence[NDArray]) -> list[NDArray]:
    """The results of the module's only update."""
    (update,) = [op for op in module.walk() if isinstance(op, UpdateOp)]
    with np.errstate(all="ignore"):
        results = Program(update, Words()).run([Value(each, False) for each in arguments])
    return [np.asarray(result.words) for result in results]


def type_of(shape: Sequence[int], element: str) -> str:
    """The type of a tensor as a text, also without axes."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def update_learner(
    body: str,
    inputs: Sequence[tuple[str, Sequence[int]]],
    shape: Sequence[int],
    element: str,
    kind: str = "state",
) -> str:
    """A learner whose state @r becomes what the body of an update calls %r.

    The inputs are from files of their names; those without a shape are scalars. They are states, so
    that their words are symbols where terms are compared, or constants, which may be infinite.
    """
    types = [type_of(dims, element) if dims else element for _, dims in inputs]
    result = type_of(shape, element) if shape else element
    fields = "\n".join(
        f'  region.{kind} @{name} : {type} from "{name}.npy"'
        for (name, _), type in zip(inputs, types, strict=True)
    )
    names = [name for name, _ in inputs]
    values = ", ".join(f"%{name}" for name in names)
    signature = ", ".join(f"%{name} : {type}" for name, type in zip(names, types, strict=True))
    return f"""
region.learner @from_linalg {{
  region.state @r : {result} = {"dense<0.0>" if shape else "0.0"}
{fields}
  pointwise.update @compute({signature}) -> ({result}) {{
{body}
    pointwise.return %r
  }}
  region.round {{
    {values} = region.read {", ".join(f"@{name}" for name in names)} : {", ".join(types)}
    %r = pointwise.apply @compute({values}) : {result}
    region.advance @r = %r
  }}
}}
"""
