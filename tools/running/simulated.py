"""`alpha run --interpret=protocol`: all roles in this process, over a network with virtual time.

Refuses: network-fault-place, and what the passes, frames, agreements, choices and rounds refuse.
Entry: `run_simulated`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alpha.interpreters.network.outcomes import Finished, Refused
from alpha.interpreters.participants.deadlines import Deadline
from alpha.interpreters.participants.failures import Overdue
from alpha.interpreters.protocol import ProtocolInterpreter, RunEnded
from alpha.interpreters.words import Words
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.generations import has_checkpoints
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.tools.checkpoints.paths import check_start
from alpha.tools.checkpoints.resuming import Resumed
from alpha.tools.checkpoints.roles import stores_of
from alpha.tools.checkpoints.storing import Storing, storing
from alpha.tools.distributing import say_remarks
from alpha.tools.driver.boundary import say
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.exits import DONE, PEER_LOST, RoundRefused
from alpha.tools.fault_flags import Given
from alpha.tools.progress import progress
from alpha.tools.protocol_flags import UNBOUNDED
from alpha.tools.protocol_levels import protocol_module
from alpha.tools.running.faults import check_faults, refuse_unmade, unmade_faults
from alpha.tools.running.outputs import finish, recorder
from alpha.tools.running.reporting import Subject, print_heading
from alpha.tools.waiting_flags import deadline_of

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation
    from alpha.tools.protocol_file import ProtocolFile


def run_simulated(source: ProtocolFile, arguments: argparse.Namespace, situation: Situation) -> int:
    """Run the protocol of a file to its end."""
    resumed = Resumed.of(arguments, source.learner, source.words)
    protocol = find_protocol(protocol_module(source, arguments, resumed))
    assert protocol is not None
    check_start(protocol.op, resumed)
    say_remarks(source, situation)
    if resumed is not None and protocol.distribution is not None:
        resumed.say_contracts(protocol.distribution.learner)
    seed = 0 if arguments.seed is None else arguments.seed
    buffer = None if arguments.buffer in (None, UNBOUNDED) else arguments.buffer
    faults: Sequence[Given] = arguments.fault or ()
    check_faults(protocol, faults)
    history = None if resumed is None else resumed.history
    end = begin_of(protocol.op) + advances_of(protocol.op)
    with storing(arguments, has_checkpoints(protocol.op), history, end) as store:
        interpreter = ProtocolInterpreter(
            protocol,
            source.words,
            Words(),
            seed=seed,
            buffer=buffer,
            faults=[each.fault for each in faults],
            stores=stores_of(protocol, source.words, store),
            states=None if resumed is None else resumed.states(),
        )
        session = Deadline.after(deadline_of(arguments))
        for walk in interpreter.walks.values():
            walk.pulse = session.check
        try:
            return _run(protocol, interpreter, source, arguments, store)
        except Overdue as over:
            say(f"alpha: overdue: {over}\n")
            return PEER_LOST


def _run(
    protocol: Protocol,
    interpreter: ProtocolInterpreter,
    source: ProtocolFile,
    arguments: argparse.Namespace,
    store: Storing,
) -> int:
    if protocol.distribution is None:
        return _run_alone(protocol, interpreter, arguments)
    learner = protocol.distribution.learner
    roles = counted(protocol.group.size, "role")
    topology = protocol.distribution.topology
    assert source.words is not None
    first = begin_of(protocol.op)
    total, told = first + advances_of(protocol.op), 0
    with recorder(arguments) as record:
        print_heading(learner, source.words, f"; {roles}, {topology}, over a simulated network")
        for _ in progress(range(first, total), total, "rounds"):
            version = interpreter.version
            try:
                observations = interpreter.step()
            except RunEnded:
                break
            record.add(version, observations)
            told = _tell(interpreter, store, told)
    status = _end(interpreter, arguments)
    _tell(interpreter, store, told)
    if status == DONE:
        finish(Subject.of(learner), interpreter.state, interpreter.version, arguments, record)
    return status


def _tell(interpreter: ProtocolInterpreter, store: Storing, told: int) -> int:
    """Tell of the generations that are published, behind the first `told`; how many there are."""
    published = interpreter.network.stored
    for version in published[told:]:
        store.published(version)
    return len(published)


def _run_alone(
    protocol: Protocol, interpreter: ProtocolInterpreter, arguments: argparse.Namespace
) -> int:
    """Run a protocol that has no learner; it ends in no state."""
    title, roles = protocol.op.title.data, counted(protocol.group.size, "role")
    write_line(f"protocol {title}: {roles}, over a simulated network")
    status = _end(interpreter, arguments)
    if status == DONE:
        write_line(f"{roles} finished")
    return status


def _end(interpreter: ProtocolInterpreter, arguments: argparse.Namespace) -> int:
    """Run to the end; says how each role ended, if one didn't end well.

    Raises:
        RoundRefused: a role refused; it is the first one that did.
        Refusal: all ended well, without a fault that was asked for.
    """
    network = interpreter.network
    network.run()
    failure = network.first_failure
    unmade = unmade_faults(network, arguments.fault or ())
    if failure is None:
        refuse_unmade(interpreter.protocol, unmade)
        return DONE
    for role, outcome in network.outcomes.items():
        if not isinstance(outcome, Finished):
            say(f"alpha: role {role}: {outcome}\n")
    if network.deadlock is not None:
        say(f"alpha: {network.deadlock}\n")
    for each in unmade:
        say(f"alpha: {each}\n")
    if isinstance(failure[1], Refused):
        raise RoundRefused(failure[1].refusal)
    return PEER_LOST
