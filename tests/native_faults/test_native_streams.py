"""Where stdin or stdout isn't what it should be, a native role ends with a line and its status."""

from __future__ import annotations

import fcntl
import os
import re
import socket

import pytest
from native_faults.alone import alone, ended
from native_faults.casts import Bound, Native, play_of

TARGETS = ("x86-64", "aarch64")
F_SETPIPE_SZ = 1031


@pytest.mark.parametrize("descriptor", [0, 1])
@pytest.mark.parametrize("target", TARGETS)
def test_a_stream_that_is_closed(target: str, descriptor: int) -> None:
    with alone(target, 0, prepare=lambda: os.close(descriptor)) as role:
        assert ended(role) == (5, "alpha: role 0: failed: stdin or stdout is closed\n")


def full() -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), 1)


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("target", TARGETS)
def test_no_space_is_left_for_what_is_told(target: str, role: int) -> None:
    """Role 0 has ports to tell, role 1 only what comes after its peer's frames."""
    line = f"alpha: role {role}: failed: No space left on device\n"
    with alone(target, role, prepare=full) as native:
        if role == 1:
            _feed_all(native)
        assert ended(native) == (5, line)


def _feed_all(native: Native) -> None:
    """Say to role 1 of the pair all that role 0 says, and hear it to its end."""
    frames = play_of("pair").conversation.frames
    with socket.create_server(("127.0.0.1", 0)) as listener:
        native.tell({0: listener.getsockname()[1]})
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"".join(frames[0, 1]))
            left = sum(map(len, frames[1, 0]))
            while left and (more := connection.recv(left)):
                left -= len(more)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""


@pytest.mark.parametrize("target", TARGETS)
def test_nobody_reads_ports_any_more(target: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with alone(target, 0, prepare=lambda: _put(writing)) as role:
        os.close(writing)
        assert ended(role) == (5, "alpha: role 0: failed: Broken pipe\n")


def _put(descriptor: int) -> None:
    os.dup2(descriptor, 1)


@pytest.mark.parametrize("target", TARGETS)
def test_nobody_reads_reports_any_more(target: str) -> None:
    """What launched it has ended; it ends at the latest when it publishes."""
    with alone(target, 1) as role:
        assert role.process.stdout is not None
        role.process.stdout.close()
        _feed_all(role)
        assert ended(role) == (5, "alpha: role 1: failed: Broken pipe\n")


@pytest.mark.parametrize("target", TARGETS)
def test_reports_that_nobody_reads(target: str) -> None:
    """Its state fits into no pipe, and it doesn't wait for ever."""
    recorded = play_of("wide direct")
    frames = recorded.conversation.frames
    with alone(target, 0, "wide direct", Bound(wait=0.4)) as role:
        assert role.process.stdout is not None
        fcntl.fcntl(role.process.stdout.fileno(), F_SETPIPE_SZ, 4096)
        ports = role.announced()
        connections = [socket.create_connection(("127.0.0.1", ports[peer])) for peer in (1, 2)]
        for peer, connection in enumerate(connections, 1):
            connection.sendall(b"".join(frames[peer, 0]))
        for peer, connection in enumerate(connections, 1):
            left = sum(map(len, frames[0, peer]))
            while left and (more := connection.recv(left)):
                left -= len(more)
            connection.shutdown(socket.SHUT_WR)
        line = "alpha: role 0: overdue: no report was read in the 0.4 s of reporting\n"
        assert ended(role) == (4, line)
        for connection in connections:
            connection.close()


PORTS = {
    b"": r"its port didn't come: the input ended after 0 of 2 bytes of ports",
    b"\1": r"its port didn't come: the input ended after 1 of 2 bytes of ports",
    b"\0\0": r"its port is 0, on which nobody listens",
}


@pytest.mark.parametrize("given", PORTS)
@pytest.mark.parametrize("target", TARGETS)
def test_ports_that_are_none(target: str, given: bytes) -> None:
    with alone(target, 1) as role:
        assert role.process.stdin is not None
        role.process.stdin.write(given)
        role.process.stdin.close()
        assert ended(role) == (4, f"alpha: role 1: lost role 0: {PORTS[given]}\n")


@pytest.mark.parametrize("target", TARGETS)
def test_ports_that_do_not_come(target: str) -> None:
    with alone(target, 1, bound=Bound(wait=0.3)) as role:
        line = "lost role 0: its port didn't come in the 0.3 s of waiting for ports"
        assert ended(role) == (4, f"alpha: role 1: {line}\n")


@pytest.mark.parametrize("target", TARGETS)
def test_arguments_that_are_none(target: str) -> None:
    """Before anything else is done."""
    play = play_of("pair").play
    for given in (["--wait", "0"], ["--wait"], ["--other"], ["--deadline", "1e5"]):
        command = play.executables(target).command(0, *given)
        native = Native(0, [1], command)
        _, said = native.process.communicate()
        assert native.process.returncode == 2
        assert re.fullmatch(r"alpha: role 0: usage: [^\n]+\n", said.decode()), said
