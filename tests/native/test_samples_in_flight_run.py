"""Rows in registers, stages at once, backward loops: what rows mean, processors, and proofs."""

from __future__ import annotations

import pytest
from code_level.running import parsed, programs_of
from code_level.test_loops import dot_product
from code_level.test_samples_in_flight import of_many_kinds
from native.executions import compare
from native.programs import INSTRUCTION_SETS
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.core.emitted import EmittedPrograms, proof_of

COUNTS = (0, 1, 2, 5)
STEPS_MAX = 10_000


def _agree(name: str, module: ModuleOp) -> None:
    found = compare(name, module, COUNTS, STEPS_MAX)
    assert not found.wrong, found.wrong
    assert min(found.runs.values()) >= 1


@pytest.mark.parametrize("element", ["f64", "f32"])
@pytest.mark.parametrize("length", [7, 24])
def test_rows_in_registers(length: int, element: str) -> None:
    _agree("dot", parsed(str(dot_product(length)).replace("f64", element)))
    _agree("rows", of_many_kinds(length, element, 8))


@pytest.mark.parametrize("length", [100, 130, 1100])
def test_longer_rows(length: int) -> None:
    _agree("longer", dot_product(length))


@pytest.mark.parametrize("dialect, features", INSTRUCTION_SETS)
def test_proofs(dialect: str, features: str) -> None:
    for module in (dot_product(24), dot_product(130), of_many_kinds(9, "f64", 8)):
        emitted = EmittedPrograms(module, dialect, features)
        proofs = [proof_of(op, emitted) for op in programs_of(module)]
        assert proofs and all(proof.proved for proof in proofs), proofs
