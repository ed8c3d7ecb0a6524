"""What `alpha verify --targets` says: whether the code of a learner's programs computes them.

Refuses: verify-terms-differ, verify-bits-differ, target-unsupported.
Entry: `add_targets_flag`, `print_code_proofs`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alpha.backends.toolchain.machines import GPU
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.refusals import Refusal, place_of
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.tools.learner_file import LearnerFile

TARGETS = {"x86-64": ("x64", ("", "avx512")), "aarch64": ("a64", ("",))}
"""The dialect of each machine, and the sets of features that its code is proved for."""


def _targets(text: str) -> list[str]:
    """A list of targets, for argparse."""
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in TARGETS and name != GPU:
            known = ", ".join((*TARGETS, GPU))
            raise argparse.ArgumentTypeError(f"expected some of {known}, got {name!r}")
    return names


def add_targets_flag(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument(
        "--targets",
        type=_targets,
        default=[],
        metavar="TARGET,...",
        help="also prove that the instructions of each program, for x86-64 or aarch64, compute it; "
        "of kernels for sm86, compare words",
    )


def print_code_proofs(source: LearnerFile, targets: Sequence[str]) -> bool:
    """Prove every program on every target and print a table; whether all were proved or equal.

    Raises:
        Refusal: `verify-terms-differ` where code computes something else, behind the table,
            `verify-bits-differ` where kernels do.
    """
    from alpha.backends.core.emitted import EmittedPrograms, proof_of

    programs = [op for op in source.learner.op.walk() if isinstance(op, ProgramOp)]
    rows: list[tuple[str, str, str]] = []
    differing: tuple[ProgramOp, str] | None = None
    for target in targets:
        if target == GPU:
            rows += _kernel_rows(source, programs)
            continue
        dialect, feature_sets = TARGETS[target]
        for features in feature_sets:
            name = f"{target} with {features}" if features else target
            emitted = EmittedPrograms(source.module, dialect, features)
            for program in programs:
                proof = proof_of(program, emitted)
                rows.append((f"@{proof.program}", name, proof.outcome))
                if proof.outcome.startswith("differs") and differing is None:
                    differing = program, f"{proof.outcome} of the code for {name}"
    print_table("code", ("program", "target", "outcome"), rows)
    if differing is not None:
        program, found = differing
        wanted = f"the words of @{program.sym_name.data}"
        raise Refusal("verify-terms-differ", wanted, found, place_of(program))
    _check_kernels(programs, rows)
    return all(outcome in ("proved", "equal") for _, _, outcome in rows)


def _kernel_rows(source: LearnerFile, programs: Sequence[ProgramOp]) -> list[tuple[str, str, str]]:
    """What interpreted kernels make of drawn words, program by program."""
    from alpha.backends.ptx.equality import emitted_kernels, equality_of

    emitted = emitted_kernels(source.module)
    return [(f"@{p.sym_name.data}", GPU, equality_of(p, emitted)) for p in programs]


def _check_kernels(programs: Sequence[ProgramOp], rows: Sequence[tuple[str, str, str]]) -> None:
    """Refuse a program whose kernels gave other words."""
    for name, target, outcome in rows:
        if target == GPU and outcome != "equal":
            program = next(each for each in programs if f"@{each.sym_name.data}" == name)
            found = f"{outcome} of the kernels for {GPU}"
            raise Refusal("verify-bits-differ", f"the words of {name}", found, place_of(program))
