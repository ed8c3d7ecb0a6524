"""Code that asks for no features has none but x86-64-v3's: GNU's assembler is told of no others.

The text of AArch64 says itself that it is of Armv8-A, which its assembler then holds it to.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from machine.mutated_texts import ran, toolchain
from native.programs import EXAMPLES, FOLDER
from routines.library import NEEDED

from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.failures import TextRejected
from alpha.tools.mains import alpha_translate

NO_MORE = "-march=znver1"
"""The features of a processor that has those of x86-64-v3 and not AVX-512."""

RUNTIME = tuple(
    file
    for file in (FOLDER.parent / "runtime").glob("*.mlir")
    if (file.stem, "x86-64") not in NEEDED
)
"""The modules of the runtime that ask for no features."""

FILES = tuple(sorted([*(FOLDER / f"{name}.mlir" for name in EXAMPLES), *RUNTIME]))


def _assembled(file: Path, *features: str) -> bytes:
    made = ran(alpha_translate.main, "--emit-x86", *features, str(file))
    assert made.status == 0, made.said
    tools = toolchain("x64")
    return assemble(made.out, replace(tools, assembler=(*tools.assembler, NO_MORE)))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_instruction_is_of_another_processor(file: Path) -> None:
    assert _assembled(file)


def test_the_assembler_knows_no_others() -> None:
    with pytest.raises(TextRejected):
        _assembled(FOLDER / "diabetes_adam.mlir", "--features=avx512")
