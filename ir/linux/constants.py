"""Names of the C headers that system calls are given, with their values on each target.

Source: the headers of Linux and musl of each target, which a test asks again.
Entry: `CONSTANTS`, `value_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.ir.linux.calls import TARGETS

CONSTANTS: Mapping[str, int | tuple[int, int]] = MappingProxyType(
    {
        "AF_INET": 2,
        "AT_EMPTY_PATH": 4096,
        "AT_FDCWD": -100,
        "AT_REMOVEDIR": 512,
        "AT_SYMLINK_NOFOLLOW": 256,
        "CLOCK_MONOTONIC": 1,
        "CLOCK_REALTIME": 0,
        "EADDRINUSE": 98,
        "EAGAIN": 11,
        "EBADF": 9,
        "ECONNREFUSED": 111,
        "ECONNRESET": 104,
        "EEXIST": 17,
        "EINPROGRESS": 115,
        "EINTR": 4,
        "EINVAL": 22,
        "EIO": 5,
        "EISDIR": 21,
        "EMFILE": 24,
        "ENOENT": 2,
        "ENOMEM": 12,
        "ENOSPC": 28,
        "ENOTDIR": 20,
        "EPIPE": 32,
        "ETIMEDOUT": 110,
        "FD_CLOEXEC": 1,
        "F_GETFL": 3,
        "F_SETFD": 2,
        "F_SETFL": 4,
        "GRND_NONBLOCK": 1,
        "IPPROTO_TCP": 6,
        "MAP_ANONYMOUS": 32,
        "MAP_PRIVATE": 2,
        "MAP_SHARED": 1,
        "MSG_DONTWAIT": 64,
        "MSG_NOSIGNAL": 16384,
        "MSG_PEEK": 2,
        "MSG_WAITALL": 256,
        "O_APPEND": 1024,
        "O_CLOEXEC": 524288,
        "O_CREAT": 64,
        "O_DIRECT": (16384, 65536),
        "O_DIRECTORY": (65536, 16384),
        "O_EXCL": 128,
        "O_NOFOLLOW": (131072, 32768),
        "O_NONBLOCK": 2048,
        "O_RDONLY": 0,
        "O_RDWR": 2,
        "O_TRUNC": 512,
        "O_WRONLY": 1,
        "POLLERR": 8,
        "POLLHUP": 16,
        "POLLIN": 1,
        "POLLNVAL": 32,
        "POLLOUT": 4,
        "PROT_NONE": 0,
        "PROT_READ": 1,
        "PROT_WRITE": 2,
        "SEEK_CUR": 1,
        "SEEK_END": 2,
        "SEEK_SET": 0,
        "SHUT_RD": 0,
        "SHUT_RDWR": 2,
        "SHUT_WR": 1,
        "SIGALRM": 14,
        "SIGINT": 2,
        "SIGKILL": 9,
        "SIGPIPE": 13,
        "SIGTERM": 15,
        "SIG_DFL": 0,
        "SIG_IGN": 1,
        "SOCK_CLOEXEC": 524288,
        "SOCK_NONBLOCK": 2048,
        "SOCK_STREAM": 1,
        "SOL_SOCKET": 1,
        "SO_ERROR": 4,
        "SO_KEEPALIVE": 9,
        "SO_LINGER": 13,
        "SO_RCVBUF": 8,
        "SO_RCVTIMEO": 20,
        "SO_REUSEADDR": 2,
        "SO_SNDBUF": 7,
        "SO_SNDTIMEO": 21,
        "S_IFDIR": 16384,
        "S_IFMT": 61440,
        "S_IFREG": 32768,
        "TCP_NODELAY": 1,
        "TCP_QUICKACK": 12,
        "TIMER_ABSTIME": 1,
    }
)
"""By name: the value, or where the targets differ those on x86-64 and on AArch64."""


def value_of(name: str, target: str) -> int:
    """The value of a name. Raises KeyError for an unknown one, ValueError for another target."""
    held, at = CONSTANTS[name], TARGETS.index(target)
    return held if isinstance(held, int) else held[at]
