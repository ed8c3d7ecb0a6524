"""The modules of the runtime as assembly texts, for each machine.

Entry: `MACHINES`, `texts`, `assembly`, `INITIAL`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

FOLDER = Path(__file__).resolve().parents[2] / "runtime"
DIALECTS = {"x86-64": "x64", "aarch64": "a64"}
MACHINES = tuple(DIALECTS)

NEEDED: Mapping[tuple[str, str], str] = {
    ("sha256_instructions", "x86-64"): "sha",
    ("sha256_instructions", "aarch64"): "sha2",
}
"""The features without which a module can't be compiled for a machine."""

INITIAL = np.array(
    [
        *(0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A),
        *(0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19),
    ],
    np.uint32,
)
"""The first words of a state of SHA-256 (FIPS 180-4, 5.3.3)."""


def texts(machine: str, *names: str, features: str = "") -> Sequence[str]:
    """The assembly of modules of the runtime, one text each, with the features that it needs."""
    return [_text(machine, name, features or NEEDED.get((name, machine), "")) for name in names]


def assembly(source: str, machine: str, name: str, features: str = "") -> str:
    """The assembly of a module of code."""
    context = make_context()
    module = parse_text(context, source, name)
    verify_module(module)
    for each in remaining_passes(module, DIALECTS[machine], features):
        each.apply(context, module)
    return assembly_of(module, DIALECTS[machine])


@cache
def _text(machine: str, name: str, features: str) -> str:
    file = FOLDER / f"{name}.mlir"
    return assembly(file.read_text(encoding="utf-8"), machine, str(file), features)
