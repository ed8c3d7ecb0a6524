"""The clock and the waiting of the runtime, beside the clock of this process."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from routines.library import MACHINES
from routines.remote import FAR, OVERDUE, Remote, after

POLLRDHUP = select.POLLRDHUP


@pytest.fixture(params=MACHINES)
def held(request: pytest.FixtureRequest) -> Iterator[tuple[Remote, int, int]]:
    """A process that has both ends of a pipe, and these ends."""
    out, into = os.pipe()
    try:
        with Remote(request.param, passed=(out, into)) as remote:
            yield remote, out, into
    finally:
        os.close(out)
        os.close(into)


Held = tuple[Remote, int, int]


def ticks(remote: Remote) -> int:
    """How long the process has computed, in hundredths of a second."""
    text = Path(f"/proc/{remote.process.pid}/stat").read_text(encoding="ascii")
    user, system = text.rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


def test_it_is_now(held: Held) -> None:
    remote, *_ = held
    for _ in range(20):
        before = time.monotonic_ns()
        assert before <= remote.call("alpha_now") <= time.monotonic_ns()


@pytest.mark.parametrize("ns", [0, 1, 10**9, 10**18])
def test_a_moment_in_so_many_nanoseconds(held: Held, ns: int) -> None:
    remote, *_ = held
    before = time.monotonic_ns()
    assert before <= remote.call("alpha_sooner", ns, FAR) - ns <= time.monotonic_ns()


def test_no_moment_is_later_than_the_session(held: Held) -> None:
    remote, *_ = held
    for session in (after(10), time.monotonic_ns(), 1, 0, -1, -FAR):
        assert remote.call("alpha_sooner", 60 * 10**9, session) == session
        assert remote.call("alpha_sooner", FAR, session) == session


def test_the_last_moment_isn_t_passed(held: Held) -> None:
    remote, *_ = held
    assert remote.call("alpha_sooner", FAR, FAR) == FAR
    now = time.monotonic_ns()
    # As many as there are, and so few less that they don't reach the end.
    assert remote.call("alpha_sooner", FAR - now, FAR) == FAR
    assert remote.call("alpha_sooner", FAR - now - 60 * 10**9, FAR) < FAR


def test_events_that_are_there(held: Held) -> None:
    remote, out, into = held
    assert remote.call("alpha_glance", out, select.POLLIN) == 0
    assert remote.call("alpha_glance", into, select.POLLOUT) == select.POLLOUT
    assert remote.call("alpha_wait", into, select.POLLOUT, FAR) == select.POLLOUT
    os.write(into, b"x")
    assert remote.call("alpha_wait", out, select.POLLIN | select.POLLOUT, FAR) == select.POLLIN
    assert remote.call("alpha_glance", out, select.POLLIN | POLLRDHUP) == select.POLLIN
    assert remote.call("alpha_glance", out, select.POLLOUT) == 0
    assert remote.call("alpha_glance", -1, select.POLLIN) == 0


def test_events_that_nobody_asked_for(held: Held) -> None:
    remote, out, _ = held
    unused = max(remote.descriptors()) + 1
    assert remote.call("alpha_wait", unused, select.POLLIN, FAR) == select.POLLNVAL
    assert remote.call("alpha_glance", unused, 0) == select.POLLNVAL
    # The whole of a descriptor is looked at, and no event is taken for a part of it.
    assert remote.call("alpha_wait", 1 << 30, 0xFFFF, FAR) == select.POLLNVAL
    assert remote.call("alpha_glance", out, 0) == 0


@pytest.mark.parametrize("machine", MACHINES)
def test_the_other_end_is_closed(machine: str) -> None:
    out, into = os.pipe()
    try:
        with Remote(machine, passed=(out,)) as remote:
            os.close(into)
            assert remote.call("alpha_wait", out, select.POLLIN, FAR) == select.POLLHUP
            assert remote.call("alpha_glance", out, 0) == select.POLLHUP
    finally:
        os.close(out)


def test_nothing_is_looked_at_after_the_deadline(held: Held) -> None:
    remote, _, into = held
    for deadline in (time.monotonic_ns(), 0, -1, -FAR, -FAR - 1):
        assert remote.call("alpha_wait", into, select.POLLOUT, deadline) == OVERDUE


@pytest.mark.parametrize("ns", [0, 1, 999, 1_000_000, 30_000_001])
def test_a_wait_ends_at_its_deadline_and_not_before(held: Held, ns: int) -> None:
    remote, out, _ = held
    for descriptor in (out, -1):
        deadline = time.monotonic_ns() + ns
        assert remote.call("alpha_wait", descriptor, select.POLLIN, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline


def test_who_waits_does_not_compute(held: Held) -> None:
    remote, out, _ = held
    before = ticks(remote)
    assert remote.call("alpha_wait", out, select.POLLIN, after(0.2)) == OVERDUE
    assert ticks(remote) - before <= 5


def test_an_event_ends_a_wait(held: Held) -> None:
    remote, out, into = held
    # More than a second, and the longest that there is: both halves of the time are used.
    for deadline in (after(2.5), FAR):
        remote.begin("alpha_wait", out, select.POLLIN, deadline)
        assert not remote.ready(0.02)
        os.write(into, b"x")
        assert remote.result(1.0) == select.POLLIN
        os.read(out, 1)


def test_a_wait_of_more_than_a_second(held: Held) -> None:
    remote, out, _ = held
    deadline = after(1.02)
    assert remote.call("alpha_wait", out, select.POLLIN, deadline) == OVERDUE
    assert time.monotonic_ns() >= deadline


def test_signals_do_not_move_a_deadline(held: Held) -> None:
    remote, out, _ = held
    deadline = after(0.1)
    remote.begin("alpha_wait", out, select.POLLIN, deadline)
    assert remote.result_in_a_storm(2.0) == OVERDUE
    assert time.monotonic_ns() >= deadline


def test_signals_do_not_end_a_wait(held: Held) -> None:
    remote, out, into = held
    remote.begin("alpha_wait", out, select.POLLIN, after(10))
    for _ in range(20):
        with remote.stopped():
            time.sleep(0.002)
        assert not remote.ready(0.002)
    os.write(into, b"x")
    assert remote.result_in_a_storm() == select.POLLIN


def test_a_deadline_that_passes_while_stopped(held: Held) -> None:
    remote, out, into = held
    remote.begin("alpha_wait", out, select.POLLIN, after(0.1))
    with remote.stopped():
        time.sleep(0.11)
        assert not remote.ready()
    assert remote.result() == OVERDUE
    os.write(into, b"x")
    assert remote.call("alpha_glance", out, select.POLLIN) == select.POLLIN
