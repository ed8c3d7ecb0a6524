"""Frames cross real connections whole, in order, both ways and with the smallest buffers."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable

import numpy as np
import pytest
from participants.relay import Relay, split
from participants.roles import IDENTITY, SHORT, SMALLEST, header, run_roles

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.edges import Edge
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.ir.frames import Header, encode
from alpha.ir.topologies import PreorderTree


def payload_of(expected: Header) -> bytes:
    """Bytes that are another frame's nowhere."""
    return random.Random(repr(expected)).randbytes(expected.extent)


def send(*headers: Header) -> Callable[[Endpoint], None]:
    """The work of sending these frames and ending."""

    def work(endpoint: Endpoint) -> None:
        for one in headers:
            endpoint.send(one, payload_of(one))
        endpoint.finish()

    return work


def receive(*headers: Header) -> Callable[[Endpoint], list[bytes]]:
    """The work of receiving these frames and ending."""

    def work(endpoint: Endpoint) -> list[bytes]:
        received = [endpoint.receive(one) for one in headers]
        endpoint.finish()
        return received

    return work


def test_frames_arrive_whole_and_in_order() -> None:
    headers = [header(0, 1, at, site=at % 3, extent=at * 8) for at in range(50)]
    results = run_roles({0: send(*headers), 1: receive(*headers)})
    assert results == {0: None, 1: [payload_of(one) for one in headers]}


@pytest.mark.parametrize("bounds", [SMALLEST, None])
def test_large_frames_both_ways(bounds: Bounds | None) -> None:
    """One role sends while the other receives, so that buffers of any size do."""
    size = 2 << 20
    forth = [header(0, 1, at, extent=size + at) for at in range(2)]
    back = [header(1, 0, at, extent=size - at) for at in range(2)]

    def first(endpoint: Endpoint) -> list[bytes]:
        received: list[bytes] = []
        for there, here in zip(forth, back, strict=True):
            endpoint.send(there, payload_of(there))
            received.append(endpoint.receive(here))
        endpoint.finish()
        return received

    def second(endpoint: Endpoint) -> list[bytes]:
        received: list[bytes] = []
        for there, here in zip(forth, back, strict=True):
            received.append(endpoint.receive(there))
            endpoint.send(here, payload_of(here))
        endpoint.finish()
        return received

    results = run_roles({0: first, 1: second}, bounds=bounds)
    assert results[0] == [payload_of(one) for one in back]
    assert results[1] == [payload_of(one) for one in forth]


def test_byte_by_byte() -> None:
    """However the bytes are cut on the way, the frames are the same."""
    headers = [header(1, 0, at, extent=10 * at) for at in range(3)]
    relays: list[Relay] = []

    def through_a_relay(edge: tuple[int, int], port: int) -> int:
        relays.append(Relay(("127.0.0.1", port), forth=(split,), back=(split,)))
        return relays[-1].port

    try:
        results = run_roles({0: receive(*headers), 1: send(*headers)}, ports=through_a_relay)
    finally:
        relays[0].close()
    assert results == {0: [payload_of(one) for one in headers], 1: None}


def tree_sum(tree: PreorderTree, role: int) -> Callable[[Endpoint], int]:
    """Sum up the roles' squares along a tree and hand the total down: 8 bytes a frame."""

    def work(endpoint: Endpoint) -> int:
        parent, children = tree.parent(role), tree.children(role)
        total = role * role
        for child in children:
            total += int.from_bytes(endpoint.receive(header(child, role, extent=8)), "little")
        if parent is not None:
            endpoint.send(header(role, parent, extent=8), total.to_bytes(8, "little"))
            total = int.from_bytes(endpoint.receive(header(parent, role, extent=8)), "little")
        for child in children:
            endpoint.send(header(role, child, extent=8), total.to_bytes(8, "little"))
        endpoint.finish()
        return total

    return work


@pytest.mark.parametrize(("count", "fan_out"), [(1, 1), (5, 1), (9, 8), (14, 3)])
def test_a_tree_of_roles(count: int, fan_out: int) -> None:
    tree = PreorderTree(count, fan_out)
    edges = [(tree.parent(role) or 0, role) for role in range(1, count)]
    results = run_roles({role: tree_sum(tree, role) for role in range(count)}, edges)
    assert results == dict.fromkeys(range(count), sum(role * role for role in range(count)))


def test_every_pair_of_roles() -> None:
    """All roles exchange with all, in one order of edges that is the same for every role."""
    count = 6
    edges = [(low, high) for low in range(count) for high in range(low + 1, count)]

    def work(endpoint: Endpoint) -> int:
        total = 0
        for edge in edges:
            for sender, receiver in (edge, edge[::-1]):
                one = header(sender, receiver, extent=1)
                if endpoint.role == sender:
                    endpoint.send(one, bytes((sender + 1,)))
                elif endpoint.role == receiver:
                    total += endpoint.receive(one)[0]
        endpoint.finish()
        return total

    results = run_roles(dict.fromkeys(range(count), work), edges)
    assert results == {role: 21 - role - 1 for role in range(count)}


def test_a_frame_on_the_wire_is_the_encoded_one() -> None:
    """What a socket that knows nothing of frames reads, byte for byte."""
    near, far = socket.socketpair()
    one = header(4, 2, 9, site=1, part=2, version=3, count=5, extent=1000)
    with near, far, Endpoint(4, IDENTITY, {2: Edge(2, near)}, Deadline.after(5), SHORT) as endpoint:
        endpoint.send(one, payload_of(one))
        endpoint.abort()
        with far.makefile("rb") as stream:
            assert stream.read() == encode(one, IDENTITY, payload_of(one))


def test_no_more_is_read_than_a_frame() -> None:
    """What follows a frame stays in the system's buffer until it is asked for."""
    near, far = socket.socketpair()
    one = header(0, 1, extent=100)
    with near, far:
        far.sendall(encode(one, IDENTITY, payload_of(one)) + b"next")
        with Endpoint(1, IDENTITY, {0: Edge(0, near)}, Deadline.after(5), SHORT) as endpoint:
            assert endpoint.receive(one) == payload_of(one)
            assert near.recv(100) == b"next"


def test_a_wrong_header_is_refused_before_the_body_is_there() -> None:
    near, far = socket.socketpair()
    one = header(0, 1, extent=1 << 40)
    with near, far, Endpoint(1, IDENTITY, {0: Edge(0, near)}, Deadline.after(5), SHORT) as endpoint:
        far.sendall(encode(header(0, 1, 1), IDENTITY, b"")[:88])
        with pytest.raises(Exception, match="expected sequence 0") as caught:
            endpoint.receive(one)
        assert getattr(caught.value, "code", "") == "frame-version"


def test_words_of_an_array_are_sent_in_place() -> None:
    for words in (np.array([[1.0, -2.0], [0.5, 4.0]]), np.zeros((0, 3))):
        near, far = socket.socketpair()
        one = header(0, 1, extent=words.nbytes)
        with near, far, Endpoint(0, IDENTITY, {1: Edge(1, near)}, Deadline.after(5), SHORT) as end:
            end.send(one, words.data)
            assert far.recv(1000) == encode(one, IDENTITY, words.tobytes())
