"""What faults do to the frames themselves, and with words of each kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from network.participants import Exchange, network_of, script

from alpha.interpreters.network.events import Participant, Receive, Send
from alpha.interpreters.network.faults import (
    Append,
    Delay,
    Drop,
    Duplicate,
    Fault,
    Flip,
    Foreign,
    Kill,
    Misroute,
    Partition,
    Replay,
    Silence,
    Swap,
    Truncate,
)
from alpha.interpreters.network.outcomes import Finished, Killed, Lost, Refused
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.frames import Header

BUFFERS = (0, 1, None)

EXCHANGE = Exchange(2, 1, [np.ones(3)] * 4)


def same_headers(count: int, seen: list[float]) -> dict[int, Participant]:
    """Frames that nobody can tell from each other but by their words, which are 0, 1, ...."""
    header = Header(0, 1, 0, 0, 0, 0, 0, 8)

    def sender() -> Participant:
        for index in range(count):
            yield Send(header, np.array([float(index)]))

    def receiver() -> Participant:
        for _ in range(count):
            words = yield Receive(header)
            assert words is not None
            seen.append(words[0])
            words[0] = -1.0

    return {0: sender(), 1: receiver()}


@pytest.mark.parametrize("buffer", BUFFERS)
@pytest.mark.parametrize(
    ("fault", "wanted", "sent"),
    [
        (Swap(0, 1, 1), [0.0, 2.0, 1.0, 3.0], 4),
        (Duplicate(0, 1, 1), [0.0, 1.0, 1.0, 2.0], 3),
        (Replay(0, 1, 2, 0), [0.0, 1.0, 0.0, 2.0], 3),
        (Drop(0, 1, 1), [0.0, 2.0, 3.0], 4),
        (Delay(0, 1, 1, 0.5), [0.0, 1.0, 2.0, 3.0], 4),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_fault_does_to_the_order_of_frames(
    fault: Fault, wanted: list[float], sent: int, buffer: int | None
) -> None:
    """Without a buffer, `sent` frames are off their sender's hands when 4 have been waited for."""
    seen: list[float] = []
    participants = same_headers(4, seen)
    net = SimulatedNetwork(
        participants, seed=0, buffer=buffer, deadline=1.0, faults=[fault], trace=True
    )
    net.run()
    assert seen == wanted and net.faults_made == (fault,)
    assert net.trace is not None
    ended = [step.happening for step in net.trace].count("sent")
    assert ended == (sent if buffer == 0 else 4)


def test_several_faults_of_one_frame_are_made_in_their_order() -> None:
    for faults, wanted in (
        ([Duplicate(0, 1, 1), Drop(0, 1, 1)], [0.0, 1.0, 2.0]),
        ([Drop(0, 1, 1), Duplicate(0, 1, 1)], [0.0, 2.0]),
        ([Duplicate(0, 1, 0), Duplicate(0, 1, 1)], [0.0, 0.0, 1.0]),
    ):
        seen: list[float] = []
        net = SimulatedNetwork(
            same_headers(3, seen), seed=0, buffer=None, deadline=1.0, faults=faults
        )
        net.run()
        assert seen == wanted


WORDS = [
    np.array([1.0, 2.0]),
    np.array([1.0, 2.0], np.float32),
    np.array([3, 4]),
    np.array([3, 4], np.uint8),
    np.array([True, False]),
    np.array([["term", ("other", 1)]], object),
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: str(words.dtype))
@pytest.mark.parametrize("word_bytes", [4, 8])
def test_words_and_terms_are_corrupted_alike(words: np.ndarray, word_bytes: int) -> None:
    """Numbers of terms stand for words of other lengths; those of floats have their own."""
    stand_for = words.dtype.kind in "iO"
    extent = word_bytes * words.size if stand_for else words.nbytes
    header = Header(0, 1, 0, 0, 0, 0, 0, extent)
    for fault, code in (
        (Flip(0, 1, 0, "payload", 13), "frame-digest"),
        (Truncate(0, 1, 0, 3), "frame-extent"),
        (Delay(0, 1, 0, 0.25), None),
        (Flip(0, 1, 1, "payload", 13), None),
    ):
        got: list[np.ndarray] = []

        def sender() -> Participant:
            yield Send(header, words)

        def receiver(got: list[np.ndarray] = got) -> Participant:
            received = yield Receive(header)
            assert received is not None
            got.append(received)

        participants = {0: sender(), 1: receiver()}
        net = SimulatedNetwork(participants, seed=0, buffer=0, deadline=1.0, faults=[fault])
        outcome = net.run()[1]
        if code is None:
            assert isinstance(outcome, Finished)
            assert got[0].dtype == words.dtype and np.array_equal(got[0], words)
            assert not np.shares_memory(got[0], words)
        else:
            assert isinstance(outcome, Refused) and outcome.code == code and not got


def test_a_frame_of_another_run_is_whole_whatever_happened_to_it() -> None:
    faults = [Flip(1, 0, 2, "payload", 0), Foreign(1, 0, 2)]
    net = network_of(EXCHANGE, faults=faults)
    found = net.run()[0]
    assert isinstance(found, Refused) and found.code == "frame-identity"
    assert net.faults_made == tuple(faults)


def test_who_sent_what_was_replaced_goes_on_when_that_is_taken() -> None:
    header = Header(0, 1, 0, 0, 0, 0, 0, 8)
    other = replace(header, receiver=2)
    words = np.zeros(1)
    participants = {
        0: script(Send(header, words), Send(other, words)),
        1: script(Receive(header)),
        2: script(Receive(other)),
    }
    fault = Misroute(0, 2, 0, (0, 1))
    net = SimulatedNetwork(participants, seed=0, buffer=0, deadline=1.0, faults=[fault], trace=True)
    outcomes = net.run()
    assert net.trace is not None
    assert [step.happening for step in net.trace if step.role == 0].count("sent") == 2
    assert isinstance(outcomes[0], Finished) and isinstance(outcomes[2], Refused)


def test_a_silent_role_that_ends_is_waited_for_until_the_deadline() -> None:
    header = Header(0, 1, 0, 0, 0, 0, 0, 8)
    for faults, cause in (([], "closed"), ([Silence(0, 0)], "deadline")):
        participants = {0: script(), 1: script(Receive(header))}
        net = SimulatedNetwork(participants, seed=0, buffer=0, deadline=1.0, faults=faults)
        found = net.run()[1]
        assert isinstance(found, Lost) and (found.peer, found.cause) == (0, cause)
        assert net.faults_made == tuple(faults)


@pytest.mark.parametrize("kinds", [(3, 9), (9, 3), (3, 9999), (9999, 3)], ids=str)
def test_of_several_ends_of_a_role_the_first_is_made(kinds: tuple[int, int]) -> None:
    faults = [Kill(1, after) for after in kinds]
    net = network_of(EXCHANGE, faults=faults)
    assert isinstance(net.run()[1], Killed)
    assert net.events[1] == 3 and net.faults_made == (Kill(1, 3),)
    twin = network_of(EXCHANGE, faults=[Kill(1, 3)])
    assert twin.run() == net.outcomes


def test_a_role_is_silent_from_the_first_of_several_silences_on() -> None:
    header = Header(0, 1, 0, 0, 0, 0, 0, 8)
    for order in ((1, 2), (2, 1)):
        seen: list[float] = []
        faults = [Silence(0, after) for after in order]
        net = SimulatedNetwork(
            same_headers(4, seen), seed=0, buffer=None, deadline=1.0, faults=faults
        )
        found = net.run()[1]
        assert isinstance(found, Lost) and found.header == header and seen == [0.0]
        assert set(net.faults_made) == set(faults)


def test_several_partitions_of_an_edge_count_the_same_frames() -> None:
    for faults in (
        [Partition(0, 1, 1), Partition(0, 1, 3)],
        [Partition(0, 1, 3), Partition(0, 1, 1)],
        [Partition(1, 0, 3), Partition(0, 1, 1), Partition(0, 1, 9)],
    ):
        seen: list[float] = []
        net = SimulatedNetwork(
            same_headers(5, seen), seed=0, buffer=None, deadline=1.0, faults=faults
        )
        net.run()
        assert seen == [0.0]
        assert set(net.faults_made) == {fault for fault in faults if fault.after < 5}


@pytest.mark.parametrize(
    "faults",
    [
        [Flip(0, 1, 1, "payload", 5), Flip(0, 1, 1, "payload", 5 + 64)],
        [Append(0, 1, 1, 8), Truncate(0, 1, 1, 8)],
        [Delay(0, 1, 1, 1e-300)],
    ],
    ids=["flips", "length", "delay"],
)
def test_faults_that_leave_a_frame_as_it_came_are_not_made(faults: list[Fault]) -> None:
    for given, made in ((faults, False), ([*faults, Duplicate(0, 1, 1)], True)):
        seen: list[float] = []
        net = SimulatedNetwork(
            same_headers(3, seen), seed=0, buffer=None, deadline=1.0, faults=given
        )
        net.run()
        assert seen == ([0.0, 1.0, 1.0] if made else [0.0, 1.0, 2.0])
        assert net.faults_made == (tuple(given) if made else ())


def test_a_payload_without_bytes_has_no_bit() -> None:
    header = Header(0, 1, 0, 0, 0, 0, 0, 0)
    for part, made in (("payload", False), ("digest", True)):
        participants = {0: script(Send(header, np.zeros(0))), 1: script(Receive(header))}
        net = SimulatedNetwork(
            participants, seed=0, buffer=0, deadline=1.0, faults=[Flip(0, 1, 0, part, 5)]
        )
        net.run()
        assert bool(net.faults_made) == made == isinstance(net.outcomes[1], Refused)


def test_a_fault_of_a_role_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        network_of(EXCHANGE, faults=[Silence(9, 0)])
