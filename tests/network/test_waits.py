"""Who waits in a simulated network: for whom, how long, and what a deadlock says."""

from __future__ import annotations

from math import inf

import pytest
from network.participants import (
    kinds_of,
)
from network.scripts import header, network, network_kinds, receive, send

from alpha.interpreters.network.faults import Silence
from alpha.interpreters.network.latencies import link
from alpha.interpreters.network.outcomes import Finished, Lost


@pytest.mark.parametrize("buffer", [0, 1])
def test_a_deadlock_is_reported_at_once_with_its_cycle(buffer: int) -> None:
    """Role 0 waits for the cycle, and isn't in it."""
    net = network([receive(3, 0)], [receive(2, 1)], [receive(3, 2)], [receive(1, 3)], buffer=buffer)
    net.run()
    deadlock = net.deadlock
    assert deadlock is not None and deadlock.time == 0.0
    waits = [(wait.role, wait.peer, wait.action, wait.header) for wait in deadlock.waits]
    assert waits == [
        (1, 2, "send", header(2, 1)),
        (2, 3, "send", header(3, 2)),
        (3, 1, "send", header(1, 3)),
    ]
    assert str(deadlock).splitlines()[0] == (
        "role 1 waits for role 2 to send the frame from role 2 to role 1 at site 0 part 0"
    )
    assert set(kinds_of(net).values()) == {Lost} and 1.0 <= net.time < 1.1


def test_a_deadlock_is_found_before_older_waits_are_due() -> None:
    """Role 0 waits for a silent role, longer than 2 and 3 for each other."""
    net = network(
        [receive(1, 0)],
        [],
        [send(2, 3), receive(3, 2)],
        [receive(2, 3), receive(2, 3, 1)],
        faults=[Silence(1, 0)],
        latency=link(0.5, inf),
    )
    outcomes = net.run()
    assert net.deadlock is not None and net.deadlock.time == 0.5
    assert [outcomes[role].time for role in (0, 2, 3)] == [1.0, 1.5, 1.5]


def test_a_deadlock_of_sends_names_them() -> None:
    net = network([send(0, 1), receive(1, 0)], [send(1, 0), receive(0, 1)])
    net.run()
    assert net.deadlock is not None
    assert [(wait.role, wait.action) for wait in net.deadlock.waits] == [
        (0, "receive"),
        (1, "receive"),
    ]


def test_a_deadlock_is_found_while_others_go_on() -> None:
    """Roles 2 and 3 exchange frames for longer than the deadline of those that are stuck."""
    count = 40
    ping = [send(2, 3, index) for index in range(count)]
    pong = [receive(2, 3, index) for index in range(count)]
    net = network([receive(1, 0)], [receive(0, 1)], ping, pong, latency=link(0.1, 1e9))
    outcomes = net.run()
    assert net.deadlock is not None and len(net.deadlock.waits) == 2
    assert isinstance(outcomes[2], Finished) and isinstance(outcomes[3], Finished)
    times = [outcomes[role].time for role in (0, 1)]
    assert min(times) == 1.0 and max(times) == 1.0
    assert list(outcomes)[:2] in ([0, 1], [1, 0]) and net.time > 3.9


def test_a_frame_that_is_on_its_way_is_no_deadlock() -> None:
    net = network(
        [send(0, 1), receive(1, 0)], [receive(0, 1), receive(0, 1, 1)], latency=link(2.0, 1e9)
    )
    net.run()
    assert net.deadlock is None
    assert {outcome.time for outcome in net.outcomes.values()} == {1.0}


def test_who_is_late_by_less_than_the_deadline_is_waited_for() -> None:
    for seconds, kind in ((0.9, Finished), (1.0, Finished), (1.1, Lost)):
        late = link(seconds, inf)
        kinds = network_kinds([send(0, 1)], [receive(0, 1)], latency=late)
        assert set(kinds) == {kind}


def test_a_frame_at_the_deadline_itself_is_in_time() -> None:
    """Also where the wait began after others: role 1's second, at 0.5, for a frame at 1.5."""
    for late, kind in ((1.0, Finished), (1.125, Lost)):
        net = network(
            [receive(1, 0)],
            [send(1, 0), receive(2, 1)],
            [receive(3, 2), send(2, 1)],
            [send(3, 2)],
            latency=lambda random, of, to, extent, late=late: late if of == 2 else 0.5,
        )
        net.run()
        assert isinstance(net.outcomes[1], kind)


def test_the_deadline_is_of_each_wait() -> None:
    count = 20
    sends = [send(0, 1, index) for index in range(count)]
    receives = [receive(0, 1, index) for index in range(count)]
    net = network(sends, receives, latency=link(0.9, 1e9))
    net.run()
    assert set(kinds_of(net).values()) == {Finished} and net.time > 17
