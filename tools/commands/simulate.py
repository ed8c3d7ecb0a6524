"""`alpha simulate`: a model of a protocol among very many roles; nothing is run on their devices.

Refuses: what the passes and the checks refuse, fleet-capability-missing,
    fleet-capability-duplicate, fleet-device-duplicate, fleet-control-work, target-unsupported,
    select-budget.
"""

from __future__ import annotations

import argparse
from functools import lru_cache
from typing import TYPE_CHECKING

from alpha.tools.commands.run import rounds
from alpha.tools.distribution_flags import add_distribution_flags
from alpha.tools.exits import DONE, STATUSES
from alpha.tools.number_flags import SIZE_MAX, ranged
from alpha.tools.progress import progress
from alpha.tools.protocol_flags import add_protocol_flags
from alpha.tools.simulating.flags import add_fleet_flags, mix_of, rates_of, speeds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from alpha.interpreters.fleets.watching import Item
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.ir.protocol.view import Protocol
    from alpha.tools.driver.boundary import Situation

SUMMARY = "model what a run would cost among very many roles, without running it"

__all__ = ["STATUSES", "SUMMARY", "add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "file", metavar="FILE", help="a learner, or a protocol; - for standard input"
    )
    parser.add_argument(
        "--roles",
        dest="owners",
        type=ranged(0, SIZE_MAX),
        metavar="N",
        help="among how many roles (default: as declared); the same as --owners",
    )
    parser.add_argument(
        "--fan-out",
        type=ranged(0, SIZE_MAX),
        metavar="F",
        help="along a tree of this fan-out; the same as --topology 'tree<F>' (default with "
        "--roles: 64)",
    )
    add_distribution_flags(parser)
    parser.add_argument("--rounds", type=rounds, metavar="R", help="how many rounds (default: 1)")
    add_protocol_flags(parser)
    add_fleet_flags(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the command."""
    from alpha.interpreters.fleets.labels import tree_of
    from alpha.interpreters.fleets.model import model_fleet
    from alpha.interpreters.fleets.subtrees import check_children
    from alpha.tools.distributing import say_remarks
    from alpha.tools.simulating.document import print_document
    from alpha.tools.simulating.source import modelled_protocol, read_without_data
    from alpha.tools.simulating.text import print_fleet

    mix, rates, speeds = mix_of(arguments), rates_of(arguments), speeds_of(arguments)
    source = read_without_data(arguments.file, situation)
    protocol = modelled_protocol(source, arguments, mix.control)
    say_remarks(source, situation)
    tree = tree_of(protocol)
    if tree is not None:
        check_children(tree)
    project = _projecting(protocol)
    _check_schedules(protocol, project)
    fleet = model_fleet(protocol, project, mix, rates, speeds, _watch)
    if arguments.json:
        print_document(fleet, rates, speeds)
    else:
        print_fleet(fleet, rates, speeds)
    return DONE


def _projecting(protocol: Protocol) -> Callable[[int], RoleOp]:
    """Projects the protocol to a role; the programs of some roles are needed twice."""
    from alpha.passes.protocol.projection import project

    @lru_cache(maxsize=1 << 10)
    def of(role: int) -> RoleOp:
        return project(protocol, role)

    return of


def _check_schedules(protocol: Protocol, project: Callable[[int], RoleOp]) -> None:
    """See that the programs of roles of every class fit together, as `--project-role` does.

    Raises:
        Refusal: what `--check-schedules` refuses.
    """
    from alpha.passes.protocol.representatives import representatives
    from alpha.passes.protocol.schedules import check_programs

    programs = {role: project(role) for role in representatives(protocol)}
    check_programs(programs, partial=len(programs) < protocol.group.size)


def _watch(items: Sequence[Item], what: str) -> Iterable[Item]:
    return progress(items, len(items), what)
