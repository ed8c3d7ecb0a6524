"""A filter of system calls that lets some fail as a test wants, in a process and what it executes.

Source: Linux, Documentation/userspace-api/seccomp_filter.rst; linux/filter.h, linux/seccomp.h,
linux/audit.h. It sees the calls of the host, which an emulator makes for its program.

Entry: `Failing`, `Asking`, `install`, `program_of`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from alpha.backends.toolchain.machines import host_machine
from alpha.ir.linux.calls import number_of

SET_SECCOMP, NO_NEW_PRIVILEGES, FILTER = 22, 38, 2
ALLOW, FAIL, ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
LOAD, EQUAL, AT_LEAST, SUBTRACT, AND, OR = 0x20, 0x15, 0x35, 0x14, 0x54, 0x44
RETURN, RETURN_FOUND = 0x06, 0x16
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16
ARCHITECTURES = {"x86-64": 0xC000003E, "aarch64": 0xC00000B7}

FIRST = 1000
"""Where the descriptors begin that say which error a call gives."""

Line = tuple[int, int, int, int]


@dataclass(frozen=True)
class Failing:
    """A system call that fails, without being made.

    With `number` as its error, 0 for none. If that is None, the descriptor says the error: less
    `FIRST`, where it isn't below that, or, where there is a `mask`, by these bits of it. With
    `arguments`, only if each of these arguments is a certain number; with `least`, only with a
    descriptor that isn't below it.
    """

    call: str
    number: int | None = None
    mask: int | None = None
    arguments: tuple[tuple[int, int], ...] = ()
    least: int = 0

    def lines(self) -> list[Line]:
        """What is done with a call whose number is loaded, which is the same if it goes on."""
        host = host_machine()
        assert host is not None
        chosen: list[Line] = []
        for at, value in self.arguments:
            chosen += [(LOAD, 0, 0, ARGUMENTS_AT + 8 * at), (EQUAL, 1, 0, value)]
            chosen.append((RETURN, 0, 0, ALLOW))
        if self.least:
            chosen += [(LOAD, 0, 0, ARGUMENTS_AT), (AT_LEAST, 1, 0, self.least)]
            chosen.append((RETURN, 0, 0, ALLOW))
        if self.number is not None:
            chosen.append((RETURN, 0, 0, FAIL | self.number))
        elif self.mask is not None:
            chosen += [(LOAD, 0, 0, ARGUMENTS_AT), (AND, 0, 0, self.mask)]
            chosen += [(OR, 0, 0, FAIL), (RETURN_FOUND, 0, 0, 0)]
        else:
            chosen += [(LOAD, 0, 0, ARGUMENTS_AT), (AT_LEAST, 1, 0, FIRST)]
            chosen += [(RETURN, 0, 0, ALLOW), (SUBTRACT, 0, 0, FIRST)]
            chosen += [(OR, 0, 0, FAIL), (RETURN_FOUND, 0, 0, 0)]
        return [(EQUAL, 0, len(chosen), number_of(self.call, host.name)), *chosen]


@dataclass(frozen=True)
class Asking:
    """A system call about which someone else is asked.

    If its first argument is a descriptor above the standard ones, or none, as an address is.
    """

    call: str

    def lines(self) -> list[Line]:
        """As those of `Failing`."""
        host = host_machine()
        assert host is not None
        chosen = [(LOAD, 0, 0, ARGUMENTS_AT), (AT_LEAST, 1, 0, 3), (RETURN, 0, 0, ALLOW)]
        chosen.append((RETURN, 0, 0, ASK))
        return [(EQUAL, 0, len(chosen), number_of(self.call, host.name)), *chosen]


def program_of(calls: Sequence[Failing | Asking]) -> tuple[ctypes.Array[ctypes.c_char], object]:
    """The filter of these calls as the kernel takes it, and what has to live as long as it."""
    host = host_machine()
    assert host is not None
    lines: list[Line] = [(LOAD, 0, 0, ARCHITECTURE_AT), (EQUAL, 1, 0, ARCHITECTURES[host.name])]
    lines += [(RETURN, 0, 0, ALLOW), (LOAD, 0, 0, NUMBER_AT)]
    for call in calls:
        lines += call.lines()
    lines.append((RETURN, 0, 0, ALLOW))
    data = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *line) for line in lines))
    return ctypes.create_string_buffer(
        struct.pack("<HxxxxxxQ", len(lines), ctypes.addressof(data))
    ), data


def install(calls: Sequence[Failing]) -> None:
    """Let these calls of this thread, and of what it executes, fail from now on; for ever."""
    program, kept = program_of(calls)
    library = ctypes.CDLL(None, use_errno=True)
    for name, value, at in ((NO_NEW_PRIVILEGES, 1, None), (SET_SECCOMP, FILTER, program)):
        if library.prctl(name, ctypes.c_ulong(value), at, 0, 0):
            raise OSError(ctypes.get_errno(), "no filter of system calls can be installed")
    del kept
