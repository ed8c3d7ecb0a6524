"""What ends a kernel that does wrong, and what is no PTX that is known here.

Invariant: a fault names the line, the text and one thread that was concerned.
Entry: `Fault`, `UnknownText`.
"""

from __future__ import annotations

from typing import NamedTuple


class Thread(NamedTuple):
    """One thread of a launch: its block, and its number in that block."""

    block: int
    thread: int


class UnknownText(ValueError):
    """Text that the interpreter doesn't know, or that isn't well formed; `line` counts from 1."""

    def __init__(self, line: int, text: str, reason: str) -> None:
        super().__init__(f"line {line}: {reason}: {text}")
        self.line = line
        self.text = text
        self.reason = reason


KINDS = frozenset(
    {
        "out-of-bounds",
        "use-after-free",
        "misaligned",
        "uninitialized-memory",
        "uninitialized-register",
        "race-shared",
        "race-global",
        "divergent-barrier",
        "divergent-shuffle",
        "step-limit",
    }
)
"""All kinds of faults."""


class Fault(Exception):
    """A kernel, or whoever calls the device, did what has no meaning.

    `kind` is one of `KINDS`. `line` and `text` are those of the instruction, 0 and empty where the
    caller of the device is to blame; then there is no `thread` either.
    """

    def __init__(
        self, kind: str, line: int, text: str, kernel: str, thread: Thread | None, detail: str
    ) -> None:
        place = f"line {line} of {kernel}: {text}" if line else "the caller"
        who = f"thread {thread.thread} of block {thread.block}: " if thread else ""
        super().__init__(f"{kind}: {place}: {who}{detail}")
        assert kind in KINDS
        self.kind = kind
        self.line = line
        self.text = text
        self.kernel = kernel
        self.thread = thread
        self.detail = detail


class BadAccess(Exception):
    """An access that memory refuses: what is wrong, and with which of the accesses made at once."""

    def __init__(self, kind: str, at: int, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.at = at
        self.detail = detail
