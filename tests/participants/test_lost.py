"""A peer that dies, closes, resets, stays silent or doesn't read is lost, at once or in time."""

from __future__ import annotations

import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from participants.roles import IDENTITY, LONG, header, scripted

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.edges import Edge
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.participants.failures import PeerLost
from alpha.ir.frames import encode
from alpha.ir.refusals import Refusal

FRAME = 160
HEADER = header(0, 1, extent=40)
BYTES = encode(HEADER, IDENTITY, bytes(range(40)))


def test_a_silent_peer_is_lost() -> None:
    for came in (0, 1, 88, FRAME - 1):
        with scripted(BYTES[:came]) as (endpoint, _):
            began = time.monotonic()
            with pytest.raises(PeerLost, match=r"bytes came in the 0\.3 s of receiving") as caught:
                endpoint.receive(HEADER)
            assert 0.29 < time.monotonic() - began < 2.5
            assert caught.value.role == 0


def test_the_bound_is_of_the_whole_frame() -> None:
    """A peer that sends a byte now and then doesn't hold a role up for ever."""
    with scripted(b"") as (endpoint, peer):

        def trickle() -> None:
            try:
                for byte in BYTES:
                    peer.sendall(bytes((byte,)))
                    time.sleep(0.01)
            except OSError:
                return

        thread = threading.Thread(target=trickle)
        thread.start()
        began = time.monotonic()
        with pytest.raises(PeerLost, match="bytes came in"):
            endpoint.receive(HEADER)
        assert time.monotonic() - began < 2.5
        thread.join()


def test_a_session_that_is_over_waits_for_nothing() -> None:
    for action in (
        lambda endpoint: endpoint.receive(HEADER),
        lambda endpoint: endpoint.finish(),
        lambda endpoint: endpoint.send(header(1, 0), b""),
    ):
        near, far = socket.socketpair()
        with near, far:
            far.sendall(BYTES)
            endpoint = Endpoint(1, IDENTITY, {0: Edge(0, near)}, Deadline.after(0), Bounds())
            with pytest.raises(PeerLost, match="the 0 s of the session were over"):
                action(endpoint)


def test_the_session_ends_a_longer_wait() -> None:
    near, far = socket.socketpair()
    with near, far:
        endpoint = Endpoint(1, IDENTITY, {0: Edge(0, near)}, Deadline.after(0.2), Bounds())
        with pytest.raises(PeerLost, match=r"in the 0\.2 s of the session"):
            endpoint.receive(HEADER)


LARGE = header(1, 0, extent=1 << 20)


def test_a_peer_that_does_not_read_is_lost() -> None:
    with scripted(b"") as (endpoint, _):
        began = time.monotonic()
        with pytest.raises(PeerLost, match=r"it took \d+ of 1048696 bytes in the 0\.3 s of send"):
            endpoint.send(LARGE, bytes(1 << 20))
        assert 0.29 < time.monotonic() - began < 2.5


def close(peer: socket.socket) -> None:
    peer.close()


def close_and_reset(peer: socket.socket) -> None:
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def close_a_half(peer: socket.socket) -> None:
    peer.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("end", [close, close_and_reset, close_a_half])
@pytest.mark.parametrize("early", [b"", b"sent before its turn"])
def test_a_blocked_send_sees_its_peer_close(
    end: Callable[[socket.socket], None], early: bytes
) -> None:
    """At once, and not when the bound of the wait is reached, nor only behind unread bytes."""
    with scripted(early, LONG) as (endpoint, peer):
        timer = threading.Timer(0.1, end, (peer,))
        timer.start()
        began = time.monotonic()
        with pytest.raises(PeerLost) as caught:
            endpoint.send(LARGE, bytes(1 << 20))
        assert 0.09 < time.monotonic() - began < 2.0
        assert caught.value.role == 0
        half = end is close_a_half
        assert ("it ended its stream" in caught.value.detail) == half
        assert ("ECONNRESET" in caught.value.detail) == (not half)  # it never read what came
        timer.join()


def test_nothing_is_sent_to_a_peer_that_has_ended() -> None:
    """A small frame would vanish in the buffer of the system."""
    with scripted(b"") as (endpoint, peer):
        peer.shutdown(socket.SHUT_WR)
        time.sleep(0.02)
        with pytest.raises(PeerLost, match="it ended its stream"):
            endpoint.send(header(1, 0, extent=1), b"x")


def test_no_signal_comes_of_a_connection_that_is_gone() -> None:
    """A process that doesn't ignore SIGPIPE isn't ended by it."""
    seen: list[int] = []
    before = signal.signal(signal.SIGPIPE, lambda number, frame: seen.append(number))
    near, far = socket.socketpair()
    try:
        with near, far:
            edge = Edge(0, near)
            edge.end()
            with pytest.raises(PeerLost, match="EPIPE"):
                edge.send((b"word",), Deadline.after(1))
    finally:
        signal.signal(signal.SIGPIPE, before)
    assert seen == []


def test_a_peer_that_does_not_end_is_lost() -> None:
    in_time = pytest.raises(PeerLost, match=r"in the 0\.3 s of waiting for the end")
    with scripted(b"") as (endpoint, _), in_time:
        endpoint.finish()


def test_a_peer_that_resets_at_the_end_is_lost() -> None:
    with scripted(b"") as (endpoint, peer):
        close_and_reset(peer)
        with pytest.raises(PeerLost, match="ECONNRESET|ENOTCONN"):
            endpoint.finish()


def test_two_roles_end_together() -> None:
    """Each says that it has ended before it waits for the other."""
    with scripted(b"") as (endpoint, peer):
        peer.settimeout(2.0)

        def answer() -> None:
            if peer.recv(1) == b"":
                peer.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=answer)
        thread.start()
        endpoint.finish()
        thread.join()


def test_every_stream_is_ended_before_one_is_read() -> None:
    """A peer that doesn't end keeps no other one waiting."""
    ends = [socket.socketpair() for _ in range(3)]
    edges = {peer: Edge(peer, near) for peer, (near, _) in enumerate(ends)}
    waited: list[float] = []
    began = time.monotonic()

    def observe() -> None:
        for _, far in ends:
            far.settimeout(2.0)
            assert far.recv(1) == b""
        waited.append(time.monotonic() - began)

    thread = threading.Thread(target=observe)
    thread.start()
    with pytest.raises(PeerLost) as caught:
        Endpoint(7, IDENTITY, edges, Deadline.after(1.0), LONG).finish()
    assert caught.value.role == 0
    thread.join()
    assert waited[0] < 0.7
    for _, far in ends:
        far.close()


@pytest.mark.parametrize(
    "fail",
    [
        lambda endpoint: endpoint.receive(HEADER),
        lambda endpoint: endpoint.send(header(1, 0, 2**64), b""),
        lambda endpoint: endpoint.finish(),
        lambda endpoint: endpoint.abort(),
    ],
)
def test_what_fails_closes_all_edges(fail: Callable[[Endpoint], None]) -> None:
    """The peers of a role that fails learn of it without waiting."""
    with scripted(b"\0" * FRAME) as (endpoint, peer):
        with suppress(Refusal):
            fail(endpoint)
        peer.settimeout(1.0)
        with suppress(ConnectionResetError):  # since not all that it sent was read
            assert peer.recv(1) == b""
        with pytest.raises(ValueError, match="no open edge"):
            endpoint.receive(HEADER)
        endpoint.abort()


def test_a_payload_of_another_extent_is_a_bug() -> None:
    with scripted(b"") as (endpoint, peer):
        with pytest.raises(ValueError, match="a payload of 3 bytes in .*, whose extent is 4"):
            endpoint.send(header(1, 0, extent=4), b"abc")
        assert peer.recv(1) == b""


def test_frames_of_other_edges_are_a_bug() -> None:
    with scripted(b"") as (endpoint, _):
        for one in (header(0, 1), header(1, 2), header(2, 0)):
            with pytest.raises(ValueError, match="no open edge"):
                endpoint.send(one, b"")
        for one in (header(1, 0), header(2, 1), header(0, 2)):
            with pytest.raises(ValueError, match="no open edge"):
                endpoint.receive(one)
