"""The shapes of a chart, at whole pixels: boxes, lines, arrows and labels.

Invariant: whatever is drawn is one of these, so that a chart is laid out before a letter of SVG is
    written. The origin is the upper left corner, y grows downwards.
Entry: `Box`, `Lifeline`, `Arrow`, `Frame`, `Divider`, `Label`, `Shape`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class Box:
    """The head of a lifeline or local work, with its lines centred in it."""

    kind: Literal["role", "absent", "work"]
    x: int
    y: int
    width: int
    height: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Lifeline:
    """What a role's boxes and arrows stand on."""

    x: int
    top: int
    bottom: int


@dataclass(frozen=True)
class Arrow:
    """A message from one lifeline to another, or, where it is lost, from or to nowhere."""

    kind: Literal["data", "talk", "lost"]
    start: int
    end: int
    y: int
    label: str
    middle: int
    """Where the label is centred, above the arrow."""

    detail: str
    """What there is to say of it in full."""


@dataclass(frozen=True)
class Frame:
    """The border of a loop or choice, with its label in the upper left corner."""

    x: int
    y: int
    width: int
    height: int
    label: str
    label_width: int


@dataclass(frozen=True)
class Divider:
    """Where an arm of a choice begins, with its number; the first has no line above it."""

    x: int
    y: int
    width: int
    label: str
    label_width: int
    line: bool


@dataclass(frozen=True)
class Label:
    """A line of text that begins at a place: the title, or a note below the chart."""

    kind: Literal["title", "note"]
    x: int
    y: int
    text: str


Shape: TypeAlias = "Box | Lifeline | Arrow | Frame | Divider | Label"
