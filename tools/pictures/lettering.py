"""Which letters of a text are shown, and how wide they are at most in any sans-serif font.

Invariant: what is shown has no letter that a terminal or a parser of XML would obey or refuse. No
    letter of ASCII is wider than this in DejaVu Sans, Verdana, Helvetica or Arial, of
    which the first two are the widest that are common; another letter is at most as wide as high.
    Bold letters are wider by less than `BOLD`.
Entry: `text_width`, `clean`, `shortened`.
"""

from __future__ import annotations

from math import ceil
from types import MappingProxyType

_LETTERS = (
    (0.37, "',.ijl"),
    (0.46, ' !"()-/:;I[\\]frt|'),
    (0.64, "$*0123456789?J_`abcdeghknopqsuvxyz{}"),
    (0.79, "&ABCDEFGHKLNOPQRSTUVXYZ"),
    (0.84, "#+<=>^w~"),
    (1.08, "%@MWm"),
)
_WIDTHS = MappingProxyType({letter: width for width, letters in _LETTERS for letter in letters})
"""The width of each letter, in heights of the font."""

BOLD = 1.2
NAME_LETTERS_MAX = 32


def text_width(text: str, size: int, bold: bool = False) -> int:
    """A bound of the width of a text in a font of this size, in pixels."""
    width = sum(_WIDTHS.get(letter, 1.0) for letter in text) * size
    return ceil(width * BOLD if bold else width)


def clean(text: str) -> str:
    """A text without control characters, surrogates and the like."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def shortened(text: str, letters_max: int = NAME_LETTERS_MAX) -> str:
    """A clean text of at most so many letters; a longer one ends in an ellipsis."""
    text = clean(text)
    return text if len(text) <= letters_max else f"{text[: letters_max - 1]}…"
