"""A peer that is killed, never appears, is silent or stopped ends every native role, with 4."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from collections.abc import Sequence
from itertools import accumulate

import pytest
from levels.sockets import connected
from native_faults.alone import alone, ended
from native_faults.casts import CASTS, Bound, End, Native, Play, end_of, launched, play_of
from native_faults.dying import LOOPBACK, killed, with_an_absent_one
from native_faults.relayed import Passed, run
from native_faults.storms import Interruptions
from participants import relay
from runs.conversations import Direction, at
from runs.test_deadlines import ENDLESS

from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.tools.distributing import run_pass

TARGETS = ("x86-64", "aarch64")
SHORT = Bound(wait=0.5)
AT_ONCE_SECONDS = 15.0
"""Sooner than a wait is over."""


def is_lost(role: int, end: End) -> bool:
    """Whether a role says that it has lost a peer, and has published nothing."""
    line = end.said.startswith(f"alpha: role {role}: lost role ") and end.said.count("\n") == 1
    return end.status == 4 and line and not end.published


def deaths(name: str, way: Direction) -> list[int]:
    """Places in the bytes of a direction: behind each frame of all rounds but the last.

    Not behind the last of these frames: with it the others may end, in spite of what is killed.
    """
    frames = play_of(name).conversation.frames
    last = max(at("version", frame) for each in frames.values() for frame in each)
    early = [len(frame) for frame in frames[way] if at("version", frame) < last]
    return list(accumulate(early[:-1]))


def killing(name: str, cast: str, way: Direction, place: int) -> list[str]:
    """What is wrong if a role is killed there."""
    began = time.monotonic()
    passed = killed(play_of(name).play, CASTS[cast], way, place)
    wrong = [
        f"role {role} ended with {end}"
        for role, end in passed.ends.items()
        if role != way[0] and not is_lost(role, end)
    ]
    dead = passed.ends[way[0]]
    if dead.published or (dead.status != -signal.SIGKILL and not is_lost(way[0], dead)):
        wrong.append(f"role {way[0]} ended with {dead}")
    if time.monotonic() - began > AT_ONCE_SECONDS:
        wrong.append("it took until a wait was over")
    return [f"{way} {place}: {each}" for each in wrong]


@pytest.mark.parametrize(("name", "cast"), [("pair", "x86-64"), ("direct", "x86-64")])
def test_a_role_that_is_killed_ends_all(name: str, cast: str) -> None:
    """Behind each frame that it sends; the others learn of it although more were on their way."""
    wrong: list[str] = []
    for way in play_of(name).conversation.frames:
        for place in deaths(name, way):
            wrong += killing(name, cast, way, place)
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "cast"), [("star", "aarch64"), ("chain", "aarch64"), ("chain", "alternating")]
)
def test_a_role_that_is_killed_under_an_emulator_ends_all(name: str, cast: str) -> None:
    wrong: list[str] = []
    ways = [way for way in play_of(name).conversation.frames if deaths(name, way)]
    for way in ways:
        wrong += killing(name, cast, way, deaths(name, way)[-1])
    assert ways and wrong == []


@pytest.mark.parametrize("role", [0, 1, 2])
@pytest.mark.parametrize("cast", TARGETS)
def test_a_role_that_is_killed_while_all_connect(cast: str, role: int) -> None:
    """Its ports are known by then, and nobody listens there any more."""
    play = play_of("direct").play
    roles = [launched(play, each, cast, SHORT) for each in play.programs]

    def between(edge: tuple[int, int], port: int) -> int:
        dying = roles[role]
        assert isinstance(dying, Native)
        if edge == (0, 2):
            dying.process.kill()
            dying.process.wait()
        return port

    connected(roles, between)
    for each in roles:
        end = end_of(each)
        if each.role == role:
            assert (end.status, end.published) == (-signal.SIGKILL, False)
        else:
            assert is_lost(each.role, end), end


@pytest.mark.parametrize("silent", [False, True])
@pytest.mark.parametrize("absent", [0, 1])
@pytest.mark.parametrize("cast", TARGETS)
def test_a_peer_that_never_appears(cast: str, absent: int, silent: bool) -> None:
    """Its port is closed, or nobody accepts there; who would accept waits as long as it may."""
    play = play_of("pair").play
    told: list[tuple[int, str]] = []
    for each in (cast, "interpreted"):
        began = time.monotonic()
        ends, ports = with_an_absent_one(play, CASTS[each], absent, SHORT, silent)
        assert 0.3 < time.monotonic() - began < AT_ONCE_SECONDS
        (end,) = ends.values()
        assert is_lost(1 - absent, end), end
        said = end.said
        for port in ports.values():
            said = said.replace(f":{port},", ":PORT,")
        told.append((end.status, said))
    assert told[0] == told[1]


@pytest.mark.parametrize("absent", [0, 1, 2])
@pytest.mark.parametrize("name", ["star", "chain"])
def test_a_peer_of_some_that_never_appears(name: str, absent: int) -> None:
    play = play_of(name).play
    ends, _ = with_an_absent_one(play, CASTS["alternating"], absent, SHORT, False)
    assert all(is_lost(role, end) for role, end in ends.items()), ends


def lines(passed: Passed, role: int) -> tuple[int, str]:
    return passed.ends[role].status, passed.ends[role].said


@pytest.mark.parametrize("inside", [0, 40, 88, 100, 127])
@pytest.mark.parametrize("cast", TARGETS)
def test_a_delay_past_the_bound(cast: str, inside: int) -> None:
    """It says how much has come, of the header or of what is behind it."""
    recorded = play_of("pair")
    fault = relay.delay(len(recorded.conversation.frames[1, 0][0]) + inside, 1.0)
    found = [
        run(recorded.play, CASTS[each], {(1, 0): (fault,)}, {0: Bound(wait=0.4)})
        for each in (cast, "interpreted")
    ]
    assert lines(found[0], 0) == lines(found[1], 0)
    assert " bytes came in the 0.4 s of receiving a frame\n" in lines(found[0], 0)[1]
    assert all(is_lost(role, end) for role, end in found[0].ends.items())


@pytest.mark.parametrize("cast", [*TARGETS, "interpreted"])
def test_a_peer_that_does_not_read(cast: str) -> None:
    """Nothing more fits into the buffers; how much did is the system's business."""
    bound = Bound(wait=0.4, buffer=1)
    recorded = play_of("wide star")
    ends, _ = with_an_absent_one(recorded.play, CASTS[cast], 0, bound, True)
    for role, end in ends.items():
        assert is_lost(role, end)
        size = len(recorded.conversation.frames[role, 0][0])
        said = rf"lost role 0: it took \d+ of {size} bytes in the 0\.4 s of sending a frame\n"
        assert re.fullmatch(rf"alpha: role {role}: {said}", end.said), end.said


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_sent_to_a_peer_that_has_ended(target: str) -> None:
    """It is stopped until both a frame and the end behind it are there."""
    frames = play_of("pair").conversation.frames
    with socket.create_server((LOOPBACK, 0)) as listener, alone(target, 1) as role:
        role.tell({0: listener.getsockname()[1]})
        connection, _ = listener.accept()
        with connection:
            first, second, *_ = frames[1, 0]
            assert connection.recv(len(first), socket.MSG_WAITALL) == first
            role.process.send_signal(signal.SIGSTOP)
            connection.sendall(frames[0, 1][0])
            connection.shutdown(socket.SHUT_WR)
            role.process.send_signal(signal.SIGCONT)
            what = f"it ended its stream, while {len(second)} bytes were sent"
            assert ended(role) == (4, f"alpha: role 1: lost role 0: {what}\n")
            assert connection.recv(1) == b""


@pytest.mark.parametrize("cast", TARGETS)
def test_a_role_that_is_stopped_for_good(cast: str) -> None:
    """It is waited for as long as it may be, and no longer; then whoever launched it ends it."""
    recorded = play_of("star")
    ending: list[threading.Timer] = []

    def stop(processes: Sequence[Native]) -> None:
        processes[2].process.send_signal(signal.SIGSTOP)
        ending.append(threading.Timer(2.0, processes[2].process.kill))
        ending[0].start()

    passed = run(recorded.play, CASTS[cast], bounds=dict.fromkeys(range(3), SHORT), during=stop)
    ending[0].join()
    assert all(is_lost(role, passed.ends[role]) for role in (0, 1))
    assert (passed.ends[2].status, passed.ends[2].published) == (-signal.SIGKILL, False)


def endless() -> Play:
    context = make_context()
    module = parse_source(context, ENDLESS.encode(), "endless.mlir")
    run_pass(context, module, "project_role")
    return Play(module, None)


@pytest.mark.parametrize("cast", TARGETS)
def test_a_session_that_is_over(cast: str) -> None:
    """At work, and while a peer is waited for."""
    play = endless()
    bounds = {0: Bound(session=0.3), 1: Bound(session=0.8)}
    found, wanted = (run(play, CASTS[each], bounds=bounds).ends for each in (cast, "interpreted"))
    for role in (0, 1):
        assert (found[role].status, found[role].said) == (4, wanted[role].said)
        assert not found[role].published
    assert found[1].said == "alpha: role 1: overdue: the 0.8 s of the session have passed\n"
    assert is_lost(0, found[0])


@pytest.mark.parametrize("cast", TARGETS)
def test_a_session_that_is_over_before_a_wait(cast: str) -> None:
    """Nothing is waited for then, although what is sent and received could be there."""
    recorded = play_of("pair")
    with Interruptions(seed=0, held="sendmsg").around() as holding:
        bounds = {0: Bound(session=5.0), 1: Bound(session=0.5)}
        passed = run(recorded.play, CASTS[cast], bounds=bounds, prepare=holding.prepare)
    before = "the 0.5 s of the session were over before receiving a frame"
    assert lines(passed, 1) == (4, f"alpha: role 1: lost role 0: {before}\n")
    assert is_lost(0, passed.ends[0])


@pytest.mark.parametrize("cast", TARGETS)
def test_a_session_that_ends_a_wait(cast: str) -> None:
    recorded = play_of("pair")
    fault = relay.delay(100, 1.0)
    found = [
        run(recorded.play, CASTS[each], {(1, 0): (fault,)}, {0: Bound(session=0.4)})
        for each in (cast, "interpreted")
    ]
    assert lines(found[0], 0) == lines(found[1], 0)
    assert lines(found[0], 0)[1].endswith(" bytes came in the 0.4 s of the session\n")
