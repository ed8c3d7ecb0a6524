"""The simulated network: orders of steps, latencies, buffers, and arrays of one's own."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from network.observing import same_bits
from network.participants import (
    expected_words,
    network_of,
    random_exchange,
)
from network.scripts import header, network, network_kinds, receive, send, steps

from alpha.interpreters.network.events import Advanced, Participant, Receive, Send
from alpha.interpreters.network.latencies import link, uniform
from alpha.interpreters.network.outcomes import Finished, Lost
from alpha.interpreters.network.simulated import SimulatedNetwork


def test_a_seed_gives_one_trace_and_another_seed_another() -> None:
    exchange = random_exchange(Random(5))
    for buffer in (0, 1, None):
        traces = []
        for seed in (1, 1, 2):
            net = network_of(exchange, seed=seed, buffer=buffer, trace=True)
            net.run()
            traces.append(net.trace)
        assert traces[0] == traces[1] != traces[2]


def test_steps_at_one_time_are_drawn() -> None:
    """Without latency everything happens at once; independent roles step in every order."""
    for roles, events, wanted in ((3, 1, 6), (2, 2, 6)):
        orders = set()
        for seed in range(300):
            net = network(*[[Advanced(1)] * events for _ in range(roles)], seed=seed)
            net.run()
            orders.add(tuple(step.role for step in steps(net, "advanced")))
        assert len(orders) == wanted


@pytest.mark.parametrize("buffer", [0, 1, 3, None])
@pytest.mark.parametrize("seed", range(5))
def test_frames_of_an_edge_arrive_in_order_whatever_their_latencies(
    buffer: int | None, seed: int
) -> None:
    count = 40
    words: list[float] = []

    def sender() -> Participant:
        for index in range(count):
            yield Send(header(0, 1, index), np.array([float(index)]))

    def receiver() -> Participant:
        for index in range(count):
            received = yield receive(0, 1, index)
            assert received is not None
            words.append(received[0])

    net = SimulatedNetwork(
        {0: sender(), 1: receiver()},
        seed=seed,
        buffer=buffer,
        deadline=10.0,
        latency=uniform(0.0, 0.1),
        trace=True,
    )
    net.run()
    assert words == list(range(count))
    times = [step.time for step in steps(net, "received")]
    assert times == sorted(times) and len(set(times)) > 1


def test_latency_is_of_each_frame() -> None:
    latency = link(0.25, 32.0)
    net = network([send(0, 1), receive(1, 0)], [receive(0, 1), send(1, 0)], latency=latency)
    net.run()
    assert [step.time for step in steps(net, "received")] == [0.5, 1.0]
    assert net.time == 1.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: uniform(-1.0, 1.0),
        lambda: uniform(2.0, 1.0),
        lambda: link(-1, 1),
        lambda: link(1, 0),
    ],
)
def test_latencies_are_checked(make) -> None:
    with pytest.raises(ValueError, match="seconds"):
        make()


# Buffers


@pytest.mark.parametrize("buffer", [0, 1, 2, None])
@pytest.mark.parametrize("seed", range(4))
def test_a_send_ends_when_there_is_room(buffer: int | None, seed: int) -> None:
    """Send k ends at once, or when the receiver has taken frame k - buffer."""
    count = 12
    sends = [send(0, 1, index) for index in range(count)]
    receives = [receive(0, 1, index) for index in range(count)]
    net = network(sends, receives, buffer=buffer, seed=seed)
    net.run()
    begun = [step.time for step in steps(net, "sends")]
    ended = [step.time for step in steps(net, "sent")]
    taken = [step.time for step in steps(net, "received")]
    for index in range(count):
        waits_for = None if buffer is None or index < buffer else taken[index - buffer]
        assert ended[index] == max(begun[index], waits_for or 0.0)
        assert taken[index] > begun[index]
    assert (ended[-1] == 0.0) == (buffer is None)


def test_a_send_to_a_role_that_never_receives_never_ends() -> None:
    """Roles 1 and 2 wait for each other; role 0 gets on only as far as the buffer goes."""
    stuck = [[receive(2, 1)], [receive(1, 2)]]
    for buffer, ended in ((0, 0), (1, 1), (2, 2), (None, 3)):
        net = network([send(0, 1), send(0, 1, 1), send(0, 1, 2)], *stuck, buffer=buffer)
        net.run()
        assert len(steps(net, "sent")) == ended
        assert isinstance(net.outcomes[0], Finished if buffer is None else Lost)
        assert not steps(net, "received")


def test_one_direction_doesn_t_fill_the_other() -> None:
    """With room for one frame in each direction, both may send first."""
    crossed = ([send(0, 1), receive(1, 0)], [send(1, 0), receive(0, 1)])
    assert set(network_kinds(*crossed, buffer=1)) == {Finished}
    assert set(network_kinds(*crossed, buffer=0)) == {Lost}


@pytest.mark.parametrize(
    ("buffer", "deadline"), [(-1, 1.0), (0, 0.0), (0, -1.0), (0, float("nan"))]
)
def test_a_buffer_and_a_deadline_are_checked(buffer: int, deadline: float) -> None:
    with pytest.raises(ValueError, match="buffer"):
        network([], buffer=buffer, deadline=deadline)


# Arrays


@pytest.mark.parametrize("buffer", [0, None])
@pytest.mark.parametrize(
    "words",
    [
        np.arange(6.0),
        np.arange(6.0).reshape(2, 3).T,
        np.array([1, 2, 3]),
        np.array([1, 255], np.uint8),
        np.array([1.5], np.float32),
        np.array(["a term", ("another",)], object),
        np.zeros(0),
        np.array(2.0),
    ],
    ids=lambda words: f"{words.dtype}-{words.shape}",
)
def test_who_receives_has_an_array_of_their_own(words: np.ndarray, buffer: int | None) -> None:
    got: list[np.ndarray] = []
    before = words.copy()
    extent = 8 * words.size if words.dtype.hasobject else words.nbytes

    def sender() -> Participant:
        for index in range(2):
            yield Send(header(0, 1, index, extent), words)

    def receiver() -> Participant:
        for index in range(2):
            received = yield Receive(header(0, 1, index, extent))
            assert received is not None
            got.append(received)

    SimulatedNetwork({0: sender(), 1: receiver()}, seed=0, buffer=buffer, deadline=1.0).run()
    for array in got:
        assert array.dtype == words.dtype and array.shape == words.shape
        assert np.array_equal(array, before)
        assert array.flags.writeable
        assert not np.shares_memory(array, words)
    assert not np.shares_memory(got[0], got[1])


def test_what_is_published_stays_as_it_was() -> None:
    exchange = random_exchange(Random(2))
    net = network_of(exchange)
    net.run()
    for role, words in enumerate(expected_words(exchange)):
        (published,) = net.published[role]
        assert published.version == exchange.rounds
        assert same_bits(published.words["x"], words)


def test_observations_are_kept_by_role() -> None:
    exchange = random_exchange(Random(2))
    net = network_of(exchange)
    net.run()
    assert list(net.observations) == [0]
    assert [each.version for each in net.observations[0]] == list(range(exchange.rounds))
