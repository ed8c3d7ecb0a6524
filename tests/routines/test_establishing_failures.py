"""How native roles don't get their edges: what they say, which is what interpreted ones say."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest
from routines.establisher import Ended, Setting, end_of, interpreted, native
from routines.establishing_groups import Pipe, pipes
from routines.library import MACHINES
from routines.refusing_calls import Failing, install

from alpha.interpreters.participants.establishing import PENDING
from alpha.interpreters.participants.failures import MEANINGS, Call, Meaning, explain, meaning_of

both = pytest.mark.parametrize("machine", MACHINES)
SHORT = 0.12


Happening = Callable[[Pipe, Pipe, contextlib.ExitStack], int | None]


@dataclass(frozen=True)
class Scene:
    """What goes wrong: what the role is to do, and what happens around it.

    `happens` gets what the role is given and what is taken from it, and a stack for what it opens,
    and does its part before the role begins; it gives the port that the role is told, if it is.
    """

    setting: Setting
    happens: Happening

    def played(self, role: Callable[[Setting, int, int], Ended]) -> Ended:
        """How a role ends, with the port that it was told as PORT."""
        with pipes() as (given, taken), contextlib.ExitStack() as stack:
            port = self.happens(given, taken, stack)
            ended = role(self.setting, given.out, taken.into)
        return replace(ended, what=ended.what.replace(f":{port},", ":PORT,"))


def _nothing(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> None:
    pass


def _given(data: bytes, ends: bool = True) -> Happening:
    """The input is these bytes, and then ends or doesn't."""

    def happens(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> None:
        os.write(given.into, data)
        if ends:
            given.end()

    return happens


def _port_of_nobody(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> int:
    """A port that is bound, so that nobody gets it, and where nobody listens."""
    bound = stack.enter_context(socket.socket())
    return _told(given, bound)


def _no_answer(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> int:
    """A listener whose queue is full, so that the system drops what comes."""
    listener = stack.enter_context(socket.socket())
    port = _told(given, listener)
    listener.listen(0)
    for _ in range(3):
        waiting = stack.enter_context(socket.socket())
        waiting.setblocking(False)
        waiting.connect_ex(("127.0.0.1", port))
    return port


def _told(given: Pipe, bound: socket.socket) -> int:
    """Bind a socket, and give its port to the role."""
    bound.bind(("127.0.0.1", 0))
    port = bound.getsockname()[1]
    os.write(given.into, port.to_bytes(2, "big"))
    return port


def _no_reader(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> None:
    taken.drop()


def _stuck_reader(given: Pipe, taken: Pipe, stack: contextlib.ExitStack) -> None:
    os.set_blocking(taken.into, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(taken.into, bytes(4096))
    os.set_blocking(taken.into, True)


SCENES = {
    **{
        f"the input ends after {size} bytes": Scene(
            Setting(5, [1, 3, 9]), _given(bytes([1, 2, 3, 4][:size]))
        )
        for size in range(4)
    },
    **{
        f"the input stays at {size} bytes": Scene(
            Setting(5, [1, 3], wait=SHORT), _given(bytes([1, 2, 3, 4][:size]), ends=False)
        )
        for size in range(4)
    },
    "the session ends before ports": Scene(Setting(5, [1, 3], session=SHORT), _nothing),
    "the first port is 0": Scene(Setting(5, [1, 3]), _given(b"\0\0\0\1")),
    "the second port is 0": Scene(Setting(5, [1, 3]), _given(b"\0\1\0\0")),
    "no port comes after one of 0": Scene(Setting(5, [1, 3]), _given(b"\0\0")),
    "nobody listens": Scene(Setting(5, [1, 9], wait=SHORT), _port_of_nobody),
    "nobody listens where another role is": Scene(
        Setting(5, [1, 9], {1: "127.0.0.3"}, wait=SHORT), _port_of_nobody
    ),
    "nobody listens in the session": Scene(Setting(5, [1], session=SHORT), _port_of_nobody),
    "nobody answers": Scene(Setting(5, [1], wait=SHORT), _no_answer),
    "nobody answers in the session": Scene(Setting(5, [1], session=SHORT), _no_answer),
    "nobody connects": Scene(Setting(5, [7, 9], wait=SHORT), _nothing),
    "nobody connects in the session": Scene(Setting(5, [7, 9], session=SHORT), _nothing),
    "nobody reads the ports": Scene(Setting(5, [7], wait=SHORT), _stuck_reader),
    "nobody reads the ports in the session": Scene(Setting(5, [7], session=SHORT), _stuck_reader),
    "nobody will read the ports": Scene(Setting(5, [1, 7]), _no_reader),
    "an address that isn't here": Scene(Setting(5, [1, 7], {5: "192.0.2.1"}), _nothing),
}


def _native(machine: str, setting: Setting, inward: int, outward: int) -> Ended:
    with native(machine, setting, inward, outward) as process:
        return end_of(process, setting)


@both
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_what_goes_wrong_is_said_as_the_interpreter_says_it(machine: str, scene: Scene) -> None:
    wanted = scene.played(interpreted)
    found = scene.played(partial(_native, machine))
    assert found == wanted
    assert wanted.status in (4, 5)


@both
@pytest.mark.parametrize("closed", [0, 1])
def test_a_stream_is_closed_from_the_start(machine: str, closed: int) -> None:
    setting = Setting(5, [1, 7])
    before = partial(os.close, closed)
    with (
        pipes() as (given, taken),
        native(machine, setting, given.out, taken.into, before) as process,
    ):
        assert end_of(process, setting) == Ended(5, "failed: stdin or stdout is closed")


@both
def test_no_more_descriptors(machine: str) -> None:
    setting = Setting(5, [7, 8, 9])
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (5, 5))
    with (
        pipes() as (given, taken),
        native(machine, setting, given.out, taken.into, limit) as process,
    ):
        assert end_of(process, setting) == Ended(5, "failed: Too many open files")


CALLS: dict[str, Call] = {
    "socket": "socket",
    "setsockopt": "option",
    "bind": "bind",
    "listen": "listen",
    "accept4": "accept",
    "connect": "connect",
}


PORT = 4711
"""A port that no call gets as far as using."""


def wanted_of(call: Call, number: int, setting: Setting, port: int) -> Ended:
    """How a role ends of which such a call always fails so."""
    retried = meaning_of(call, number) == Meaning.RETRY
    if not retried:
        return Ended(5, f"failed: {os.strerror(number)}")
    if call == "connect":
        where = f"no connection to 127.0.0.1:{port}"
        return Ended(4, f"lost role {setting.peers[0]}: {where}, {explain(number)}")
    what = f"it didn't connect in the {setting.wait:g} s of waiting for a connection"
    return Ended(4, f"lost role {setting.peers[0]}: {what}")


@both
@pytest.mark.parametrize("name", CALLS)
def test_every_error_of_a_call(machine: str, name: str) -> None:
    call = CALLS[name]
    numbers = sorted({number for each, number in MEANINGS if each == call} | {errno.EL2HLT})
    peers = [1] if name == "connect" else [9]
    setting = Setting(5, peers, wait=0.03)
    for number in numbers:
        if name == "connect" and number in PENDING:
            continue  # A socket that isn't connected has no error to tell.
        before = partial(install, [Failing(name, number=number)])
        with pipes() as (given, taken):
            os.write(given.into, PORT.to_bytes(2, "big"))
            with native(machine, setting, given.out, taken.into, before) as process:
                found = end_of(process, setting)
        wanted = wanted_of(call, number, setting, PORT)
        if number == errno.EL2HLT:
            wanted = replace(wanted, what=f"failed: {number}, an error")
        assert found == wanted, (name, explain(number))
