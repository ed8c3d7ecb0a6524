"""Waits end when they should, whoever asks for how long."""

from __future__ import annotations

import select
import socket
import time
from typing import Any

import pytest

from alpha.interpreters.participants.deadlines import Deadline, glance, wait
from alpha.interpreters.participants.edges import Edge
from alpha.interpreters.participants.failures import PeerLost


def test_a_wait_ends_with_the_session() -> None:
    session = Deadline.after(10.0)
    assert session.name == "the 10 s of the session"
    assert session.within(20.0, "waiting") is session
    sooner = session.within(2.5, "waiting")
    assert sooner.name == "the 2.5 s of waiting"
    assert 2.0 < sooner.remaining() <= 2.5


def test_a_deadline_that_has_passed_has_nothing_left() -> None:
    assert Deadline.after(-5.0).remaining() == 0.0
    assert Deadline.after(0.0).remaining() == 0.0


def test_deadlines_are_of_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    deadline = Deadline.after(10.0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert 9.0 < deadline.remaining() <= 10.0
    monkeypatch.setattr(time, "monotonic", lambda: deadline.at - 3.0)
    assert deadline.remaining() == 3.0


def test_waiting_for_an_event() -> None:
    near, far = socket.socketpair()
    with near, far:
        assert wait(near.fileno(), select.POLLIN, Deadline.after(0.05)) == 0
        assert glance(near.fileno(), select.POLLIN) == 0
        far.sendall(b"x")
        assert wait(near.fileno(), select.POLLIN, Deadline.after(1e9)) == select.POLLIN
        assert glance(near.fileno(), select.POLLIN) == select.POLLIN
        assert wait(near.fileno(), select.POLLIN, Deadline.after(0)) == 0


def test_a_short_wait_sleeps_to_its_end() -> None:
    """It neither ends before, nor polls again and again for what a poll is too coarse for."""
    near, far = socket.socketpair()
    with near, far:
        before = time.process_time()
        for _ in range(100):
            deadline = Deadline.after(0.0019)
            assert wait(near.fileno(), select.POLLIN, deadline) == 0
            assert deadline.remaining() == 0.0
        assert time.process_time() - before < 0.1


class Slow(socket.socket):
    """A socket on which there is always one byte more, a little later."""

    def recv_into(self, buffer: Any, *arguments: Any, **named: Any) -> int:
        time.sleep(0.005)
        buffer[0] = 0
        return 1


def test_bytes_that_never_cease_do_not_extend_a_wait() -> None:
    with Slow() as slow:
        began = time.monotonic()
        with pytest.raises(PeerLost, match=r"of 1000 bytes came in the 0\.1 s of waiting"):
            Edge(0, slow).receive(bytearray(1000), Deadline.after(0.1, "waiting"))
        assert time.monotonic() - began < 0.5


def test_what_is_complete_at_the_deadline_counts() -> None:
    near, far = socket.socketpair()
    with near, far:
        far.sendall(b"word")
        data = bytearray(4)
        assert Edge(0, near).receive(data, Deadline.after(0)) == 4
        assert data == b"word"
