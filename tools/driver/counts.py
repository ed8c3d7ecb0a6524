"""Counts with their nouns, as a person says them.

Entry: `counted`.
"""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count and its noun, which takes an `s` unless there is one: `1 field`, `2 fields`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
