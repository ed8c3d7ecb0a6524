"""What `alpha verify --targets` says: whether the code of a learner's programs computes them.

Refuses: verify-terms-differ, target-unsupported.
Entry: `add_targets_flag`, `print_code_proofs`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.refusals import Refusal, place_of
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.tools.learner_file import LearnerFile

TARGETS = {"x86-64": ("x64", ("", "avx512")), "aarch64": ("a64", ("",))}
"""The dialect of each target, and the sets of features that its code is proved for."""

PLANNED = ("sm86",)


def _targets(text: str) -> list[str]:
    """A list of targets, for argparse; one that is planned is refused when it is used."""
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in TARGETS and name not in PLANNED:
            known = ", ".join((*TARGETS, *PLANNED))
            raise argparse.ArgumentTypeError(f"expected some of {known}, got {name!r}")
    return names


def add_targets_flag(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument(
        "--targets",
        type=_targets,
        default=[],
        metavar="TARGET,...",
        help="also prove that the instructions of each program, for x86-64 or aarch64, compute it",
    )


def print_code_proofs(source: LearnerFile, targets: Sequence[str]) -> bool:
    """Prove every program on every target and print a table; whether all were proved.

    Raises:
        Refusal: `verify-terms-differ` where code computes something else, behind the table;
            `target-unsupported` for a target that isn't built.
    """
    from alpha.backends.core.emitted import EmittedPrograms, proof_of

    programs = [op for op in source.learner.op.walk() if isinstance(op, ProgramOp)]
    rows: list[tuple[str, str, str]] = []
    differing: tuple[ProgramOp, str] | None = None
    for target in targets:
        if target not in TARGETS:
            wanted = f"one of the targets {', '.join(TARGETS)}"
            raise Refusal("target-unsupported", wanted, f"{target}, which is planned")
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
    return all(outcome == "proved" for _, _, outcome in rows)
