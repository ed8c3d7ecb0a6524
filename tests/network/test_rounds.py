"""A simulated network run round by round, and what it writes down."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from counted_calls import calls_of
from network.observing import same_bits
from network.participants import (
    Exchange,
    expected_words,
    kinds_of,
    network_of,
    random_exchange,
)
from network.scripts import network, receive, send, steps

from alpha.interpreters.network.events import Advanced
from alpha.interpreters.network.outcomes import Finished
from alpha.interpreters.network.records import Flow


@pytest.mark.parametrize("buffer", [0, 1, None])
def test_rounds_one_by_one(buffer: int | None) -> None:
    """After each call, all roles stand at the version, none further; the words are the same."""
    random = Random(7)
    for seed in range(10):
        exchange = random_exchange(random)
        net = network_of(exchange, seed=seed, buffer=buffer, trace=True)
        for version in range(1, exchange.rounds + 1):
            assert net.run_until_advanced(version)
            assert net.run_until_advanced(version)
            assert len(steps(net, "advanced")) == version * exchange.roles
            assert not net.outcomes
        assert not net.run_until_advanced(exchange.rounds + 1)
        assert set(kinds_of(net).values()) == {Finished}
        for role, words in enumerate(expected_words(exchange)):
            assert same_bits(net.published[role][0].words["x"], words)


def test_run_goes_on_from_a_round() -> None:
    exchange = Exchange(2, 4, [np.ones(2)] * 5)
    net = network_of(exchange)
    assert net.run_until_advanced(2)
    assert net.run() == net.outcomes
    assert set(kinds_of(net).values()) == {Finished}


def test_who_is_needed_isn_t_held_back() -> None:
    """Role 1 gets to version 1 only by a frame that role 0 sends after it is there."""
    for ahead in ([Advanced(1)], [Advanced(1), Advanced(2)], [Advanced(1), Advanced(1)]):
        net = network([*ahead, send(0, 1)], [receive(0, 1), Advanced(1)])
        assert net.run_until_advanced(1)
        net.run()
        assert set(kinds_of(net).values()) == {Finished}


def test_who_is_ahead_waits_for_the_others() -> None:
    """Role 0 got to version 3 so that role 1 could get to 1; it stays there until 4 is due."""
    ahead = [Advanced(1), Advanced(2), send(0, 1), Advanced(3)]
    for seed in range(10):
        net = network(ahead, [receive(0, 1), Advanced(1), Advanced(2), Advanced(3)], seed=seed)
        for version in (1, 2, 3):
            assert net.run_until_advanced(version)
            assert not net.outcomes
        assert not net.run_until_advanced(4)
        assert len(net.outcomes) == 2


def test_who_isn_t_needed_is_held_where_it_is() -> None:
    """Role 0 could go on at once; it does when the next version is asked for."""
    versions = [Advanced(1), Advanced(2), Advanced(3)]
    net = network(versions, [receive(2, 1), *versions], [send(2, 1), *versions])
    for version in (1, 2, 3):
        for _ in range(2):
            assert net.run_until_advanced(version)
            assert len(steps(net, "advanced")) == 3 * version
    assert not net.run_until_advanced(4)


# What is written down


def test_traffic_is_of_each_direction() -> None:
    exchange = Exchange(2, 3, [np.zeros(2, np.float32)] * 4)
    net = network_of(exchange)
    net.run()
    frames, size = 2 * 3 + 1, 2 * 3 * 4 + 1
    edges = [(0, 1), (0, 2), (1, 3)]
    both = {edge for pair in edges for edge in (pair, pair[::-1])}
    assert net.traffic == dict.fromkeys(both, Flow(frames, size))


def test_a_run_without_a_trace_has_none() -> None:
    net = network([], trace=False)
    net.run()
    assert net.trace is None and net.outcomes == {0: Finished(0.0)}


def test_a_frame_costs_the_same_among_many_roles() -> None:
    """Nothing looks at all roles at a step, nor at all waits when many are due."""

    def calls(roles: int) -> float:
        pairs = [(role, role + 1) for role in range(0, roles, 2)]
        scripts = [events for of, to in pairs for events in ([send(of, to)], [receive(of, to)])]
        net = network(*scripts, trace=False)
        return calls_of(net.run) / roles

    def calls_in_waiting(roles: int) -> float:
        scripts = [[receive((role + 1) % roles, role)] for role in range(roles)]
        net = network(*scripts, trace=False)
        return calls_of(net.run) / roles

    for work in (calls, calls_in_waiting):
        assert work(2000) < 1.2 * work(100)
