"""What each owner keeps under each partitioning, and what a round costs it, for `alpha inspect`.

Entry: `print_owner_tables`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from alpha.ir.sharding.costs import Cost, costs_of
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.distributing import Levels
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.learner_file import LearnerFile
from alpha.tools.tables import print_table

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
ROLES_SHOWN_MAX = 8


def print_owner_tables(source: LearnerFile, arguments: argparse.Namespace) -> None:
    """Print the words that each owner keeps, and what a round of it costs.

    Without `--partition` every partitioning of a learner has a row, those that it admits; a
    distribution in the file is shown as it is written.
    """
    if arguments.partition is not None or find_distribution(source.module) is not None:
        wanted = [arguments.partition]
    else:
        wanted = [*PARTITIONINGS]
    rows: list[Sequence[object]] = []
    shown: Distribution | None = None
    for modes in wanted:
        levels = Levels.of(source, argparse.Namespace(**{**vars(arguments), "partition": modes}))
        if shown is not None and modes and not levels.modes:
            break
        shown = list(levels.distributions().values())[-1]
        costs = costs_of(shown)
        name = ", ".join(modes or ()) or ("as written" if modes is None else "none")
        rows.append((name, *_of_roles([cost.words_kept for cost in costs])))
    assert shown is not None
    write_line(f"\n{counted(shown.owners, 'owner')}, {shown.topology}")
    roles = _of_roles([f"role {role}" for role in range(shown.owners)])
    heading = ("partitioned", *map(str, roles))
    print_table("words of state that each owner keeps", heading, rows)
    if len(wanted) == 1:
        print_costs("each owner, and a round of it", costs_of(shown))


def _of_roles(cells: Sequence[Any], omitted: object = "...") -> list[Any]:
    """The cells or rows of all roles, or of the first ones and the last where there are many."""
    if len(cells) <= ROLES_SHOWN_MAX:
        return list(cells)
    return [*cells[: ROLES_SHOWN_MAX - 1], omitted, cells[-1]]


def print_costs(title: str, costs: Sequence[Cost]) -> None:
    """Print what each role keeps, holds at most, and exchanges in a round."""
    rows = [
        (cost.role, cost.words_kept, cost.persistent, cost.peak, cost.sent, cost.received)
        for cost in costs
    ]
    heading = ("role", "words kept", "bytes kept", "bytes at most", "bytes sent", "bytes received")
    print_table(title, heading, _of_roles(rows, ("...",) * len(heading)))
