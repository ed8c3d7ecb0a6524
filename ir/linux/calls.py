"""The system calls that programs may make: numbers on each target, and how many arguments.

Source: the headers of Linux (asm/unistd.h) of each target, which a test asks again.
Entry: `CALLS`, `TARGETS`, `number_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TARGETS = ("x86-64", "aarch64")
"""The order of the numbers in the tables."""

CALLS: Mapping[str, tuple[tuple[int, int], int]] = MappingProxyType(
    {
        "accept4": ((288, 242), 4),
        "bind": ((49, 200), 3),
        "clock_gettime": ((228, 113), 2),
        "clock_nanosleep": ((230, 115), 4),
        "close": ((3, 57), 1),
        "connect": ((42, 203), 3),
        "dup3": ((292, 24), 3),
        "exit": ((60, 93), 1),
        "exit_group": ((231, 94), 1),
        "fallocate": ((285, 47), 4),
        "fcntl": ((72, 25), 3),
        "fdatasync": ((75, 83), 1),
        "fstat": ((5, 80), 2),
        "fsync": ((74, 82), 1),
        "ftruncate": ((77, 46), 2),
        "getdents64": ((217, 61), 3),
        "getpeername": ((52, 205), 3),
        "getpid": ((39, 172), 0),
        "getrandom": ((318, 278), 3),
        "getsockname": ((51, 204), 3),
        "getsockopt": ((55, 209), 5),
        "gettid": ((186, 178), 0),
        "ioctl": ((16, 29), 3),
        "kill": ((62, 129), 2),
        "listen": ((50, 201), 2),
        "lseek": ((8, 62), 3),
        "madvise": ((28, 233), 3),
        "mkdirat": ((258, 34), 3),
        "mmap": ((9, 222), 6),
        "munmap": ((11, 215), 2),
        "newfstatat": ((262, 79), 4),
        "openat": ((257, 56), 4),
        "pipe2": ((293, 59), 2),
        "ppoll": ((271, 73), 5),
        "pread64": ((17, 67), 4),
        "prlimit64": ((302, 261), 4),
        "pwrite64": ((18, 68), 4),
        "read": ((0, 63), 3),
        "recvmsg": ((47, 212), 3),
        "renameat2": ((316, 276), 5),
        "rt_sigaction": ((13, 134), 4),
        "sched_getaffinity": ((204, 123), 3),
        "sched_yield": ((24, 124), 0),
        "sendmsg": ((46, 211), 3),
        "sendto": ((44, 206), 6),
        "setsockopt": ((54, 208), 5),
        "shutdown": ((48, 210), 2),
        "socket": ((41, 198), 3),
        "statx": ((332, 291), 5),
        "unlinkat": ((263, 35), 3),
        "wait4": ((61, 260), 4),
        "write": ((1, 64), 3),
    }
)
"""By name: the number on x86-64 and on AArch64, and the number of arguments."""


def number_of(name: str, target: str) -> int:
    """The number of a call. Raises KeyError for an unknown one, ValueError for another target."""
    return CALLS[name][0][TARGETS.index(target)]
