"""Each kind of fault, at each frame: the code that its receiver gives, and what it does elsewhere.

The code that is due is read off the headers of a run without faults: the receiver looks at one
header where it expects another, and the first field that differs, in the order of the frame's
bytes, has its code.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from network.observing import check_run
from network.participants import VERDICT, Exchange, kinds_of, network_of

from alpha.interpreters.network.faults import (
    Append,
    Delay,
    Drop,
    Duplicate,
    Fault,
    Flip,
    Foreign,
    FrameFault,
    Misroute,
    Partition,
    Replay,
    Silence,
    Swap,
    Truncate,
)
from alpha.interpreters.network.outcomes import Finished, Lost, Refused
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.ir.frames import FIELDS, Header

BUFFERS = (0, 1, None)
DEADLINE = 0.5

CODES = {
    "sender": "frame-edge",
    "receiver": "frame-edge",
    "site": "frame-edge",
    "part": "frame-edge",
    "version": "frame-version",
    "sequence": "frame-version",
    "count": "frame-extent",
    "extent": "frame-extent",
}
"""Which code refuses which field, in the order of the frame's bytes; written down here anew."""

EXCHANGE = Exchange(2, 2, [np.array([0.5 * role, 1.0, -2.0]) for role in range(4)])
"""A tree of four roles, three parts a sum: so there are frames that follow each other at once."""

Place = tuple[int, int, int]


def clean_headers() -> dict[tuple[int, int], list[Header]]:
    net = network_of(EXCHANGE, trace=True)
    net.run()
    assert net.trace is not None
    headers: dict[tuple[int, int], list[Header]] = {}
    for step in net.trace:
        if step.happening == "sends":
            assert step.header is not None
            edge = (step.header.sender, step.header.receiver)
            headers.setdefault(edge, []).append(step.header)
    return headers


HEADERS = clean_headers()


def places() -> Iterator[Place]:
    for (sender, receiver), headers in HEADERS.items():
        for frame in range(len(headers)):
            yield sender, receiver, frame


PLACES = list(places())


def due(expected: Header, found: Header) -> str:
    """The code of the first field in which two headers differ."""
    return next(
        code for name, code in CODES.items() if getattr(expected, name) != getattr(found, name)
    )


def attempt(fault: Fault, buffer: int | None, seed: int = 0) -> SimulatedNetwork:
    net = network_of(
        EXCHANGE, buffer=buffer, deadline=DEADLINE, faults=[fault], trace=True, seed=seed
    )
    net.run()
    check_run(net, EXCHANGE, DEADLINE)
    if not net.faults_made:
        assert set(kinds_of(net).values()) == {Finished}
    return net


def run(fault: Fault, buffer: int | None, seed: int = 0) -> SimulatedNetwork:
    net = attempt(fault, buffer, seed)
    assert net.faults_made == (fault,)
    return net


def is_refused(net: SimulatedNetwork, fault: FrameFault, code: str) -> None:
    """The receiver refuses with this code, before all else; its peers are lost; none publishes.

    Where the verdict was struck, those that have it already are done.
    """
    found = net.outcomes[fault.receiver]
    assert isinstance(found, Refused) and found.code == code, (fault, found)
    assert net.first_failure == (fault.receiver, found)
    kinds = kinds_of(net)
    del kinds[fault.receiver]
    site = HEADERS[fault.sender, fault.receiver][fault.frame].site
    assert set(kinds.values()) <= ({Lost, Finished} if site == VERDICT else {Lost})
    assert fault.receiver not in net.published
    assert site == VERDICT or not net.published


def refuses(fault: FrameFault, code: str) -> None:
    for seed, buffer in enumerate(BUFFERS):
        is_refused(run(fault, buffer, seed), fault, code)


def header_after(place: Place) -> Header | None:
    """The next header of the same edge, if nothing has to be received before it is sent."""
    sender, receiver, frame = place
    headers = HEADERS[sender, receiver]
    following = headers[frame + 1 : frame + 2]
    return next(
        (each for each in following if (each.site, each.version) == _burst(headers[frame])), None
    )


def _burst(header: Header) -> tuple[int, int]:
    return header.site, header.version


def header_at(place: Place) -> Header:
    return HEADERS[place[0], place[1]][place[2]]


def is_last(place: Place) -> bool:
    return place[2] == len(HEADERS[place[0], place[1]]) - 1


def never_arrives(fault: FrameFault) -> None:
    """The receiver gives its sender up, and the others each other; none publishes."""
    for seed, buffer in enumerate(BUFFERS):
        net = run(fault, buffer, seed)
        found = net.outcomes[fault.receiver]
        assert isinstance(found, Lost), (fault, found)
        assert fault.receiver not in net.published
        if header_at((fault.sender, fault.receiver, fault.frame)).site != VERDICT:
            assert not net.published
            assert set(kinds_of(net).values()) == {Lost}


@pytest.mark.parametrize("place", PLACES)
def test_a_dropped_frame(place: Place) -> None:
    following = header_after(place)
    if following is None:
        never_arrives(Drop(*place))
    else:
        refuses(Drop(*place), due(header_at(place), following))


@pytest.mark.parametrize("place", PLACES)
def test_swapped_frames(place: Place) -> None:
    following = header_after(place)
    if following is None:
        never_arrives(Swap(*place))
    else:
        refuses(Swap(*place), due(header_at(place), following))


@pytest.mark.parametrize("place", PLACES)
def test_a_duplicate(place: Place) -> None:
    sender, receiver, frame = place
    for seed, buffer in enumerate(BUFFERS):
        net = run(Duplicate(*place), buffer, seed)
        found = net.outcomes[receiver]
        assert isinstance(found, Refused)
        if is_last(place):
            assert found.code == "frame-extent"
            assert "the end of the stream" in found.refusal.message
        else:
            following = HEADERS[sender, receiver][frame + 1]
            assert found.code == due(following, header_at(place))
            assert following.site == VERDICT or not net.published


@pytest.mark.parametrize("place", PLACES)
def test_a_replay(place: Place) -> None:
    for earlier in range(place[2]):
        old = HEADERS[place[0], place[1]][earlier]
        refuses(Replay(*place, earlier), due(header_at(place), old))


def test_a_frame_that_never_was_is_not_replayed() -> None:
    net = network_of(EXCHANGE, faults=[Replay(0, 1, 2, 2), Replay(0, 1, 1, 7)])
    net.run()
    assert set(kinds_of(net).values()) == {Finished} and net.faults_made == ()


@pytest.mark.parametrize("place", PLACES)
def test_a_frame_of_another_edge(place: Place) -> None:
    """In the first steps the other edge may have had none yet; then nothing is changed."""
    made = 0
    for other in HEADERS.keys() - {place[:2]}:
        fault = Misroute(*place, other)
        for seed, buffer in enumerate(BUFFERS):
            net = attempt(fault, buffer, seed)
            if net.faults_made:
                is_refused(net, fault, "frame-edge")
                made += 1
    assert made >= 9 or header_at(place).version == 0


@pytest.mark.parametrize("place", PLACES)
def test_a_frame_of_another_run(place: Place) -> None:
    refuses(Foreign(*place), "frame-identity")


@pytest.mark.parametrize("place", PLACES)
def test_a_flipped_bit(place: Place) -> None:
    random = Random(str(place))
    identity = dict.fromkeys(("magic", "frame_version", "run_identity"), "frame-identity")
    codes = {**identity, **CODES, "payload": "frame-digest", "digest": "frame-digest"}
    assert [field.name for field in FIELDS] == [*identity, *CODES]
    for part, code in codes.items():
        for bit in (0, random.randrange(1 << 20)):
            refuses(Flip(*place, part, bit), code)


@pytest.mark.parametrize("place", PLACES)
def test_a_frame_of_another_length(place: Place) -> None:
    for count in (1, 8, 32, 33, 500):
        refuses(Truncate(*place, count), "frame-extent")
        refuses(Append(*place, count), "frame-extent")


@pytest.mark.parametrize("place", PLACES)
def test_a_frame_that_is_late(place: Place) -> None:
    for buffer in BUFFERS:
        net = run(Delay(*place, 0.9 * DEADLINE), buffer)
        assert set(kinds_of(net).values()) == {Finished}
        assert len(net.published) == EXCHANGE.roles and net.time > 0.9 * DEADLINE
        net = run(Delay(*place, 2 * DEADLINE), buffer)
        assert isinstance(net.outcomes[place[1]], Lost)
        assert place[1] not in net.published


@pytest.mark.parametrize("buffer", BUFFERS)
@pytest.mark.parametrize("edge", [(0, 1), (1, 3)])
def test_a_partition(edge: tuple[int, int], buffer: int | None) -> None:
    one, other = edge
    frames = len(HEADERS[edge]) + len(HEADERS[other, one])
    for after in range(frames):
        net = run(Partition(one, other, after), buffer)
        ends = [net.outcomes[role] for role in edge]
        assert all(isinstance(end, (Lost, Finished)) for end in ends)
        assert any(isinstance(end, Lost) and end.cause == "deadline" for end in ends)
        assert other not in net.published
        assert after == frames - 1 or not net.published


def test_a_silent_role_is_heard_by_nobody() -> None:
    for after in range(8):
        net = run(Silence(3, after), 0)
        assert net.trace is not None
        done = [step for step in net.trace if step.happening == "received"]
        heard = [step for step in done if step.header and step.header.sender == 3]
        assert len(heard) == min(after, 3)
        assert isinstance(net.outcomes[1], Lost) and net.outcomes[1].cause == "deadline"
