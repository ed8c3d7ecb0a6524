"""The colours of charts, on light and on dark paper.

Invariant: every text has a contrast of at least 4.5 to what is behind it, every line one of 3, in
    both palettes (WCAG 2.1, 1.4.3 and 1.4.11).
Why: a chart brings its own paper, so that it can be read wherever it is shown. Attributes have the
    light palette, which every reader of SVG knows; a style sheet has the dark one, for those that
    tell whether dark is preferred.
Entry: `LIGHT`, `DARK`, `Look`, `painted`, `style`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Look(NamedTuple):
    """The inside and the border of a shape; None where it has none."""

    fill: str | None
    stroke: str | None = None


LIGHT: Mapping[str, Look] = MappingProxyType(
    {
        "paper": Look("#ffffff"),
        "ink": Look("#1f2328"),
        "note": Look("#59636e"),
        "life": Look(None, "#818b98"),
        "role": Look("#f6f8fa", "#59636e"),
        "work": Look("#ddf4ff", "#0969da"),
        "data": Look(None, "#0550ae"),
        "data-head": Look("#0550ae"),
        "talk": Look(None, "#6639ba"),
        "talk-head": Look("#6639ba"),
        "lost": Look(None, "#a40e26"),
        "lost-head": Look("#a40e26"),
        "frame": Look(None, "#9a6700"),
        "tab": Look("#fff8c5", "#9a6700"),
    }
)
"""What each class of shapes looks like on light paper."""

DARK: Mapping[str, Look] = MappingProxyType(
    {
        "paper": Look("#0d1117"),
        "ink": Look("#f0f6fc"),
        "note": Look("#9198a1"),
        "life": Look(None, "#656c76"),
        "role": Look("#151b23", "#9198a1"),
        "work": Look("#10243e", "#4493f8"),
        "data": Look(None, "#79c0ff"),
        "data-head": Look("#79c0ff"),
        "talk": Look(None, "#d2a8ff"),
        "talk-head": Look("#d2a8ff"),
        "lost": Look(None, "#ff7b72"),
        "lost-head": Look("#ff7b72"),
        "frame": Look(None, "#d29922"),
        "tab": Look("#2f2508", "#d29922"),
    }
)
"""The same on dark paper."""


def painted(name: str) -> str:
    """The attributes of a class of shapes: its name, and its look on light paper."""
    look = LIGHT[name]
    stroke = "" if look.stroke is None else f' stroke="{look.stroke}"'
    return f'class="{name}" fill="{look.fill or "none"}"{stroke}'


def style() -> list[str]:
    """The lines of a style sheet that puts the dark palette in the place of the light one."""
    rules = [f"  .{name} {{ {_paints(look)} }}" for name, look in DARK.items()]
    return ["@media (prefers-color-scheme: dark) {", *rules, "}"]


def _paints(look: Look) -> str:
    paints = (("fill", look.fill), ("stroke", look.stroke))
    return " ".join(f"{what}: {colour};" for what, colour in paints if colour is not None)
