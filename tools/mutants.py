"""`alpha verify --mutants`: makes every wrong program that applies, and says what refuses it.

Invariant: a mutant is looked at as a user's own distribution would be: by the verifier, by
    `--verify-shards`, and then by the comparison. One that is equal after all is reported as
    `equivalent` and isn't counted; one that is accepted and isn't equal can't be.
Entry: `print_mutants`, `what_refuses`.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.passes.protocol.mutants import KINDS as ROLE_KINDS
from alpha.passes.sharding.mutants import KINDS
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.role_mutants import EQUIVALENT, INAPPLICABLE, what_refuses_roles
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from alpha.tools.distributing import Levels
    from alpha.tools.learner_file import LearnerFile

ROLES = "roles"
"""The level of the programs of roles, which are those of the last distribution."""


def print_mutants(source: LearnerFile, levels: Levels, arguments: argparse.Namespace) -> None:
    """Print a row a mutant and level, and how many were refused."""
    rows: list[Sequence[object]] = []
    for kind in KINDS:
        for level, module in levels.modules.items():
            rows.append((kind, level, what_refuses(source, module, kind, arguments)))
    last = list(levels.modules.values())[-1]
    for kind in ROLE_KINDS:
        rows.append((kind, ROLES, what_refuses_roles(source, last, kind)))
    print_table("mutants", ("kind", "level", "refused by"), rows)
    equivalent = sum(row[2] == EQUIVALENT for row in rows)
    elsewhere = sum(row[2] == INAPPLICABLE for row in rows)
    refused = len(rows) - equivalent - elsewhere
    write_line(
        f"\n{counted(refused, 'mutant')} refused, {equivalent} equivalent, "
        f"{elsewhere} that don't apply"
    )


def what_refuses(
    source: LearnerFile,
    module: ModuleOp,
    kind: str,
    arguments: argparse.Namespace,
    without: Collection[str] = (),
) -> str:
    """The code that refuses a mutant of a distribution, or EQUIVALENT or INAPPLICABLE.

    `without` names codes of `--verify-shards` that are passed over.
    """
    mutant = module.clone()
    distribution = find_distribution(mutant)
    assert distribution is not None
    if not KINDS[kind](distribution):
        return INAPPLICABLE
    try:
        verify_module(mutant)
        distribution = find_distribution(mutant)
        assert distribution is not None
        verify_shards(distribution, without)
    except Refusal as refusal:
        return refusal.code
    return _what_differs(source, distribution, arguments)


def _what_differs(
    source: LearnerFile, distribution: Distribution, arguments: argparse.Namespace
) -> str:
    """Which comparison notices a distribution that no check refuses."""
    from alpha.interpreters.levels import compare_bits, compare_terms
    from alpha.interpreters.locality import LocalityError

    levels = {"mutant": distribution}
    try:
        terms = compare_terms(distribution.learner, source.words, levels, arguments.terms_nodes_max)
        if terms is not None:
            differs = any(field.difference for field in terms["mutant"])
            return "verify-terms-differ" if differs else EQUIVALENT
        bits = compare_bits(
            distribution.learner, source.words, levels, range(1, arguments.rounds + 1)
        )
        differs = any(field.difference for field in bits["mutant"])
        return "verify-bits-differ" if differs else EQUIVALENT
    except LocalityError:
        return "a word that its owner hasn't"
    except Refusal as refusal:
        return refusal.code
