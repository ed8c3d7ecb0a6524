"""`alpha run --interpret=role`: a process a role on this machine, over TCP on the loopback address.

Invariant: every role gets a file with its own program and the learner, and nothing of the others.
Refuses: what the passes refuse; what a role refuses is told by the role, with exit status 3.
Entry: `run_launched`, `RoleFiles`, `states_of`.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.printer import print_module
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.generations import ends_stored, has_checkpoints
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.shapes import words_of
from alpha.tools.checkpoints.flags import resume_flags
from alpha.tools.checkpoints.resuming import Resumed
from alpha.tools.checkpoints.storing import Storing, storing
from alpha.tools.distributing import say_remarks
from alpha.tools.driver.counts import counted
from alpha.tools.protocol_levels import role_module
from alpha.tools.running.caretaker import cared_folder
from alpha.tools.running.interrupts import Interrupts
from alpha.tools.running.launching import Plan, cannot_start, launch
from alpha.tools.running.reporting import Subject, heading_of
from alpha.tools.running.states import State
from alpha.tools.waiting_flags import deadline_of, wait_of

if TYPE_CHECKING:
    from alpha.ir.sharding.distribution import Distribution
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.protocol_file import ProtocolFile


class RoleFiles:
    """Writes for each role a file with its program, and says by which command it is run."""

    def __init__(
        self,
        module: ModuleOp,
        data: Path,
        arguments: argparse.Namespace,
        store: Storing,
        addresses: Mapping[int, str] | None = None,
    ) -> None:
        """`module` has a program for every role; `data` is what data files are relative to.

        `addresses` are those of all roles, if they aren't all on the loopback address.
        """
        self._roles = find_roles(module)
        parts = [op for op in module.body.block.ops if not isinstance(op, RoleOp)]
        self._others = ModuleOp([part.clone() for part in parts])
        self._data = data.absolute()
        self._addresses: tuple[str, ...] = ()
        if addresses:
            members = next(iter(self._roles.values())).group.data.members
            self._addresses = ("--addresses", ",".join(addresses[role] for role in members))
        self._bounds = (wait_of(arguments), deadline_of(arguments))
        self._store = [*store.flags(), *resume_flags(arguments)]

    def command(self, role: int, folder: Path) -> Sequence[str]:
        """The command that interprets a role, whose program is then in a file of this folder.

        Raises:
            OSError: the file can't be written.
        """
        path = folder / f"role-{role}.mlir"
        module = self._others.clone()
        module.body.block.add_op(self._roles[role].clone())
        path.write_text(print_module(module), encoding="utf-8")
        wait, deadline = self._bounds
        # Without -P, files of the working directory would be imported in place of modules.
        main = (sys.executable, "-P", "-m", "alpha.tools.alpha", "role", str(path))
        data = ("--data", str(self._data))
        bounds = ("--wait", repr(wait), "--deadline", repr(deadline))
        return (*main, *data, *self._addresses, *bounds, *self._store)


def states_of(distribution: Distribution) -> list[State]:
    """The states of a learner, and what each role publishes of them."""
    found: list[State] = []
    for name, op in distribution.learner.states.items():
        map, size = distribution.map_of(name), words_of(op.type)
        roles, owners = range(distribution.owners), distribution.owners
        pieces = None if map is None else {role: map.piece(role, owners, size) for role in roles}
        found.append(State(name, op.type, pieces))
    return found


def run_launched(source: ProtocolFile, arguments: argparse.Namespace, situation: Situation) -> int:
    """Run every role of a file in a process of its own."""
    resumed = Resumed.of(arguments, source.learner, source.words)
    module = role_module(source, arguments, resumed)
    say_remarks(source, situation)
    roles = find_roles(module)
    first = next(iter(roles.values()))
    distribution = distribution_beside(first)
    if resumed is not None and distribution is not None:
        resumed.say_contracts(distribution.learner)
    what = counted(len(roles), "role")
    edges = {role: [edge.data for edge in op.edges.data] for role, op in roles.items()}
    # The signals last, so that also the folder is removed where one comes.
    with Interrupts() as interrupts, contextlib.ExitStack() as stack:
        history = None if resumed is None else resumed.history
        begin = begin_of(first)
        rounds = begin + advances_of(first)
        stores = has_checkpoints(first)
        store = stack.enter_context(storing(arguments, stores, history, rounds))
        files = RoleFiles(module, source.folder, arguments, store)
        with cannot_start():
            folder, caretaker = stack.enter_context(cared_folder())
            commands = {role: files.command(role, folder) for role in roles}
        given = {"store": store, "ends_stored": ends_stored(first), "first": begin}
        if distribution is None:
            heading = f"protocol {first.title.data}: {what}, a process each"
            plan = Plan(heading, commands, edges, rounds, None, **given)
        else:
            assert source.words is not None
            heading = heading_of(distribution.learner, source.words)
            heading += f"; {what}, {distribution.topology}, a process each"
            learner = distribution.learner
            subject, states = Subject.of(learner), states_of(distribution)
            labels = learner.labels()
            plan = Plan(heading, commands, edges, rounds, subject, states, labels, **given)
        return launch(plan, arguments, caretaker, interrupts)
