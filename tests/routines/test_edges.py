"""What passes over edges of the runtime, and how they are lost, with peers of this process."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from routines.library import MACHINES
from routines.peers import (
    DATA,
    EDGE,
    LOOPBACK,
    PIECES,
    SMALLEST,
    joined,
    process,
    reset,
)
from routines.remote import ENDED, FAR, OVERDUE, Remote, after

BYTES = np.random.default_rng(61).bytes(1_000_001)

both = pytest.mark.parametrize("machine", MACHINES)


def lay_pieces(remote: Remote, *sizes: int) -> None:
    """Pieces of these sizes, one behind the other from DATA on."""
    words, at = [], remote.base + DATA
    for size in sizes:
        words += [at, size]
        at += size
    remote.store_words(PIECES, *words)


def left_in_pieces(remote: Remote, count: int) -> int:
    return sum(remote.words(PIECES, 2 * count)[1::2])


def read_all(peer: socket.socket, size: int, few: int = 65536) -> bytes:
    parts, left = [], size
    while left and (more := peer.recv(min(few, left))):
        parts.append(more)
        left -= len(more)
    return b"".join(parts)


@both
@pytest.mark.parametrize(
    "sizes", [(), (0,), (1,), (48, 0, 1000, 32), (0, 0, 5, 0), (1,) * 1500, (7, 900_000, 32)]
)
def test_pieces_arrive_whole_and_in_order(machine: str, sizes: tuple[int, ...]) -> None:
    with process(machine) as remote, joined(remote) as peer:
        total = sum(sizes)
        remote.store(DATA, BYTES[:total])
        lay_pieces(remote, *sizes)
        remote.begin("alpha_send_bytes", EDGE, PIECES, len(sizes), after(10))
        assert read_all(peer, total) == BYTES[:total]
        assert remote.result() == 0
        assert left_in_pieces(remote, len(sizes)) == 0
        assert remote.fetch(DATA, total) == BYTES[:total]
        assert remote.call("alpha_end_stream", EDGE) == 0
        assert peer.recv(1) == b""


@both
@pytest.mark.parametrize("sizes", [(), (0, 0), (48, 0, 1000, 32), (1,) * 1500, (7, 900_000, 32)])
def test_pieces_are_filled_in_order(machine: str, sizes: tuple[int, ...]) -> None:
    with process(machine) as remote, joined(remote) as peer:
        total = sum(sizes)
        lay_pieces(remote, *sizes)
        writer = threading.Thread(target=peer.sendall, args=(BYTES[: total + 5],))
        writer.start()
        remote.begin("alpha_receive_pieces", EDGE, PIECES, len(sizes), total, after(10))
        assert remote.result() == total
        writer.join()
        assert left_in_pieces(remote, len(sizes)) == 0
        assert remote.fetch(DATA, total) == BYTES[:total]
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 5, after(10)) == 5
        assert remote.fetch(DATA, 5) == BYTES[total : total + 5]


@both
def test_of_pieces_no_more_is_waited_for_than_is_asked(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        lay_pieces(remote, 10, 20, 5)
        remote.begin("alpha_receive_pieces", EDGE, PIECES, 3, 12, after(10))
        peer.sendall(BYTES[:9])
        assert not remote.ready(0.01)
        peer.sendall(BYTES[9:14])
        assert remote.result() == remote.words(EDGE, 7)[6] == 14
        assert remote.words(PIECES, 6)[1::2] == (0, 16, 5)
        peer.sendall(BYTES[14:20])
        # What came before a deadline is told with it, and kept.
        assert remote.call("alpha_receive_pieces", EDGE, PIECES, 3, 21, after(0.02)) == OVERDUE
        assert remote.words(EDGE, 7)[6] == 6
        peer.sendall(BYTES[20:100])
        assert remote.call("alpha_receive_pieces", EDGE, PIECES, 3, 15, after(10)) == 15
        assert remote.fetch(DATA, 36) == BYTES[:35] + b"\0"
        lay_pieces(remote, 100)
        peer.shutdown(socket.SHUT_WR)
        assert remote.call("alpha_receive_pieces", EDGE, PIECES, 1, 100, after(10)) == 65


@both
def test_what_fits_needs_no_time(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        lay_pieces(remote, 48, 100)
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 2, 0) == 0
        assert read_all(peer, 148) == bytes(148)


@both
def test_the_smallest_buffers_and_signals_change_no_byte(machine: str) -> None:
    with process(machine) as remote, joined(remote, SMALLEST) as peer:
        size = 150_001
        remote.store(DATA, BYTES[:size])
        lay_pieces(remote, 48, 70_000, 0, size - 70_048)
        received: list[bytes] = []
        reader = threading.Thread(target=lambda: received.append(read_all(peer, size, 999)))
        reader.start()
        remote.begin("alpha_send_bytes", EDGE, PIECES, 4, after(15))
        assert remote.result_in_a_storm(15.0) == 0
        reader.join()
        assert received == [BYTES[:size]]
        remote.store(DATA, bytes(size))
        writer = threading.Thread(target=peer.sendall, args=(BYTES[-size:],))
        writer.start()
        remote.begin("alpha_receive_bytes", EDGE, DATA, size, after(15))
        assert remote.result_in_a_storm(15.0) == size
        writer.join()
        assert remote.fetch(DATA, size) == BYTES[-size:]


@both
def test_bytes_that_come_one_by_one(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        remote.begin("alpha_receive_bytes", EDGE, DATA, 100, after(10))
        for at in range(100):
            assert not remote.ready(0.0005)
            peer.sendall(BYTES[at : at + 1])
        assert remote.result() == 100
        assert remote.fetch(DATA, 104) == BYTES[:100] + bytes(4)


@both
def test_not_a_byte_more_is_received(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        peer.sendall(b"0123456789")
        peer.shutdown(socket.SHUT_WR)
        for size, expected in ((0, b""), (4, b"0123"), (5, b"45678"), (3, b"9"), (3, b"")):
            remote.store(DATA, bytes(16))
            got = remote.call("alpha_receive_bytes", EDGE, DATA, size, after(5))
            assert (got, remote.fetch(DATA, 16)) == (len(expected), expected.ljust(16, b"\0"))


@both
def test_not_a_byte_more_is_received_when_some_came_before(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        remote.begin("alpha_receive_bytes", EDGE, DATA, 4, after(10))
        peer.sendall(b"01")
        assert not remote.ready(0.01)
        peer.sendall(b"23456789")
        assert remote.result() == 4
        assert remote.call("alpha_receive_bytes", EDGE, DATA + 4, 6, after(10)) == 6
        assert remote.fetch(DATA, 16) == b"0123456789" + bytes(6)


@both
def test_nothing_comes_before_the_deadline(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        peer.sendall(b"012")
        deadline = after(0.05)
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 4, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        # What is there is taken, however late it is.
        peer.sendall(b"3456")
        assert remote.call("alpha_wait", remote.words(EDGE, 1)[0], 1, FAR) == 1
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 4, 0) == 4


@both
def test_a_peer_that_sends_as_slowly_as_it_can(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        remote.begin("alpha_receive_bytes", EDGE, DATA, 1 << 20, after(0.1))
        while not remote.ready(0.0005):
            peer.sendall(b"x")
        assert remote.result() == OVERDUE


@both
def test_bytes_that_are_always_there_do_not_move_a_deadline(machine: str) -> None:
    """One call reads as far as the byte that is marked as urgent, another one what is behind."""
    with process(machine) as remote, joined(remote) as peer:
        for deadline, result in ((0, OVERDUE), (after(10), 4)):
            peer.send(b"ab")
            peer.send(b"!", socket.MSG_OOB)
            peer.send(b"cd")
            remote.store(DATA, bytes(4))
            assert remote.call("alpha_receive_bytes", EDGE, DATA, 4, deadline) == result
            if not deadline:
                assert remote.fetch(DATA, 4) == b"ab\0\0"
                assert remote.call("alpha_receive_bytes", EDGE, DATA + 2, 2, after(10)) == 2
            assert remote.fetch(DATA, 4) == b"abcd"


@both
def test_a_peer_that_does_not_read(machine: str) -> None:
    """The pieces say how much of them it took."""
    with process(machine) as remote, joined(remote, SMALLEST) as peer:
        size = 300_000
        remote.store(DATA, BYTES[:size])
        lay_pieces(remote, 48, 100_000, size - 100_048)
        deadline = after(0.1)
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 3, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        gone = size - left_in_pieces(remote, 3)
        assert 0 < gone < size
        remote.begin("alpha_close", EDGE)
        assert read_all(peer, size) == BYTES[:gone]
        assert remote.result() == 0


@both
def test_a_peer_that_takes_a_little_at_a_time(machine: str) -> None:
    with process(machine) as remote, joined(remote, SMALLEST) as peer:
        lay_pieces(remote, 1_000_000)
        remote.begin("alpha_send_bytes", EDGE, PIECES, 1, after(0.1))
        while not remote.ready(0.001):
            peer.recv(100)
        assert remote.result() == OVERDUE


@both
@pytest.mark.parametrize("sizes", [(), (1,)])
def test_a_peer_that_has_left_is_not_sent_to(machine: str, sizes: tuple[int, ...]) -> None:
    with process(machine) as remote, joined(remote) as peer:
        peer.shutdown(socket.SHUT_WR)
        lay_pieces(remote, *sizes)
        for _ in range(2):
            assert remote.call("alpha_send_bytes", EDGE, PIECES, len(sizes), FAR) == ENDED
        assert left_in_pieces(remote, len(sizes)) == sum(sizes)
        assert remote.call("alpha_end_stream", EDGE) == 0
        assert peer.recv(1) == b""


@both
def test_a_peer_that_was_reset_is_not_sent_to(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        lay_pieces(remote, 1)
        reset(peer)
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 1, FAR) == -errno.ECONNRESET
        # The error of a connection is told once.
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 1, FAR) == ENDED
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 1, FAR) == 0
        assert remote.call("alpha_end_stream", EDGE) == -errno.ENOTCONN
        assert remote.call("alpha_close", EDGE) == 0


@both
@pytest.mark.parametrize(
    ("leave", "result"),
    [
        (lambda peer: peer.shutdown(socket.SHUT_WR), ENDED),
        (lambda peer: reset(peer), -errno.ECONNRESET),
        # Closing with bytes that weren't read is a reset, too.
        (lambda peer: peer.close(), -errno.ECONNRESET),
    ],
)
def test_a_peer_that_leaves_while_it_is_sent_to(
    machine: str, leave: Callable[[socket.socket], None], result: int
) -> None:
    with process(machine) as remote, joined(remote, SMALLEST) as peer:
        lay_pieces(remote, 1_000_000)
        remote.begin("alpha_send_bytes", EDGE, PIECES, 1, after(10))
        assert not remote.ready(0.03)
        leave(peer)
        assert remote.result() == result


@both
def test_a_peer_that_is_reset_while_it_is_received_from(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        remote.begin("alpha_receive_bytes", EDGE, DATA, 10, after(10))
        peer.sendall(b"012")
        assert not remote.ready(0.02)
        reset(peer)
        assert remote.result() == -errno.ECONNRESET
        assert remote.fetch(DATA, 4) == b"012\0"


@both
def test_no_signal_is_raised_by_sending(machine: str) -> None:
    """SIGPIPE ends a process in which nobody has chosen to ignore it."""
    with process(machine) as remote, joined(remote):
        assert remote.call("alpha_end_stream", EDGE) == 0
        lay_pieces(remote, 1)
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 1, FAR) == -errno.EPIPE
        assert remote.call("alpha_end_stream", EDGE) == 0


@both
def test_both_halves_end_on_their_own(machine: str) -> None:
    with process(machine) as remote, joined(remote) as peer:
        assert remote.call("alpha_end_stream", EDGE) == 0
        assert peer.recv(1) == b""
        peer.sendall(b"later")
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 5, after(5)) == 5
        assert remote.fetch(DATA, 5) == b"later"


@both
def test_edges_of_two_processes(machine: str) -> None:
    """Each machine's process with one of this host's first machine."""
    with process(machine) as one, process(MACHINES[0]) as other:
        port = one.call("alpha_listen", EDGE, LOOPBACK, SMALLEST)
        assert other.call("alpha_connect", EDGE, LOOPBACK, port, SMALLEST, after(5)) == 0
        assert one.call("alpha_accept", EDGE, SMALLEST, after(5)) == 0
        for sender, receiver in ((one, other), (other, one)):
            sender.store(DATA, BYTES[:100_000])
            lay_pieces(sender, 100_000)
            sender.begin("alpha_send_bytes", EDGE, PIECES, 1, after(10))
            assert receiver.call("alpha_receive_bytes", EDGE, DATA, 100_000, after(10)) == 100_000
            assert sender.result() == 0
            assert receiver.fetch(DATA, 100_000) == BYTES[:100_000]
