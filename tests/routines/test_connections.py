"""How edges of the runtime are made and closed, with peers of this process."""

from __future__ import annotations

import errno
import os
import resource
import socket
import time

import pytest
from routines.library import MACHINES
from routines.peers import (
    DATA,
    EDGE,
    FREE,
    LOOPBACK,
    OTHER,
    REST,
    ROOM,
    SMALLEST,
    joined,
    listening,
    port_of,
    process,
    reset,
)
from routines.remote import FAR, OVERDUE, Remote, after

both = pytest.mark.parametrize("machine", MACHINES)


def check_connection(remote: Remote, descriptor: int, buffer: int) -> None:
    """A connection has the options that every one is to have."""
    flags = remote.flags(descriptor)
    assert flags & os.O_NONBLOCK and flags & os.O_CLOEXEC
    tcp, level = socket.IPPROTO_TCP, socket.SOL_SOCKET
    assert remote.option(descriptor, tcp, socket.TCP_NODELAY, ROOM) == 1
    if buffer:
        # The system has doubled them, or taken its least.
        sent, read = (
            remote.option(descriptor, level, name, ROOM)
            for name in (socket.SO_SNDBUF, socket.SO_RCVBUF)
        )
        assert (sent, read) == ((4608, 2304) if buffer == SMALLEST else (2 * buffer, 2 * buffer))


@both
@pytest.mark.parametrize("buffer", [0, SMALLEST, 50_000])
def test_listen_and_accept(machine: str, buffer: int) -> None:
    with process(machine) as remote:
        before = remote.descriptors()
        port = remote.call("alpha_listen", EDGE, LOOPBACK, buffer)
        record = remote.words(EDGE, 8)
        assert record == (-1, *REST, record[4], 13, 14, 15)
        check_connection(remote, record[4], buffer)
        assert remote.option(record[4], socket.SOL_SOCKET, socket.SO_REUSEADDR, ROOM) == 1
        with socket.create_connection(("127.0.0.1", port), 5) as peer:
            assert peer.getpeername() == ("127.0.0.1", port)
            assert remote.call("alpha_accept", EDGE, buffer, after(5)) == 0
            made = remote.words(EDGE, 8)
            assert made == (made[0], *REST, -1, 13, 14, 15)
            check_connection(remote, made[0], buffer)
            # The listener is closed, so nobody else is let in.
            assert remote.descriptors() == before | {made[0]}
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), 5)
            peer.sendall(b"x")
            assert remote.call("alpha_receive_bytes", EDGE, DATA, 1, after(5)) == 1
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.words(EDGE, 8) == (*FREE[:6], 1, *FREE[7:])
        assert remote.descriptors() == before


@both
@pytest.mark.parametrize("buffer", [0, SMALLEST, 50_000])
def test_connect(machine: str, buffer: int) -> None:
    with process(machine) as remote, joined(remote, buffer) as peer:
        record = remote.words(EDGE, 8)
        assert record == (record[0], *REST, -1, 13, 14, 15)
        check_connection(remote, record[0], buffer)
        peer.sendall(b"abc")
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 3, after(5)) == 3
        assert remote.fetch(DATA, 3) == b"abc"


@both
def test_another_address_of_the_loopback(machine: str) -> None:
    """Bytes of the address and of the port stand in their order."""
    with process(machine) as remote, socket.socket() as listener:
        listener.bind(("127.1.2.3", 0))
        listener.listen(1)
        port = port_of(listener)
        assert remote.call("alpha_connect", EDGE, 0x7F010203, port, 0, after(10)) == 0
        listener.accept()[0].close()
        port = remote.call("alpha_listen", OTHER, 0x7F020304, 0)
        with socket.create_connection(("127.2.3.4", port), 5):
            assert remote.call("alpha_accept", OTHER, 0, after(5)) == 0


@both
def test_an_address_that_isn_t_here(machine: str) -> None:
    with process(machine) as remote:
        before = remote.descriptors()
        elsewhere = 0xC0000201  # 192.0.2.1, which RFC 5737 keeps for documentation
        assert remote.call("alpha_listen", EDGE, elsewhere, 0) == -errno.EADDRNOTAVAIL
        assert remote.words(EDGE, 8) == FREE
        assert remote.descriptors() == before


@both
def test_each_listener_has_a_port_of_its_own(machine: str) -> None:
    with process(machine) as remote:
        ports = {remote.call("alpha_listen", at, LOOPBACK, 0) for at in (EDGE, OTHER)}
        assert len(ports) == 2 and all(0 < port < 65536 for port in ports)


@both
def test_nobody_connects(machine: str) -> None:
    with process(machine) as remote:
        before = remote.descriptors()
        assert remote.call("alpha_listen", EDGE, LOOPBACK, 0) > 0
        record, deadline = remote.words(EDGE, 8), after(0.05)
        assert remote.call("alpha_accept", EDGE, 0, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        assert remote.words(EDGE, 8) == record
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.descriptors() == before


@both
def test_who_connects_and_leaves_is_accepted(machine: str) -> None:
    with process(machine) as remote:
        port = remote.call("alpha_listen", EDGE, LOOPBACK, 0)
        reset(socket.create_connection(("127.0.0.1", port), 5))
        assert remote.call("alpha_accept", EDGE, 0, after(5)) == 0
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 1, FAR) == -errno.ECONNRESET


@both
def test_a_peer_that_listens_later(machine: str) -> None:
    with process(machine) as remote, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        before = remote.descriptors()
        remote.begin("alpha_connect", EDGE, LOOPBACK, port_of(listener), 0, after(10))
        assert not remote.ready(0.03)
        listener.listen(1)
        assert remote.result() == 0
        assert remote.descriptors() == before | {remote.words(EDGE, 1)[0]}


@both
@pytest.mark.parametrize("seconds", [0.0, 0.2])
def test_nobody_listens(machine: str, seconds: float) -> None:
    with process(machine) as remote, socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        before, deadline = remote.descriptors(), after(seconds)
        result = remote.call("alpha_connect", EDGE, LOOPBACK, port_of(bound), 0, deadline)
        assert result in (-errno.ECONNREFUSED, OVERDUE) and time.monotonic_ns() >= deadline
        assert result == -errno.ECONNREFUSED or not seconds
        assert remote.words(EDGE, 8) == FREE
        assert remote.descriptors() == before


@both
def test_nobody_answers(machine: str) -> None:
    """Those that may wait to be accepted are there already, so no more are answered."""
    with (
        process(machine) as remote,
        listening(backlog=0) as listener,
        socket.create_connection(listener.getsockname(), 5),
    ):
        before, deadline = remote.descriptors(), after(0.05)
        address = LOOPBACK, port_of(listener)
        assert remote.call("alpha_connect", EDGE, *address, 0, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        assert remote.descriptors() == before


@both
def test_attempts_and_pauses_are_bounded(machine: str) -> None:
    """A connection with itself counts as one that was refused."""
    itself = (
        '  %begun = linux.syscall "connect"(%socket, %at, %bytes)',
        '  %bound = linux.syscall "bind"(%socket, %at, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> i64\n'
        '  %begun = linux.syscall "connect"(%socket, %at, %bytes)',
    )
    shorter = ("%longest = arith.constant 500000000", "%longest = arith.constant 2000000")
    with process(machine, itself, shorter) as remote:
        before, start = remote.descriptors(), time.monotonic()
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = port_of(unused)
        result = remote.call("alpha_connect", EDGE, LOOPBACK, port, 0, after(10))
        assert result == -errno.ECONNREFUSED
        # One pause of 1 ms and 29 of 2 ms, the longest of this process.
        assert 0.059 <= time.monotonic() - start < 5
        assert remote.words(EDGE, 8) == FREE
        assert remote.descriptors() == before


@both
def test_no_descriptor_is_free(machine: str) -> None:
    with process(machine) as remote, listening() as listener:
        port = remote.call("alpha_listen", OTHER, LOOPBACK, 0)
        held = remote.descriptors()
        least = min(set(range(len(held) + 1)) - held)
        _, hard = resource.prlimit(remote.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(remote.process.pid, resource.RLIMIT_NOFILE, (least, hard))
        with socket.create_connection(("127.0.0.1", port), 5):
            address = LOOPBACK, port_of(listener)
            assert remote.call("alpha_listen", EDGE, LOOPBACK, 0) == -errno.EMFILE
            assert remote.call("alpha_connect", EDGE, *address, 0, FAR) == -errno.EMFILE
            assert remote.call("alpha_accept", OTHER, 0, FAR) == -errno.EMFILE
            resource.prlimit(remote.process.pid, resource.RLIMIT_NOFILE, (hard, hard))
            assert remote.call("alpha_accept", OTHER, 0, FAR) == 0


@both
def test_closing_twice(machine: str) -> None:
    with process(machine) as remote:
        before = remote.descriptors()
        assert remote.call("alpha_close", EDGE) == 0
        with joined(remote) as peer:
            assert remote.call("alpha_close", EDGE) == 0
            assert peer.recv(1) == b""
        assert remote.words(EDGE, 8) == FREE
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.descriptors() == before
