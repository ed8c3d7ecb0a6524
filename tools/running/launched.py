"""`alpha run --interpret=role`: a process a role on this machine, over TCP on the loopback address.

Refuses: what the passes refuse; what a role refuses is told by the role, with exit status 3.
Entry: `run_launched`.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

from alpha.interpreters.role import find_roles
from alpha.ir.protocol.advances import advances_of
from alpha.ir.protocol.view import distribution_beside
from alpha.tools.distributing import say_remarks
from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, reason_of, write_line
from alpha.tools.exits import DONE
from alpha.tools.progress import bar
from alpha.tools.protocol_levels import role_module
from alpha.tools.running.outputs import finish, recorder
from alpha.tools.running.reporting import print_heading
from alpha.tools.running.roles import RoleRun, first_cause, status_of, told
from alpha.tools.waiting_flags import deadline_of, wait_of

if TYPE_CHECKING:
    from alpha.interpreters.learner import Observation
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.protocol_file import ProtocolFile


_TELLING = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGXCPU")
"""The signals that end a process that does nothing about them, and come from outside."""


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """A run that is told to end ends as by an interrupt: with its roles, and its files removed.

    A signal that whoever started the run has it ignore, as `nohup` does, stays ignored.
    """

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    kinds = [signal.Signals[name] for name in _TELLING]
    default = [kind for kind in kinds if signal.getsignal(kind) is signal.SIG_DFL]
    before = {kind: signal.signal(kind, interrupt) for kind in default}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


def run_launched(source: ProtocolFile, arguments: argparse.Namespace, situation: Situation) -> int:
    """Run every role of a file in a process of its own."""
    module = role_module(source, arguments)
    say_remarks(source, situation)
    roles = find_roles(module)
    first = next(iter(roles.values()))
    distribution = distribution_beside(first)
    what = counted(len(roles), "role")
    total = advances_of(first)
    with recorder(arguments) as record, bar(total, "rounds") as advance:
        if distribution is None:
            write_line(f"protocol {first.title.data}: {what}, a process each")
        else:
            assert source.words is not None
            owners = f"; {what}, {distribution.topology}, a process each"
            print_heading(distribution.learner, source.words, owners)

        def ended(version: int, observations: list[Observation]) -> None:
            record.add(version - 1, observations)
            advance()

        run = RoleRun(module, source.folder, wait_of(arguments), deadline_of(arguments), ended)
        try:
            with _ended_by_signals():
                ends = run.run()
        except OSError as error:
            raise InputOutputError(f"cannot start a role: {reason_of(error)}") from None
    cause = first_cause(ends)
    if cause is not None:
        for each in sorted(ends, key=lambda end: (end is not cause, end.order)):
            say(told(each, each is cause))
        return status_of(cause)
    if distribution is None:
        write_line(f"{what} finished")
    else:
        finish(distribution.learner, run.state, run.version, arguments, record)
    return DONE
