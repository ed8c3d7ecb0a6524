"""A run of processes, one a role, whatever each of them is: started, watched, and told of.

Invariant: roles are started in their order, and each is told where its lower peers listen. Nothing
    of them is left when the run has ended, however it ends.
Refuses: protocol-publish-missing, protocol-publish-version; what a role refuses is told by the
    role, with exit status 3.
Entry: `launch`, `Plan`, `cannot_start`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alpha.interpreters.participants.reports import PROGRESS, STATE, STORED, Record
from alpha.tools.checkpoints.storing import NOWHERE, Storing
from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import InputOutputError, reason_of, write_line
from alpha.tools.exits import DONE
from alpha.tools.running.caretaker import Caretaker
from alpha.tools.running.collecting import Observations
from alpha.tools.running.interrupts import Interrupts
from alpha.tools.running.live import live
from alpha.tools.running.outputs import finish, recorder
from alpha.tools.running.processes import Ended, Launched
from alpha.tools.running.reporting import Subject
from alpha.tools.running.roles import first_cause, status_of, told
from alpha.tools.running.rounds import RoundCollector, Rounds
from alpha.tools.running.states import PublishedStates, State
from alpha.tools.waiting_flags import deadline_of, wait_of

if TYPE_CHECKING:
    from alpha.tools.running.live import Shown
    from alpha.tools.running.reporting import Recorder

SLACK_SECONDS = 30.0
"""What a launcher waits beyond the deadline that the roles keep themselves."""

SLACK_SECONDS_AFTER_FAILURE = 5.0
"""The same beyond the longest wait of a role, once another has failed."""


@dataclass(frozen=True)
class Plan:
    """What is started, and what it will tell."""

    heading: str
    commands: Mapping[int, Sequence[str]]
    edges: Mapping[int, Sequence[int]]
    """The peers of each role, ascending."""
    rounds: int
    """The version at the end, or the most that there can be."""
    subject: Subject | None
    """None for a protocol without a learner, which ends in no state."""
    states: Sequence[State] = ()
    labels: Sequence[str] = ()
    """Of the observations, in the order in which roles number them."""
    port: Callable[[int, int, int], int] = lambda role, peer, port: port
    """Where a role reaches a lower peer that has announced a port."""
    explain: Callable[[Ended], Ended] = lambda ended: ended
    """How a role has ended whose process is another than its own."""
    store: Storing = NOWHERE
    """What is done with generations."""
    ends_stored: bool = False
    """Whether what is published at the end is in a generation then."""
    first: int = 0
    """The version that the run begins at."""


@contextlib.contextmanager
def cannot_start() -> Iterator[None]:
    """Say that a role couldn't be started where the system refuses something within.

    Raises InputOutputError in place of OSError.
    """
    try:
        yield
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        raise InputOutputError(f"cannot start a role: {name}{reason_of(error)}") from None


def launch(
    plan: Plan, arguments: argparse.Namespace, caretaker: Caretaker, interrupts: Interrupts
) -> int:
    """Run every role to its end, and say how the run has ended; the exit status.

    Raises InputOutputError or OutputClosed.
    """
    published = PublishedStates(plan.states)
    # What is in a generation is read from there, a part at a time, if nobody wants all at once.
    wordless = plan.ends_stored and plan.store.path is not None and not arguments.save
    with recorder(arguments) as record:
        with live(plan.rounds, plan.labels) as shown:
            write_line(plan.heading)
            with cannot_start():
                given = (plan, arguments, published, wordless, record, shown)
                found = _run(*given, caretaker, interrupts)
        ends = [plan.explain(each) for each in found]
        cause = first_cause(ends)
        if cause is not None:
            for each in sorted(ends, key=lambda end: (end is not cause, end.order)):
                say(told(each, each is cause))
            return status_of(cause)
        if plan.subject is None:
            write_line(f"{counted(len(plan.commands), 'role')} finished")
        else:
            _finish(plan, published, wordless, arguments, record)
    return DONE


def _finish(
    plan: Plan,
    published: PublishedStates,
    wordless: bool,
    arguments: argparse.Namespace,
    record: Recorder,
) -> None:
    """Say what a run of a learner has come to."""
    assert plan.subject is not None
    if not wordless:
        finish(plan.subject, published.whole(), published.version, arguments, record)
        return
    record.end()
    digest = plan.store.state_digest(plan.subject.types, published.version)
    write_line(f"state sha256:{digest}")


def _run(
    plan: Plan,
    arguments: argparse.Namespace,
    published: PublishedStates,
    wordless: bool,
    record: Recorder,
    shown: Shown,
    caretaker: Caretaker,
    interrupts: Interrupts,
) -> list[Ended]:
    def ended(rounds: Rounds) -> None:
        record.add_rounds(rounds)
        shown.add_rounds(rounds)

    collector = RoundCollector(plan.labels, ended, plan.first)

    def report(role: int, record: Record) -> None:
        if record.kind == STATE:
            published.take(role, record)
        elif record.kind == PROGRESS and role == 0:
            collector.advance(record.version)
        elif record.kind == STORED and role == 0:
            plan.store.published(record.version)

    def observe(role: int, observations: Observations) -> None:
        if plan.labels:
            collector.observe(observations)

    wait, deadline = wait_of(arguments), deadline_of(arguments)
    given = (plan.commands, plan.edges, report, observe, caretaker, interrupts.held, plan.port)
    with Launched(*given, wordless) as launched:
        return launched.run(deadline + SLACK_SECONDS, wait + SLACK_SECONDS_AFTER_FAILURE)
