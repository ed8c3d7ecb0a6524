"""System calls of a process that a test answers one by one, or lets the kernel answer.

Source: seccomp_unotify(2), pidfd_getfd(2); linux/seccomp.h. It sees the calls of the host, which an
emulator makes for its program; only those with a descriptor above the standard ones, or with none.

Entry: `Answered`, `Asked`, `Answer`, `LET`.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import fcntl
import os
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from routines.refusing_calls import NO_NEW_PRIVILEGES, Asking, program_of

from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.calls import number_of

SECCOMP = {"x86-64": 317, "aarch64": 277}
GET_DESCRIPTOR = 438
SET_FILTER, NEW_LISTENER = 1, 8
RECEIVE, SEND = 0xC0502100, 0xC0182101
NOTICE, REPLY = struct.Struct("<QIIiIQ6Q"), struct.Struct("<QqiI")
CONTINUE = 1

LET = None
"""As an answer: the kernel does it."""


@dataclass(frozen=True)
class Asked:
    """A call that a process makes: its name and its arguments, each of 64 bits."""

    name: str
    arguments: tuple[int, ...]
    process: int

    def text(self, argument: int) -> str:
        """The text at the address that is an argument."""
        with open(f"/proc/{self.process}/mem", "rb", 0) as memory:
            memory.seek(self.arguments[argument])
            # It may lie at the end of what can be read.
            data = b""
            while b"\0" not in data:
                data += memory.read(64 - len(data) % 64)
        return data.split(b"\0")[0].decode()

    def performed(self, count: int) -> int:
        """Write this many of the bytes that the process writes, at its own place in the file."""
        descriptor, address = self.arguments[:2]
        with open(f"/proc/{self.process}/mem", "rb", 0) as memory:
            memory.seek(address)
            data = memory.read(count)
        assert len(data) == count
        handle = os.pidfd_open(self.process)
        library = ctypes.CDLL(None, use_errno=True)
        held = library.syscall(GET_DESCRIPTOR, handle, ctypes.c_int(descriptor), 0)
        assert held >= 0, os.strerror(ctypes.get_errno())
        try:
            return os.write(held, data)
        finally:
            os.close(held)
            os.close(handle)


Answer = Callable[[Asked], int | None]
"""Gives what a call returns, below 0 for an error of the kernel, or `LET`."""


class Answered:
    """What answers the calls of these names, in the order in which they are made.

    `calls` are those that were made so far.
    """

    def __init__(self, names: Sequence[str], answer: Answer) -> None:
        host = host_machine()
        assert host is not None
        self.calls: list[Asked] = []
        self._machine = host.name
        self._names = {number_of(name, host.name): name for name in names}
        self._answer = answer
        self._failure: BaseException | None = None
        self._ends = socket.socketpair()

    def install(self) -> None:
        """Let the calls of this process, and of what it executes, be answered; before that."""
        program, kept = program_of([Asking(name) for name in self._names.values()])
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0)
        call = SECCOMP[self._machine]
        listener = library.syscall(call, SET_FILTER, NEW_LISTENER, program)
        assert listener >= 0 and kept, os.strerror(ctypes.get_errno())
        told = array.array("i", [listener])
        self._ends[1].sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, told)])

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Answer, as long as this lasts.

        Raises:
            what the answer raises, as soon as this ends; such a call has failed with ENOSYS.
        """
        done = threading.Event()
        thread = threading.Thread(target=self._serve, args=(done,))
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            for end in self._ends:
                end.close()
        if self._failure is not None:
            raise self._failure

    def _serve(self, done: threading.Event) -> None:
        while not select.select([self._ends[0]], [], [], 0.01)[0]:
            if done.is_set():
                return
        _, told, _, _ = self._ends[0].recvmsg(1, socket.CMSG_SPACE(4))
        (listener,) = array.array("i", told[0][2])
        waiting = select.poll()
        waiting.register(listener, select.POLLIN)
        try:
            while not done.is_set():
                if waiting.poll(10) and not self._reply(listener):
                    return
        finally:
            os.close(listener)

    def _reply(self, listener: int) -> bool:
        """Answer a call; false once there is nobody who could make one."""
        notice = bytearray(NOTICE.size)
        try:
            fcntl.ioctl(listener, RECEIVE, notice)
        except OSError:
            return False
        identity, process, _, number, _, _, *arguments = NOTICE.unpack(notice)
        asked = Asked(self._names[number], tuple(arguments), process)
        self.calls.append(asked)
        result: int | None = -38
        try:
            result = self._answer(asked)
        except BaseException as error:
            self._failure = error
        if result is None:
            reply = REPLY.pack(identity, 0, 0, CONTINUE)
        elif result < 0:
            reply = REPLY.pack(identity, 0, result, 0)
        else:
            reply = REPLY.pack(identity, result, 0, 0)
        with contextlib.suppress(FileNotFoundError):
            fcntl.ioctl(listener, SEND, reply)
        return True
