"""What each owner keeps under each partitioning, and what a round costs it, for `alpha inspect`.

Entry: `print_owner_tables`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TypeVar

from alpha.ir.refusals import Refusal
from alpha.ir.sharding.costs import Cost, costs_of
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.distributing import Levels
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.learner_file import LearnerFile
from alpha.tools.protocol_tables import ROLES_MAX, print_protocol_tables
from alpha.tools.tables import ROLES_SHOWN_MAX, print_table

PARTITIONINGS = (
    (),
    ("optimizer",),
    ("parameters",),
    ("gradients",),
    ("optimizer", "parameters"),
    ("optimizer", "gradients"),
    ("parameters", "gradients"),
    ("optimizer", "parameters", "gradients"),
)
OMITTED = "..."

Item = TypeVar("Item")


def print_owner_tables(source: LearnerFile, arguments: argparse.Namespace) -> None:
    """Print the words that each owner keeps, and what a round of it costs.

    Without `--partition` every partitioning of a learner has a row, those that it admits; a
    distribution in the file is shown as it is written. A protocol is that of one partitioning: who
    asks for its generations, or what is copied to devices, and for no partitioning is shown that of
    none.

    Raises:
        Refusal: target-unsupported for generations of more roles than the tables have rows.
    """
    every, targets = arguments.checkpoint_every, arguments.targets
    if arguments.partition is not None or find_distribution(source.module) is not None:
        wanted = [arguments.partition]
    else:
        wanted = [*PARTITIONINGS] if every is None and targets is None else [()]
    rows: list[Sequence[object]] = []
    shown: Distribution | None = None
    module = source.module
    for modes in wanted:
        levels = Levels.of(source, argparse.Namespace(**{**vars(arguments), "partition": modes}))
        if shown is not None and modes and not levels.modes:
            break
        shown = list(levels.distributions().values())[-1]
        module = list(levels.modules.values())[-1]
        costs = _of_roles(costs_of(shown))
        name = ", ".join(modes or ()) or ("as written" if modes is None else "none")
        rows.append((name, *(cost.words_kept if cost else OMITTED for cost in costs)))
    assert shown is not None
    write_line(f"\n{counted(shown.owners, 'owner')}, {shown.topology}")
    roles = _of_roles(range(shown.owners))
    heading = ("partitioned", *(OMITTED if role is None else f"role {role}" for role in roles))
    print_table("words of state that each owner keeps", heading, rows)
    if targets is not None:
        from alpha.tools.device_tables import print_device_tables

        print_device_tables(shown, targets)
    if len(wanted) == 1:
        print_costs("each owner, and a round of it", costs_of(shown))
        if shown.owners <= ROLES_MAX:
            print_protocol_tables(source.context, module, every)
        elif every is not None:
            few = f"at most {ROLES_MAX} owners with --checkpoint-every"
            raise Refusal("target-unsupported", few, f"{shown.owners}")


def _of_roles(every: Sequence[Item]) -> list[Item | None]:
    """What all roles have, or the first ones and the last where there are many, and None between.

    What isn't shown isn't asked for.
    """
    if len(every) <= ROLES_SHOWN_MAX:
        return list(every)
    return [*every[: ROLES_SHOWN_MAX - 1], None, every[-1]]


def print_costs(title: str, costs: Sequence[Cost]) -> None:
    """Print what each role keeps, holds at most, and exchanges in a round."""
    heading = ("role", "words kept", "bytes kept", "bytes at most", "bytes sent", "bytes received")
    rows = [
        (cost.role, cost.words_kept, cost.persistent, cost.peak, cost.sent, cost.received)
        if cost
        else (OMITTED,) * len(heading)
        for cost in _of_roles(costs)
    ]
    print_table(title, heading, rows)
