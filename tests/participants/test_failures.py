"""Every errno has a meaning, and every failed call has the outcome of its errno."""

from __future__ import annotations

import errno
import io
import os
import socket
import struct
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any, ClassVar, get_args

import pytest
from participants.roles import IDENTITY, SHORT, header

from alpha.interpreters.participants import failures
from alpha.interpreters.participants.deadlines import Deadline
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.participants.failures import (
    MEANINGS,
    Call,
    Meaning,
    PeerLost,
    meaning_of,
    unless_retried,
)
from alpha.ir.frames import encode

# What the manual pages of Linux say that a TCP socket may get from each call.
PAGES = {
    "socket": "EACCES EAFNOSUPPORT EINVAL EMFILE ENFILE ENOBUFS ENOMEM EPROTONOSUPPORT",
    "option": "EBADF EFAULT EINVAL ENOPROTOOPT ENOTSOCK",
    "bind": "EACCES EADDRINUSE EBADF EINVAL ENOTSOCK EADDRNOTAVAIL EFAULT ENOMEM",
    "listen": "EADDRINUSE EBADF ENOTSOCK EOPNOTSUPP",
    "accept": "EAGAIN EWOULDBLOCK EBADF ECONNABORTED EFAULT EINTR EINVAL EMFILE ENFILE ENOBUFS "
    "ENOMEM ENOTSOCK EOPNOTSUPP EPERM EPROTO ENETDOWN ENOPROTOOPT EHOSTDOWN ENONET EHOSTUNREACH "
    "ENETUNREACH",
    "connect": "EACCES EPERM EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF "
    "ECONNREFUSED EFAULT EINPROGRESS EINTR EISCONN ENETUNREACH ENOTSOCK EPROTOTYPE ETIMEDOUT",
    "send": "EACCES EAGAIN EWOULDBLOCK EALREADY EBADF ECONNRESET EDESTADDRREQ EFAULT EINTR EINVAL "
    "EISCONN EMSGSIZE ENOBUFS ENOMEM ENOTCONN ENOTSOCK EOPNOTSUPP EPIPE ETIMEDOUT EHOSTUNREACH",
    "receive": "EAGAIN EWOULDBLOCK EBADF ECONNREFUSED EFAULT EINTR EINVAL ENOMEM ENOTCONN ENOTSOCK "
    "ECONNRESET ETIMEDOUT EHOSTUNREACH",
    "end": "EBADF EINVAL ENOTCONN ENOTSOCK",
}


def test_the_table_has_what_the_manual_pages_have() -> None:
    assert set(PAGES) == set(get_args(Call))
    for call in get_args(Call):
        for name in PAGES[call].split():
            assert (call, getattr(errno, name)) in MEANINGS, (call, name)


def test_a_call_has_one_meaning_for_an_errno() -> None:
    rows: dict[tuple[str, str], Meaning] = {}
    for call, meaning, names in failures._ROWS:
        for name in names.split():
            assert (call, name) not in rows, (call, name)
            rows[call, name] = meaning


@pytest.mark.parametrize(
    ("call", "name", "raised"),
    [
        ("send", "EAGAIN", None),
        ("receive", "EINTR", None),
        ("accept", "ECONNABORTED", None),
        ("connect", "ECONNREFUSED", None),
        ("send", "EPIPE", PeerLost),
        ("receive", "ECONNRESET", PeerLost),
        ("end", "ENOTCONN", PeerLost),
        ("socket", "EMFILE", OSError),
        ("bind", "EADDRNOTAVAIL", OSError),
        ("send", "ENOBUFS", OSError),
        ("receive", "EIO", OSError),
        ("send", "EBADF", RuntimeError),
        ("connect", "EISCONN", RuntimeError),
    ],
)
def test_what_an_errno_does(call: Call, name: str, raised: type[Exception] | None) -> None:
    error = OSError(getattr(errno, name), "said by the system")
    if raised is None:
        unless_retried(call, error, 3, "it was tried")
        return
    with pytest.raises(raised) as caught:
        unless_retried(call, error, 3, "it was tried")
    if raised is OSError:
        assert caught.value is error
    else:
        assert caught.value.__cause__ is error
        assert f"{name}, " in str(caught.value)
        assert "role 3" in str(caught.value)


def test_every_errno_means_something() -> None:
    for call in get_args(Call):
        for number in [*errno.errorcode, 9999]:
            assert isinstance(meaning_of(call, number), Meaning)
        assert meaning_of(call, 9999) is Meaning.HOST


class Scripted(socket.socket):
    """A socket of which one call fails with an errno, as often as it is told."""

    script: ClassVar[dict[str, Iterator[int]]] = {}
    """By call: the errno of each time that is still to come; 0 is none."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._step("socket")
        super().__init__(*arguments, **named)

    def _step(self, call: str) -> None:
        number = next(self.script.get(call, iter(())), 0)
        if number:
            raise OSError(number, os.strerror(number))

    def setsockopt(self, *arguments: Any) -> None:
        self._step("option")
        super().setsockopt(*arguments)

    def bind(self, *arguments: Any) -> None:
        self._step("bind")
        super().bind(*arguments)

    def listen(self, *arguments: Any) -> None:
        self._step("listen")
        super().listen(*arguments)

    def accept(self) -> Any:
        self._step("accept")
        return super().accept()

    def connect_ex(self, *arguments: Any) -> int:
        try:
            self._step("connect")
        except OSError as error:
            return error.errno or 0
        return super().connect_ex(*arguments)

    def sendmsg(self, *arguments: Any) -> int:
        self._step("send")
        return super().sendmsg(*arguments)

    def recv_into(self, *arguments: Any, **named: Any) -> int:
        self._step("receive")
        return super().recv_into(*arguments, **named)

    def shutdown(self, *arguments: Any) -> None:
        self._step("end")
        super().shutdown(*arguments)


ALWAYS = 1_000_000

CASES: list[tuple[Call, str, int, int, type[Exception] | None]] = [
    ("socket", "EMFILE", 0, 1, OSError),
    ("socket", "EINVAL", 0, 1, RuntimeError),
    ("option", "ENOMEM", 0, 1, OSError),
    ("option", "ENOPROTOOPT", 0, 1, RuntimeError),
    ("option", "ENOMEM", 3, 1, OSError),
    ("bind", "EADDRINUSE", 0, 1, OSError),
    ("bind", "EINVAL", 0, 1, RuntimeError),
    ("listen", "EADDRINUSE", 0, 1, OSError),
    ("listen", "EOPNOTSUPP", 0, 1, RuntimeError),
    ("accept", "EINTR", 0, 1, None),
    ("accept", "ECONNABORTED", 0, 2, None),
    ("accept", "EPROTO", 0, ALWAYS, PeerLost),
    ("accept", "EMFILE", 0, 1, OSError),
    ("accept", "EBADF", 0, 1, RuntimeError),
    ("connect", "ECONNREFUSED", 0, 3, None),
    ("connect", "EADDRNOTAVAIL", 0, 1, None),
    ("connect", "ENETUNREACH", 0, ALWAYS, PeerLost),
    ("connect", "EPERM", 0, 1, OSError),
    ("connect", "EISCONN", 0, 1, RuntimeError),
    ("send", "EINTR", 0, 1, None),
    ("send", "EAGAIN", 0, 3, None),
    ("send", "EAGAIN", 0, ALWAYS, PeerLost),
    ("send", "EPIPE", 0, 1, PeerLost),
    ("send", "ENOBUFS", 0, 1, OSError),
    ("send", "EMSGSIZE", 0, 1, RuntimeError),
    ("receive", "EINTR", 0, 1, None),
    ("receive", "EAGAIN", 0, 3, None),
    ("receive", "EAGAIN", 0, ALWAYS, PeerLost),
    ("receive", "ETIMEDOUT", 0, 1, PeerLost),
    ("receive", "ENOMEM", 0, 1, OSError),
    ("receive", "EIO", 0, 1, OSError),
    ("receive", "EFAULT", 0, 1, RuntimeError),
    ("end", "ENOTCONN", 0, 1, PeerLost),
    ("end", "EBADF", 0, 1, RuntimeError),
]
"""Which call fails how, behind how many that don't, how often, and what comes of it. The fourth
option is that of the accepted connection."""


class Dialled(io.BytesIO):
    """A stream of ports that are called as soon as they are written."""

    def __init__(self, peers: list[socket.socket]) -> None:
        super().__init__()
        self._peers = peers
        self._plain = socket.socket

    def flush(self) -> None:
        for (port,) in struct.iter_unpack(">H", self.getvalue()):
            peer = self._plain()
            self._peers.append(peer)
            peer.connect(("127.0.0.1", port))


@pytest.mark.parametrize(("call", "name", "before", "times", "raised"), CASES)
def test_a_failing_call(
    call: Call,
    name: str,
    before: int,
    times: int,
    raised: type[Exception] | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Role 1 reaches role 0 and is reached by role 2, both plain sockets, and passes a frame on.

    Whatever fails, it leaves no socket open.
    """
    plain, peers = socket.socket, []
    outward = Dialled(peers)
    frame = encode(header(0, 1, extent=4), IDENTITY, b"word")

    def perform(listener: socket.socket, inward: io.BytesIO) -> bytes:
        session = Deadline.after(10)
        with Endpoint.establish(1, [0, 2], inward, outward, {}, session, IDENTITY, SHORT) as one:
            peers.append(listener.accept()[0])
            peers[-1].sendall(frame)
            payload = one.receive(header(0, 1, extent=4))
            one.send(header(1, 2, extent=4), payload)
            for peer in peers:
                plain.shutdown(peer, socket.SHUT_WR)
            one.finish()
            return payload

    try:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            inward = io.BytesIO(struct.pack(">H", listener.getsockname()[1]))
            monkeypatch.setattr(Scripted, "script", {})
            monkeypatch.setattr(socket, "socket", Scripted)
            Scripted.script[call] = chain(repeat(0, before), repeat(getattr(errno, name), times))
            if raised is None:
                assert perform(listener, inward) == b"word"
                return
            with pytest.raises(raised) as caught:
                perform(listener, inward)
            if raised is OSError:
                assert caught.value.args[0] == getattr(errno, name)
    finally:
        for peer in peers:
            peer.close()
