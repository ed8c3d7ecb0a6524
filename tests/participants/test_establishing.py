"""Roles find each other by the ports that pass their streams, or say within bounds who is lost."""

from __future__ import annotations

import errno
import io
import os
import socket
import struct
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO

import pytest
from participants.roles import IDENTITY, SHORT, header, peers_of, run_roles

from alpha.interpreters.participants import establishing
from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.participants.failures import Overdue, PeerLost
from alpha.interpreters.participants.ports import announce, read_ports
from alpha.ir.frames import encode
from alpha.ir.refusals import Refusal

LOOPBACK = "127.0.0.1"


def establish(
    role: int,
    edges: Sequence[int],
    inward: BinaryIO | None = None,
    outward: BinaryIO | None = None,
    addresses: dict[int, str] | None = None,
    bounds: Bounds = SHORT,
) -> Endpoint:
    """An endpoint with streams in memory."""
    deadline = Deadline.after(10)
    inward, outward = inward or io.BytesIO(), outward or io.BytesIO()
    return Endpoint.establish(
        role, edges, inward, outward, addresses or {}, deadline, IDENTITY, bounds
    )


def ports_of(*ports: int) -> io.BytesIO:
    """A stream of ports, as specified: two bytes each, big-endian."""
    return io.BytesIO(struct.pack(f">{len(ports)}H", *ports))


def unused_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as one:
        one.bind((LOOPBACK, 0))
        return one.getsockname()[1]


class Heard(io.BytesIO):
    """A stream that calls someone back with the ports that are written to it."""

    def __init__(self, call: Callable[[tuple[int, ...]], None]) -> None:
        super().__init__()
        self._call = call

    def write(self, data: bytes, /) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        self._call(struct.unpack(f">{len(data) // 2}H", data))
        return super().write(data)


def test_ports_are_two_bytes_each_in_the_order_of_the_edges() -> None:
    """Each port is told to one peer, whose connection becomes that peer's edge."""
    connections: dict[int, socket.socket] = {}

    def connect(ports: tuple[int, ...]) -> None:
        assert len(set(ports)) == 3
        for peer in (7, 9, 4):  # in another order than that in which they are accepted
            connections[peer] = socket.create_connection((LOOPBACK, ports[(4, 7, 9).index(peer)]))

    outward = Heard(connect)
    endpoint = establish(3, [4, 7, 9], outward=outward)
    assert len(outward.getvalue()) == 6
    with endpoint:
        for peer, connection in connections.items():
            endpoint.send(header(3, peer), b"")
            with connection:
                assert int.from_bytes(connection.recv(120)[44:48], "little") == peer


def test_a_listener_is_closed_once_its_peer_is_there() -> None:
    seen: list[int] = []
    peers: list[socket.socket] = []

    def connect(ports: tuple[int, ...]) -> None:
        seen.extend(ports)
        peers.append(socket.create_connection((LOOPBACK, ports[0])))

    refused = pytest.raises(ConnectionRefusedError)
    with establish(0, [1], outward=Heard(connect)), peers[0], refused:
        socket.create_connection((LOOPBACK, seen[0]))


def test_a_port_may_be_bound_again_at_once() -> None:
    """Though a connection of the last run may still be in TIME_WAIT on it."""
    with establishing._listener(1, LOOPBACK, SHORT) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR) == 1


def test_small_frames_leave_at_once() -> None:
    """Both ends of an edge have TCP_NODELAY, and the buffers that were asked for."""
    for bounds in (Bounds(), Bounds(buffer_bytes=8000)):
        results = run_roles({0: options_of, 1: options_of}, bounds=bounds)
        for no_delay, size in results.values():
            assert no_delay == 1
            assert (size == 16000) == (bounds.buffer_bytes is not None)


def options_of(endpoint: Endpoint) -> tuple[int, int]:
    """TCP_NODELAY and SO_SNDBUF of the one edge."""
    (edge,) = endpoint._edges.values()
    own = edge._socket
    no_delay = own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    return int(bool(no_delay)), own.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)


def test_an_address_for_each_role() -> None:
    """All of 127.0.0.0/8 is this host."""
    with socket.create_server(("127.0.0.5", 0)) as listener:
        inward = ports_of(listener.getsockname()[1])
        peers: list[socket.socket] = []

        def connect(ports: tuple[int, ...]) -> None:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((LOOPBACK, ports[0]))
            peers.append(socket.create_connection(("127.0.0.6", ports[0])))

        addresses = {0: "127.0.0.5", 1: "127.0.0.6"}
        with establish(1, [0, 2], inward, Heard(connect), addresses), peers[0]:
            connection, _ = listener.accept()
            connection.close()


@pytest.mark.parametrize("address", ["localhost", "::1", "127.1", "", "1.2.3.256"])
def test_an_address_is_a_dotted_one(address: str) -> None:
    """A name would be looked up, which nobody can bound."""
    with pytest.raises(ValueError, match=r"."):
        establish(1, [0], ports_of(1), addresses={0: address})


@pytest.mark.parametrize("edges", [[1], [0, 1], [2, 0], [0, 0], [-1]])
def test_peers_are_other_roles_in_ascending_order(edges: list[int]) -> None:
    with pytest.raises(ValueError, match="ascending order"):
        establish(1, edges, ports_of(1, 2))


def test_an_address_that_this_host_does_not_have() -> None:
    with pytest.raises(OSError) as caught:
        establish(0, [1], addresses={0: "192.0.2.1"})
    assert caught.value.errno == errno.EADDRNOTAVAIL


@pytest.mark.parametrize("size", range(4))
def test_ports_that_end_too_soon(size: int) -> None:
    stream = io.BytesIO(bytes((1,)) * size)
    with pytest.raises(PeerLost, match=f"after {size} of 4 bytes of ports") as caught:
        establish(5, [1, 3], stream)
    assert caught.value.role == (1, 3)[size // 2]
    reading, writing = os.pipe()
    os.write(writing, bytes((1,)) * size)
    os.close(writing)
    with open(reading, "rb") as stream, pytest.raises(PeerLost, match=f"after {size} of 4"):
        establish(5, [1, 3], stream)


def test_ports_that_do_not_come() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as stream, open(writing, "wb", buffering=0) as other:
        other.write(b"\0")
        began = time.monotonic()
        with pytest.raises(PeerLost, match=r"its port didn't come in the 0\.3 s") as caught:
            establish(5, [2], stream)
        assert 0.29 < time.monotonic() - began < 2.5
        assert caught.value.role == 2


def test_no_more_is_read_than_the_ports() -> None:
    reading, writing = os.pipe()
    with open(writing, "wb") as other:
        other.write(b"\0\7\1\0rest")
    with open(reading, "rb") as stream:
        assert read_ports(stream, [0, 1], Deadline.after(1)) == [7, 256]
        assert stream.read() == b"rest"


def test_a_port_of_nobody() -> None:
    with pytest.raises(PeerLost, match="its port is 0") as caught:
        establish(5, [1, 3], ports_of(9, 0))
    assert caught.value.role == 3


def test_nobody_reads_the_ports() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb"), open(writing, "wb", buffering=0) as outward:
        os.set_blocking(writing, False)
        while outward.write(bytes(4096)):
            pass
        os.set_blocking(writing, True)
        with pytest.raises(Overdue, match=r"no port was read in the 0\.3 s"):
            establish(0, [1], outward=outward)


def test_ports_come_behind_what_was_written_before() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as inward, open(writing, "wb") as outward:
        outward.write(b"before")
        announce(outward, [258], Deadline.after(1))
        assert inward.read(8) == b"before\1\2"


def test_nobody_reads_the_ports_behind_the_first() -> None:
    """There is room for a few, and a write of all of them would wait for ever."""
    reading, writing = os.pipe()
    errors: list[BaseException] = []

    def tell() -> None:
        try:
            announce(outward, [1] * 50_000, Deadline.after(0.3))
        except (OSError, Overdue) as error:
            errors.append(error)

    with open(reading, "rb") as inward, open(writing, "wb", buffering=0) as outward:
        thread = threading.Thread(target=tell)
        thread.start()
        thread.join(2.5)
        ended = not thread.is_alive()
        inward.close()  # which ends a write that waits
        thread.join()
    assert ended
    assert [type(error) for error in errors] == [Overdue]


def test_a_reader_of_ports_that_is_gone() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb", buffering=0) as outward, pytest.raises(BrokenPipeError):
        establish(0, [1], outward=outward)


def test_many_ports_pass_a_pipe() -> None:
    """More than a pipe takes at once, and while its reader is slow."""
    ports = [1 + at % 65535 for at in range(50_000)]
    reading, writing = os.pipe()
    found: list[int] = []
    with open(reading, "rb") as inward, open(writing, "wb") as outward:
        arguments = (inward, list(range(len(ports))), Deadline.after(5))
        thread = threading.Thread(target=lambda: found.extend(read_ports(*arguments)))
        thread.start()
        announce(outward, ports, Deadline.after(5))
        thread.join()
    assert found == ports


def test_a_peer_that_never_listens() -> None:
    for bounds in (SHORT, Bounds(connect_attempts_max=3)):
        began = time.monotonic()
        with pytest.raises(PeerLost, match=r"no connection to .*, ECONNREFUSED") as caught:
            establish(1, [0], ports_of(unused_port()), bounds=bounds)
        assert caught.value.role == 0
        assert time.monotonic() - began < 2.5


def test_no_pause_is_longer_than_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(establishing, "PAUSE_SECONDS_MIN", 60.0)
    began = time.monotonic()
    with pytest.raises(PeerLost, match="ECONNREFUSED"):
        establish(1, [0], ports_of(unused_port()))
    assert time.monotonic() - began < 2.5


def test_a_peer_that_listens_late() -> None:
    """An attempt that is refused is followed by others, for as long as the bounds allow."""
    port = unused_port()
    server: list[socket.socket] = []

    def listen() -> None:
        server.append(socket.create_server((LOOPBACK, port)))

    timer = threading.Timer(0.1, listen)
    timer.start()
    with establish(1, [0], ports_of(port), bounds=Bounds(wait_seconds_max=5.0)):
        timer.join()
    server[0].close()


def test_a_peer_that_does_not_answer() -> None:
    """The queue of its listener is full, so that the system answers nothing to an attempt."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        listener.listen(0)
        address = listener.getsockname()
        with socket.create_connection(address):
            began = time.monotonic()
            with pytest.raises(PeerLost, match=r"no answer in the 0\.3 s of connecting"):
                establish(1, [0], ports_of(address[1]))
            assert 0.29 < time.monotonic() - began < 2.5


def test_a_peer_that_never_connects() -> None:
    began = time.monotonic()
    with pytest.raises(PeerLost, match=r"it didn't connect in the 0\.3 s") as caught:
        establish(0, [1])
    assert caught.value.role == 1
    assert 0.29 < time.monotonic() - began < 2.5


def test_the_second_of_three_peers_never_connects() -> None:
    """What was established before is closed again."""
    peers: list[socket.socket] = []

    def connect(ports: tuple[int, ...]) -> None:
        peers.append(socket.create_connection((LOOPBACK, ports[0])))

    with pytest.raises(PeerLost) as caught:
        establish(0, [1, 2, 3], outward=Heard(connect))
    assert caught.value.role == 2
    with peers[0] as peer:
        peer.settimeout(1.0)
        assert peer.recv(1) == b""


def test_a_connection_with_itself_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that is bound to the port that it connects to, as the system may choose it."""
    port = unused_port()
    own = establishing._open
    near_ends: list[int] = []

    def bound(peer: int, bounds: Bounds) -> socket.socket:
        connection = own(peer, bounds)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        connection.bind((LOOPBACK, port))
        near_ends.append(port)
        return connection

    monkeypatch.setattr(establishing, "_open", bound)
    with pytest.raises(PeerLost, match=f"no connection to {LOOPBACK}:{port}, it was connected to"):
        establish(1, [0], ports_of(port), bounds=Bounds(connect_attempts_max=2))
    assert len(near_ends) == 2


def test_a_port_that_was_told_to_the_wrong_peer() -> None:
    """A peer is known by its port only until its first frame."""
    peers: list[socket.socket] = []

    def connect(ports: tuple[int, ...]) -> None:
        peers.extend(socket.create_connection((LOOPBACK, port)) for port in ports)
        peers[0].sendall(encode(header(2, 0), IDENTITY, b""))

    with establish(0, [1, 2], outward=Heard(connect)) as endpoint:
        with pytest.raises(Refusal, match="expected sender 1 in .*, found 2") as caught:
            endpoint.receive(header(1, 0))
        assert caught.value.code == "frame-edge"
    for peer in peers:
        peer.close()


def test_the_edges_of_every_role() -> None:
    edges = [(0, 2), (1, 2), (2, 3)]
    assert peers_of(2, edges) == [0, 1, 3]
    results = run_roles(dict.fromkeys(range(4), lambda endpoint: endpoint.finish()), edges)
    assert results == dict.fromkeys(range(4))


def test_a_role_without_edges() -> None:
    outward = io.BytesIO()
    with establish(0, [], outward=outward) as endpoint:
        endpoint.finish()
    assert outward.getvalue() == b""
