"""The code of every example's programs is proved equal to them, on every instruction set."""

from __future__ import annotations

import pytest
from native.programs import ELEMENTS, EXAMPLES, INSTRUCTION_SETS, example

from alpha.backends.core.emitted import EmittedPrograms, proof_of
from alpha.ir.dialects.pointwise_programs import ProgramOp, UpdateOp

LARGE = "digits_perceptron"
"""An example whose code takes seconds: it is proved in one type."""


@pytest.mark.parametrize("dialect, features", INSTRUCTION_SETS)
@pytest.mark.parametrize(
    "name, element",
    [(name, each) for name in EXAMPLES for each in (ELEMENTS[:1] if name == LARGE else ELEMENTS)],
)
def test_the_code_of_an_example_is_proved(
    name: str, element: str, dialect: str, features: str
) -> None:
    module = example(name, element)
    emitted = EmittedPrograms(module, dialect, features)
    proofs = [proof_of(op, emitted) for op in module.walk() if isinstance(op, ProgramOp)]
    assert proofs
    assert all(proof.proved for proof in proofs), proofs


@pytest.mark.parametrize("dialect, features", INSTRUCTION_SETS)
def test_code_with_two_operands_exchanged_is_not_proved(dialect: str, features: str) -> None:
    """Every subtraction and division of the code of Adam, one after another, turned round."""
    module = example("diabetes_adam", "f64")
    emitted = EmittedPrograms(module, dialect, features)
    adam = next(op for op in module.walk() if isinstance(op, UpdateOp))
    assert proof_of(adam, emitted).proved
    turned = 0
    for placed in emitted.instructions("adam"):
        name = placed.instruction.row.name
        written, read = placed.written, placed.read
        if not name.startswith(("vsub", "vdiv", "fsub", "fdiv")) or len(read) != 2:
            continue
        if read[0] == read[1] or placed.instruction.extras:
            continue
        placed.registers = (*written, *read[::-1])
        # A rest that isn't run for so many coordinates may be turned round unnoticed.
        turned += not proof_of(adam, emitted).proved
        placed.registers = (*written, *read)
    assert turned >= 3
