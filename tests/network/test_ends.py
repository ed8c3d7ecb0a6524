"""How roles in a simulated network end, and what their peers see of it."""

from __future__ import annotations

from inspect import GEN_CLOSED, getgeneratorstate
from math import inf
from random import Random

import numpy as np
import pytest
from network.participants import (
    Exchange,
    kinds_of,
    network_of,
    random_exchange,
    script,
)
from network.scripts import WORD, header, network, receive, send, steps

from alpha.interpreters.network.events import Advanced, Event, Participant, Send
from alpha.interpreters.network.faults import Kill, Silence
from alpha.interpreters.network.latencies import link
from alpha.interpreters.network.outcomes import Finished, Killed, Lost, Refused
from alpha.interpreters.network.simulated import SimulatedNetwork


def test_an_end_goes_round_from_peer_to_peer() -> None:
    """A chain of roles, each waiting for the one before; role 0 has nothing to send."""
    count = 6
    scripts = [[receive(role - 1, role)] for role in range(1, count)]
    net = network([], *scripts, latency=link(0.125, 1e9))
    outcomes = net.run()
    assert outcomes[0] == Finished(0.0)
    for role in range(1, count):
        assert outcomes[role] == Lost(0.125 * role, role - 1, "closed", header(role - 1, role))
    assert net.first_failure == (1, outcomes[1])


def test_frames_sent_before_an_end_are_still_received() -> None:
    scripts = ([send(0, 1), send(0, 1, 1)], [receive(0, 1), receive(0, 1, 1), receive(0, 1, 2)])
    net = network(*scripts, buffer=None)
    net.run()
    assert len(steps(net, "received")) == 2
    assert net.outcomes[1] == Lost(net.time, 0, "closed", header(0, 1, 2))


@pytest.mark.parametrize("buffer", [0, 1, None])
@pytest.mark.parametrize("seed", range(6))
def test_a_frame_that_nobody_expects_is_refused(buffer: int | None, seed: int) -> None:
    """Role 1 is done, before the frame is sent or after, as the seed draws."""
    net = network([send(0, 1)], [], buffer=buffer, seed=seed)
    net.run()
    found = net.outcomes[1]
    assert isinstance(found, Refused) and found.code == "frame-extent"
    assert "behind the last frame from role 0 to role 1" in found.refusal.message
    assert isinstance(net.outcomes[0], Lost if buffer == 0 else Finished)
    assert net.first_failure is not None


def test_a_frame_to_who_is_long_gone_isn_t_sent() -> None:
    for buffer in (0, 1, None):
        scripts = ([receive(1, 0)], [receive(2, 1), send(1, 0)], [send(2, 1)])
        net = network(*scripts, buffer=buffer, faults=[Kill(0, 0)], latency=link(0.25, inf))
        assert net.run()[1] == Lost(0.25, 0, "closed", header(1, 0))


def test_the_first_failure_is_the_first_in_time() -> None:
    """Role 1 was done before role 2 was killed or after, and is refused a frame later."""
    for seed in range(20):
        net = network(
            [receive(3, 0), send(0, 1)],
            [],
            [Advanced(1), Advanced(2)],
            [send(3, 0)],
            seed=seed,
            buffer=None,
            faults=[Kill(2, 1), Silence(1, 0)],
            latency=link(0.25, inf),
        )
        net.run()
        assert kinds_of(net) == {0: Finished, 1: Refused, 2: Killed, 3: Finished}
        assert net.outcomes[1].time == 0.5
        assert net.first_failure == (2, Killed(0.0))


def test_participants_that_end_early_are_closed() -> None:
    exchange = random_exchange(Random(5))
    participants = exchange.participants()
    net = SimulatedNetwork(participants, seed=0, buffer=0, deadline=1.0, faults=[Kill(0, 3)])
    net.run()
    assert set(kinds_of(net).values()) == {Killed, Lost}
    for participant in participants.values():
        assert getgeneratorstate(participant) == GEN_CLOSED


def test_a_refusal_of_a_participant_ends_the_run_of_its_peers() -> None:
    start = [np.array([float(role)]) for role in range(5)]
    for buffer in (0, 1, None):
        for role in range(5):
            net = network_of(Exchange(2, 3, start, (role, 2)), buffer=buffer)
            outcomes = net.run()
            refused = [each for each, outcome in outcomes.items() if isinstance(outcome, Refused)]
            assert refused == [role] == [net.first_failure and net.first_failure[0]]
            found = outcomes[role]
            assert isinstance(found, Refused) and found.code == "numeric-nonfinite"
            assert set(kinds_of(net).values()) == {Refused, Lost}
            assert not net.published and net.time < 1.0


def test_other_exceptions_are_not_outcomes() -> None:
    def broken() -> Participant:
        yield receive(0, 1)
        raise ZeroDivisionError

    net = SimulatedNetwork({0: script(send(0, 1)), 1: broken()}, seed=0, buffer=0, deadline=1.0)
    with pytest.raises(ZeroDivisionError):
        net.run()


@pytest.mark.parametrize(
    "event",
    [
        send(1, 2),
        receive(1, 2),
        send(2, 0),
        receive(0, 2),
        send(0, 0),
        receive(0, 0),
        send(0, 3),
        receive(3, 0),
        Send(header(0, 1, 0, 16), WORD),
    ],
)
def test_a_participant_uses_its_own_edges(event: Event) -> None:
    with pytest.raises(ValueError, match="frame from role"):
        network([event], [], []).run()


def test_another_event_is_an_error() -> None:
    with pytest.raises(TypeError, match="role 0 yields 7"):
        network([7]).run()  # pyright: ignore[reportArgumentType]
