"""Random exchanges under random orders: the same words always, or an end for everybody."""

from __future__ import annotations

from random import Random

import pytest
from network.observing import check_run, same_bits
from network.participants import Exchange, expected_words, kinds_of, network_of, random_exchange

from alpha.interpreters.network.faults import KINDS, Fault, Kill, Silence, draw_fault
from alpha.interpreters.network.outcomes import Finished, Killed, Lost

BUFFERS = (0, 1, None)
DEADLINE = 0.5


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("buffer", BUFFERS)
def test_every_order_ends_in_the_same_words(seed: int, buffer: int | None) -> None:
    random = Random(seed)
    for _ in range(12):
        exchange = random_exchange(random)
        network = network_of(exchange, seed=seed, buffer=buffer, trace=True)
        network.run()
        assert set(kinds_of(network).values()) == {Finished}
        assert network.deadlock is None and network.first_failure is None
        check_run(network, exchange, 1.0)
        assert len(network.published) == exchange.roles


def _small(seed: int) -> Exchange:
    exchange = random_exchange(Random(seed))
    return Exchange(exchange.fan_out, min(exchange.rounds, 2), exchange.start[:4])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("buffer", BUFFERS)
@pytest.mark.parametrize("kind", [Kill, Silence])
def test_a_role_that_stops_at_any_step_ends_the_run_everywhere(
    seed: int, buffer: int | None, kind: type[Kill | Silence]
) -> None:
    exchange = _small(seed)
    clean = network_of(exchange, buffer=buffer)
    clean.run()
    for role, events in clean.events.items():
        for after in range(events):
            fault = kind(role, after)
            network = network_of(
                exchange, buffer=buffer, deadline=DEADLINE, faults=[fault], trace=True, seed=after
            )
            network.run()
            kinds = kinds_of(network)
            check_run(network, exchange, DEADLINE)
            if kind is Kill:
                assert kinds.pop(role) is Killed
                assert network.events[role] == after
                assert role not in network.published
            assert set(kinds.values()) <= {Finished, Lost}


def test_a_killed_role_is_seen_by_its_closed_edges_and_a_silent_one_by_the_deadline() -> None:
    exchange = _small(3)
    for kind in (Kill, Silence):
        network = network_of(exchange, faults=[kind(1, 0)])
        causes = {each.cause for each in network.run().values() if isinstance(each, Lost)}
        if kind is Kill:
            assert network.first_failure == (1, Killed(0.0))
            assert causes == {"closed"} and network.time < 1
            assert network.deadlock is None
        else:
            assert "deadline" in causes and network.time >= 1


@pytest.mark.parametrize("kind", KINDS)
def test_no_fault_that_is_drawn_makes_a_wrong_word_or_hangs(kind: str) -> None:
    random = Random(kind)
    made = finished = 0
    for seed in range(40):
        exchange = random_exchange(random)
        buffer = random.choice(BUFFERS)
        clean = network_of(exchange, buffer=buffer)
        clean.run()
        fault = draw_fault(random, clean.traffic, clean.events, DEADLINE / 2, kind)
        network = network_of(
            exchange, buffer=buffer, seed=seed, deadline=DEADLINE, faults=[fault], trace=True
        )
        network.run()
        check_run(network, exchange, DEADLINE)
        made += network.faults_made == (fault,)
        finished += set(kinds_of(network).values()) == {Finished}
        assert set(kinds_of(network).values()) == {Finished} or network.faults_made
    assert made >= 15
    assert finished == 40 if kind == "delay" else finished <= 40 - made + _unseen(kind)


def _unseen(kind: str) -> int:
    """How many faults that are made may be seen by nobody: what is hidden behind all frames."""
    return 8 if kind in ("silence", "partition") else 0


def test_kinds_are_drawn_from_the_seed() -> None:
    exchange = _small(1)
    clean = network_of(exchange)
    clean.run()
    drawn = [[_drawn(Random(seed), clean) for seed in range(200)] for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert len({type(fault) for fault in drawn[0]}) == len(KINDS)


def _drawn(random: Random, clean) -> Fault:
    return draw_fault(random, clean.traffic, clean.events, 1.0)


def test_the_words_are_those_of_plain_loops() -> None:
    """The oracle itself, on one case by hand: 1 and 2 under a star of two, one round."""
    import numpy as np

    exchange = Exchange(1, 1, [np.array([1.0]), np.array([2.0])])
    one, other = expected_words(exchange)
    assert same_bits(one, np.array([3.5])) and same_bits(other, np.array([4.0]))
