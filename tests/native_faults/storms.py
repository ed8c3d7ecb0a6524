"""Interruptions of native processes, again and again: stops, and calls that an event interrupts.

A process without a handler of its own is seldom interrupted by a signal: the kernel goes on with
most calls behind a stop. So the second storm lets the kernel ask here whether a call is to be made
(Linux, Documentation/userspace-api/seccomp_filter.rst, user space notification; linux/seccomp.h),
and the answer is now and then that it was interrupted, as any call may be that waits. An emulator
makes these calls for its program.

Entry: `Stops`, `Interruptions`.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import random
import select
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from native_faults.casts import Native

from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.calls import number_of

PAUSE_SECONDS = 0.0005
HOLD_SECONDS = 1.0
SHARE = 0.6
"""Of the calls that are asked for, how many are interrupted."""


class Stops:
    """Stops and continues processes in turn, until they have ended."""

    def __init__(self, seed: int) -> None:
        self._choice = random.Random(seed)
        self._thread: threading.Thread | None = None
        self._over = threading.Event()
        self.count = 0

    def __call__(self, processes: Sequence[Native]) -> None:
        self._thread = threading.Thread(target=self._stop_all, args=(list(processes),))
        self._thread.start()

    def _stop_all(self, processes: Sequence[Native]) -> None:
        while not self._over.is_set() and any(each.process.poll() is None for each in processes):
            process = self._choice.choice(processes).process
            process.send_signal(signal.SIGSTOP)
            time.sleep(self._choice.random() * PAUSE_SECONDS)
            process.send_signal(signal.SIGCONT)
            self.count += 1
            time.sleep(self._choice.random() * PAUSE_SECONDS)

    def end(self) -> None:
        """Stop nothing more."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()


LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ASK = 0x7FFF0000, 0x7FC00000
SET_FILTER, NEW_LISTENER, NO_NEW_PRIVILEGES = 1, 8, 38
SECCOMP = {"x86-64": 317, "aarch64": 277}
RECEIVE, ANSWER = 0xC0502100, 0xC0182101
"""SECCOMP_IOCTL_NOTIF_RECV and SECCOMP_IOCTL_NOTIF_SEND."""

CONTINUE = 1
ASKED, ANSWERED = struct.Struct("<QIIiIQ6Q"), struct.Struct("<QqiI")
"""struct seccomp_notif and struct seccomp_notif_resp."""

NO_SIGNAL = 0x4000
INTERRUPTED: Sequence[tuple[str, int, int]] = (
    ("recvmsg", 2, 0),
    ("sendmsg", 2, NO_SIGNAL),
    ("ppoll", 1, 1),
    ("accept4", 1, 0),
    ("read", 0, 0),
    ("write", 0, 1),
    ("write", 0, 2),
)
"""Calls, if an argument has a value, which those of the starting process haven't."""


def _filter() -> bytes:
    """The lines of the filter: whom it asks before which calls."""
    host = host_machine()
    assert host is not None
    lines = [(LOAD, 0, 0, 0)]
    for call, argument, value in INTERRUPTED:
        asking = [(LOAD, 0, 0, 16 + 8 * argument), (EQUAL, 0, 1, value), (RETURN, 0, 0, ASK)]
        # A call of another number, or another value, goes on with the next line.
        lines += [(EQUAL, 0, len(asking), number_of(call, host.name)), *asking, (LOAD, 0, 0, 0)]
    lines.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


class Interruptions:
    """Lets calls of processes be interrupted, more than every second; or the first one wait.

    That is the first call of the name `held`, which is made a second later; nothing else happens.
    """

    def __init__(self, seed: int, held: str | None = None) -> None:
        self._choice = random.Random(seed)
        self._held = held
        self._lines = ctypes.create_string_buffer(_filter())
        size = len(_filter()) // 8
        self._program = struct.pack("<HxxxxxxQ", size, ctypes.addressof(self._lines))
        self._library = ctypes.CDLL(None, use_errno=True)
        host = host_machine()
        assert host is not None
        self._host = host.name
        self.count = 0

    @contextmanager
    def around(self) -> Iterator[Interruptions]:
        """While it lasts, answers for the processes that are prepared."""
        self._near, self._far = socket.socketpair()
        self._over = threading.Event()
        thread = threading.Thread(target=self._answer)
        thread.start()
        with ExitStack() as ends:
            ends.callback(self._far.close)
            ends.callback(self._near.close)
            ends.callback(thread.join)
            ends.callback(self._over.set)
            yield self

    def prepare(self) -> None:
        """Let the calls of this process be asked for from now on; before it executes."""
        given = ctypes.create_string_buffer(self._program)
        if self._library.prctl(NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0):
            os._exit(126)
        listener = self._library.syscall(SECCOMP[self._host], SET_FILTER, NEW_LISTENER, given)
        if listener < 0:
            os._exit(126)
        socket.send_fds(self._far, [b"l"], [listener])

    def _answer(self) -> None:
        poll = select.poll()
        poll.register(self._near, select.POLLIN)
        listeners: set[int] = set()
        while not self._over.is_set():
            for descriptor, happened in poll.poll(20):
                if descriptor == self._near.fileno():
                    _, received, _, _ = socket.recv_fds(self._near, 1, 1)
                    listeners.update(received)
                    poll.register(received[0], select.POLLIN)
                elif happened & select.POLLIN:
                    self._decide(descriptor)
                else:
                    poll.unregister(descriptor)
        for descriptor in listeners:
            os.close(descriptor)

    def _decide(self, listener: int) -> None:
        asked = bytearray(ASKED.size)
        # Who asked may have ended by now.
        with suppress(FileNotFoundError):
            fcntl.ioctl(listener, RECEIVE, asked)
            identifier, _, _, call, *_ = ASKED.unpack(asked)
            interrupts = self._held is None and self._choice.random() < SHARE
            answer = (-errno.EINTR, 0) if interrupts else (0, CONTINUE)
            self.count += interrupts
            if self._held and call == number_of(self._held, self._host):
                self._held = ""
                time.sleep(HOLD_SECONDS)
            fcntl.ioctl(listener, ANSWER, bytearray(ANSWERED.pack(identifier, 0, *answer)))
