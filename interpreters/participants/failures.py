"""What a failed call of a socket means: try again, the peer is lost, this host can't, or a bug.

Invariant: every errno that the manual pages of Linux give for a call is in `MEANINGS`, and no
    failure is passed over: what isn't tried again ends the run.
Why: nearly all catastrophic failures of distributed systems come from errors that were handled
    wrongly though nothing about them was fatal.
Entry: `PeerLost`, `Overdue`, `Meaning`, `meaning_of`, `explain`, `unless_retried`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Literal

Call = Literal["socket", "option", "bind", "listen", "accept", "connect", "send", "receive", "end"]
"""`option` is setsockopt, `end` is shutdown."""


class PeerLost(Exception):
    """A peer died, closed, reset, or did nothing before a deadline: exit status 4, not a refusal.

    `role` is the peer's, `detail` says what happened.
    """

    def __init__(self, role: int, detail: str) -> None:
        self.role = role
        self.detail = detail
        super().__init__(f"role {role}: {detail}")


class Overdue(Exception):
    """A time is over, and no peer is to blame: exit status 4.

    That of the whole session, or in which whoever launched the role was to read its ports.
    """


class Meaning(Enum):
    """What is done after an error."""

    RETRY = "the same call, or a new attempt, may succeed"
    LOST = "the connection or the peer is gone"
    HOST = "this host refuses or has run out of something; the error is passed on"
    IMPOSSIBLE = "only a bug of this project can cause it"


_LOST_STREAM = (
    "ECONNABORTED ECONNREFUSED ECONNRESET EHOSTDOWN EHOSTUNREACH ENETDOWN ENETRESET ENETUNREACH "
    "ENONET ENOTCONN EPIPE EPROTO ETIMEDOUT"
)
_BUG = "EBADF EFAULT EINVAL ENOTSOCK"

_ROWS: tuple[tuple[Call, Meaning, str], ...] = (
    ("socket", Meaning.HOST, "EACCES EAFNOSUPPORT EMFILE ENFILE ENOBUFS ENOMEM EPERM"),
    ("socket", Meaning.IMPOSSIBLE, "EINVAL EPROTONOSUPPORT"),
    ("option", Meaning.HOST, "ENOBUFS ENOMEM EPERM"),
    ("option", Meaning.IMPOSSIBLE, f"{_BUG} ENOPROTOOPT"),
    ("bind", Meaning.HOST, "EACCES EADDRINUSE EADDRNOTAVAIL ENOMEM EPERM"),
    ("bind", Meaning.IMPOSSIBLE, f"{_BUG} EAFNOSUPPORT"),
    ("listen", Meaning.HOST, "EADDRINUSE ENOMEM"),
    ("listen", Meaning.IMPOSSIBLE, f"{_BUG} EOPNOTSUPP"),
    # Linux passes errors of the new connection on from accept; they aren't the listener's.
    ("accept", Meaning.RETRY, "EAGAIN EWOULDBLOCK EINTR ECONNABORTED ENETDOWN EPROTO ENOPROTOOPT"),
    ("accept", Meaning.RETRY, "EHOSTDOWN ENONET EHOSTUNREACH EOPNOTSUPP ENETUNREACH ETIMEDOUT"),
    ("accept", Meaning.HOST, "EMFILE ENFILE ENOBUFS ENOMEM EPERM"),
    ("accept", Meaning.IMPOSSIBLE, _BUG),
    ("connect", Meaning.RETRY, "EAGAIN EWOULDBLOCK EINTR EINPROGRESS EALREADY ECONNREFUSED"),
    ("connect", Meaning.RETRY, "ECONNRESET ECONNABORTED ETIMEDOUT EHOSTDOWN EHOSTUNREACH"),
    ("connect", Meaning.RETRY, "ENETDOWN ENETUNREACH ENONET EADDRINUSE EADDRNOTAVAIL EPROTO"),
    ("connect", Meaning.HOST, "EACCES EPERM ENOBUFS ENOMEM"),
    ("connect", Meaning.IMPOSSIBLE, f"{_BUG} EAFNOSUPPORT EISCONN EPROTOTYPE"),
    ("send", Meaning.RETRY, "EAGAIN EWOULDBLOCK EINTR"),
    ("send", Meaning.LOST, _LOST_STREAM),
    ("send", Meaning.HOST, "EACCES ENOBUFS ENOMEM EPERM"),
    ("send", Meaning.IMPOSSIBLE, f"{_BUG} EALREADY EDESTADDRREQ EISCONN EMSGSIZE EOPNOTSUPP"),
    ("receive", Meaning.RETRY, "EAGAIN EWOULDBLOCK EINTR"),
    ("receive", Meaning.LOST, _LOST_STREAM),
    ("receive", Meaning.HOST, "ENOBUFS ENOMEM"),
    ("receive", Meaning.IMPOSSIBLE, f"{_BUG} EOPNOTSUPP"),
    ("end", Meaning.LOST, _LOST_STREAM),
    ("end", Meaning.HOST, "ENOBUFS"),
    ("end", Meaning.IMPOSSIBLE, _BUG),
)


def _numbers(names: str) -> Iterator[int]:
    """The numbers of these errors, of which some systems don't have all."""
    for name in names.split():
        number = getattr(errno, name, None)
        if number is not None:
            yield number


MEANINGS: Mapping[tuple[Call, int], Meaning] = MappingProxyType(
    {(call, number): meaning for call, meaning, names in _ROWS for number in _numbers(names)}
)
"""What each errno of each call means."""


def meaning_of(call: Call, number: int) -> Meaning:
    """What an errno means; one that isn't in the table is a failure of the host."""
    return MEANINGS.get((call, number), Meaning.HOST)


def explain(number: int) -> str:
    """An errno as a message names it."""
    return f"{errno.errorcode.get(number, number)}, {os.strerror(number)}"


def unless_retried(call: Call, error: OSError, role: int, doing: str) -> None:
    """Return if the call may succeed later; else raise what the error means.

    Raises:
        PeerLost: the connection with `role` is gone.
        OSError: the error itself, where this host has failed.
        RuntimeError: only a bug of this project can have caused it.
    """
    number = error.errno or 0
    match meaning_of(call, number):
        case Meaning.RETRY:
            return
        case Meaning.LOST:
            raise PeerLost(role, f"{explain(number)}, while {doing}") from error
        case Meaning.IMPOSSIBLE:
            raise RuntimeError(f"{explain(number)}, while {doing} for role {role}") from error
        case Meaning.HOST:
            raise error
