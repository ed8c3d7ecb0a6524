"""Every errno of every call of an edge, beside what an interpreted participant makes of it."""

from __future__ import annotations

import contextlib
import errno
import socket
import time
from collections.abc import Iterator, Sequence

import pytest
from routines.library import MACHINES
from routines.refusing_calls import FIRST, Failing, install
from routines.remote import FAR, OVERDUE, Remote, after

from alpha.backends.toolchain.machines import host_machine
from alpha.interpreters.participants.establishing import PENDING
from alpha.interpreters.participants.failures import Call, Meaning, meaning_of

LOOPBACK = 0x7F000001
EDGE, PIECES, DATA = 0, 64, 256
FREE = (-1, 1, 0, 0, -1, 0, 0, 0)
NUMBERS = range(1, 134)
"""All that Linux has."""

CONNECT_MASK = 127

both = pytest.mark.parametrize("machine", MACHINES)


@contextlib.contextmanager
def failing(machine: str, calls: Sequence[Failing]) -> Iterator[Remote]:
    """A process some calls of which fail, with the record of an edge that isn't made."""
    with Remote(machine, before=lambda: install(calls)) as remote:
        remote.store_words(EDGE, *FREE)
        yield remote


def retried(call: Call, number: int) -> bool:
    return meaning_of(call, number) is Meaning.RETRY


@both
def test_accepting_sending_and_receiving(machine: str) -> None:
    """What is tried again waits, here until a deadline that has passed."""
    names = ("accept4", "sendmsg", "recvmsg", "shutdown", "read", "write")
    with failing(machine, [Failing(name) for name in names]) as remote:
        for number in NUMBERS:
            remote.store_words(EDGE, FIRST + number, 1, 0, 0, FIRST + number)
            remote.store_words(PIECES, remote.base + DATA, 8)
            found = [
                remote.call("alpha_accept", EDGE, 0, 0),
                remote.call("alpha_send_bytes", EDGE, PIECES, 1, 0),
                remote.call("alpha_receive_bytes", EDGE, DATA, 8, 0),
                remote.call("alpha_end_stream", EDGE),
            ]
            again = [retried(call, number) for call in ("accept", "send", "receive")]
            assert found == [OVERDUE if later else -number for later in (*again, False)], number
            for name in ("alpha_read", "alpha_write"):
                later = number in (errno.EAGAIN, errno.EINTR)
                deadline = after(0.003) if later else FAR
                result = remote.call(name, FIRST + number, DATA, 8, deadline)
                assert result == (OVERDUE if later else -number)


@both
def test_connecting(machine: str) -> None:
    """Sockets aren't closed here, so that each attempt has another, and so another error."""
    calls = [Failing("connect", mask=CONNECT_MASK), Failing("close", number=0)]
    with failing(machine, calls) as remote:
        held = remote.descriptors()
        next_one = min(set(range(len(held) + 1)) - held)
        met: set[int] = set()
        while len(met) <= CONNECT_MASK:
            expected = None
            while expected is None:
                number = next_one & CONNECT_MASK
                met.add(number)
                next_one += 1
                if number == 0 or number in PENDING:
                    expected = 0  # A socket that isn't connected has no error to tell.
                elif not retried("connect", number):
                    expected = -number
            assert remote.call("alpha_connect", EDGE, LOOPBACK, 1, 0, FAR) == expected
        assert len(remote.descriptors() - held) == next_one - min(set(range(len(held) + 1)) - held)


@both
def test_the_number_of_attempts(machine: str) -> None:
    calls = [Failing("connect", number=errno.ECONNREFUSED), Failing("close", number=0)]
    shorter = ("%longest = arith.constant 500000000", "%longest = arith.constant 2000000")
    with Remote(machine, before=lambda: install(calls), changes=(shorter,)) as remote:
        held = remote.descriptors()
        result = remote.call("alpha_connect", EDGE, LOOPBACK, 1, 0, FAR)
        assert result == -errno.ECONNREFUSED
        assert len(remote.descriptors() - held) == 30


OPTIONS = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY),
    (socket.SOL_SOCKET, socket.SO_SNDBUF),
    (socket.SOL_SOCKET, socket.SO_RCVBUF),
    (socket.SOL_SOCKET, socket.SO_REUSEADDR),
)


@both
@pytest.mark.parametrize(
    "call",
    [
        *(Failing(name, errno.ENOBUFS) for name in ("socket", "bind", "listen", "getsockname")),
        *(Failing("setsockopt", errno.ENOBUFS, None, ((1, x), (2, y))) for x, y in OPTIONS),
    ],
    ids=lambda call: "_".join([call.call, *(str(value) for _, value in call.arguments)]),
)
def test_what_fails_on_the_way_leaves_nothing(machine: str, call: Failing) -> None:
    with failing(machine, [call]) as remote, socket.create_server(("127.0.0.1", 0)) as peer:
        before = remote.descriptors()
        assert remote.call("alpha_listen", EDGE, LOOPBACK, 5000) == -errno.ENOBUFS
        _, port = peer.getsockname()
        listens_only = call.call in ("bind", "listen") or call.arguments == ((1, 1), (2, 2))
        result = remote.call("alpha_connect", EDGE, LOOPBACK, port, 5000, after(5))
        assert result == (0 if listens_only else -errno.ENOBUFS)
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.words(EDGE, 8) == FREE
        assert remote.descriptors() == before


def accepted(remote: Remote) -> tuple[int, int]:
    """What accepting a connection returns, and the descriptor that the record then has."""
    remote.store_words(EDGE, *FREE)
    port = remote.call("alpha_listen", EDGE, LOOPBACK, 0)
    with socket.create_connection(("127.0.0.1", port), 5):
        return remote.call("alpha_accept", EDGE, 0, FAR), remote.words(EDGE, 1)[0]


@both
def test_an_option_of_an_accepted_connection(machine: str) -> None:
    """Its listener's are set, under another descriptor."""
    with Remote(machine) as remote:
        result, descriptor = accepted(remote)
        assert result == 0
    with failing(
        machine, [Failing("setsockopt", errno.ENOBUFS, None, ((0, descriptor),))]
    ) as remote:
        before = remote.descriptors()
        assert accepted(remote) == (-errno.ENOBUFS, -1)
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.descriptors() == before


@both
@pytest.mark.parametrize("number", [errno.ENOMEM, errno.EINVAL])
def test_the_waiting_itself_fails(machine: str, number: int) -> None:
    with failing(machine, [Failing("ppoll", number)]) as remote:
        before = remote.descriptors()
        assert remote.call("alpha_wait", 0, 1, FAR) == -number
        assert remote.call("alpha_glance", 0, 1) == -number
        assert remote.call("alpha_write", 1, DATA, 8, FAR) == -number
        assert remote.call("alpha_read", 0, DATA, 8, FAR) == -number
        assert remote.call("alpha_listen", EDGE, LOOPBACK, 0) > 0
        assert remote.call("alpha_accept", EDGE, 0, FAR) == -number
        assert remote.call("alpha_connect", EDGE, LOOPBACK, 1, 0, FAR) == -number
        assert remote.call("alpha_send_bytes", EDGE, PIECES, 0, FAR) == -number
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.descriptors() == before
    calls = [Failing("ppoll", number), Failing("connect", errno.ECONNREFUSED)]
    with failing(machine, calls) as remote:
        assert remote.call("alpha_connect", EDGE, LOOPBACK, 1, 0, FAR) == -number


@both
def test_the_first_descriptor_is_one(machine: str) -> None:
    """It isn't closed here, since commands come through it."""
    with failing(machine, [Failing("close", number=0)]) as remote:
        remote.store_words(EDGE, 0, *FREE[1:4], 0)
        assert remote.call("alpha_close", EDGE) == 0
        assert remote.words(EDGE, 8) == FREE


@both
def test_an_error_that_cannot_be_asked_for(machine: str) -> None:
    calls = [Failing("getsockopt", errno.ENOBUFS)]
    with failing(machine, calls) as remote, socket.create_server(("127.0.0.1", 0)) as listener:
        _, port = listener.getsockname()
        before = remote.descriptors()
        assert remote.call("alpha_connect", EDGE, LOOPBACK, port, 0, FAR) == -errno.ENOBUFS
        assert remote.descriptors() == before


@both
def test_waits_that_are_interrupted_all_the_time(machine: str) -> None:
    with failing(machine, [Failing("ppoll", errno.EINTR)]) as remote:
        deadline = after(0.01)
        assert remote.call("alpha_wait", 0, 1, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        remote.begin("alpha_glance", 0, 1)
        assert not remote.ready(0.02)


def test_a_clock_that_cannot_be_read() -> None:
    """An emulator reads it without a system call."""
    host = host_machine()
    assert host is not None
    with failing(host.name, [Failing("clock_gettime", errno.EPERM)]) as remote:
        assert remote.call("alpha_now") == -errno.EPERM
        assert remote.call("alpha_sooner", 5, FAR) == -errno.EPERM
        assert remote.call("alpha_sooner", FAR, 5) == -errno.EPERM
        assert remote.call("alpha_wait", 0, 1, FAR) == -errno.EPERM


@both
def test_who_asks_again_needs_no_waiting_in_the_kernel(machine: str) -> None:
    """Until it has asked for long enough, or the deadline has passed."""
    with (
        failing(machine, [Failing("ppoll", errno.ENOMEM)]) as remote,
        contextlib.ExitStack() as ends,
    ):
        port = remote.call("alpha_listen", EDGE, LOOPBACK, 0)
        peer = ends.enter_context(socket.create_connection(("127.0.0.1", port), 5))
        assert remote.call("alpha_accept", EDGE, 0, FAR) == 0
        for spin, late, expected in ((0, 0.0, -errno.ENOMEM), (FAR // 4, 0.02, 4)):
            remote.call("alpha_set_spin", spin)
            remote.begin("alpha_receive_bytes", EDGE, DATA, 4, after(20))
            if late:
                peer.sendall(b"01")
                assert not remote.ready(late)
                peer.sendall(b"23")
            assert remote.result() == expected
        assert remote.fetch(DATA, 4) == b"0123"
        remote.call("alpha_set_spin", 1_000_000)
        before = time.monotonic_ns()
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 4, after(20)) == -errno.ENOMEM
        assert time.monotonic_ns() - before >= 1_000_000
        remote.call("alpha_set_spin", FAR // 4)
        # A deadline that passes is seen where it is waited, which fails here.
        assert remote.call("alpha_receive_bytes", EDGE, DATA, 4, after(0.01)) == OVERDUE
