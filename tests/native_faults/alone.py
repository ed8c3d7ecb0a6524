"""One native role whose peers the test plays itself.

Entry: `alone`, `ended`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from native_faults.casts import Bound, Native, launched, play_of


@contextmanager
def alone(
    target: str,
    role: int,
    name: str = "pair",
    bound: Bound | None = None,
    prepare: Callable[[], None] | None = None,
) -> Iterator[Native]:
    """One role of a play, whose peers the test plays; it is ended at last."""
    play = play_of(name).play
    found = launched(play, role, target, bound or Bound(wait=5.0), prepare)
    assert isinstance(found, Native)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.wait()
        for stream in (found.process.stdin, found.process.stdout, found.process.stderr):
            assert stream is not None
            stream.close()


def ended(role: Native) -> tuple[int, str]:
    """The status and the line of a role that ends by itself."""
    assert role.process.stderr is not None
    said = role.process.stderr.read().decode()
    return role.process.wait(), said
