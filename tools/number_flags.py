"""Whole numbers behind a flag, for argparse: what isn't one, or is too large, is told the range.

Entry: `ranged`, `quoted`, `NUMBER_MAX`, `SIZE_MAX`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

NUMBER_MAX = (1 << 63) - 1
SIZE_MAX = 10**18 - 1
"""What a number of owners, roles or samples may be."""

QUOTED_LETTERS_MAX = 60


def ranged(least: int, most: int, what: str = "a number") -> Callable[[str], int]:
    """What reads a number in a range; `what` is how a message names it."""

    def read(text: str) -> int:
        digits = text.lstrip("0") or text[-1:]
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)):
            value = int(digits)
            if least <= value <= most:
                return value
        raise argparse.ArgumentTypeError(
            f"expected {what} from {least} to {most}, got {quoted(text)}"
        )

    return read


def quoted(text: str) -> str:
    """A text as a message repeats it: the beginning alone of one that is very long."""
    if len(text) <= QUOTED_LETTERS_MAX:
        return repr(text)
    return f"{text[:QUOTED_LETTERS_MAX]!r} and {len(text) - QUOTED_LETTERS_MAX} letters more"
