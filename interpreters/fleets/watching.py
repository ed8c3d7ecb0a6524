"""How a model tells of its progress: whoever runs it may see each item of long work go by.

Entry: `Watch`, `unwatched`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Watch(Protocol):
    """Gives the items one by one; `what` says what they are."""

    def __call__(self, items: Sequence[Item], what: str) -> Iterable[Item]: ...


def unwatched(items: Sequence[Item], what: str) -> Iterable[Item]:
    """The items, and nothing said."""
    del what
    return items
