"""A reader of the SVG that charts are written in: which shapes there are, and where.

Invariant: it reads plain SVG 1.1 alone: known elements with known attributes, nothing that is
    loaded or run. What a text covers is measured with letter widths that the tool doesn't know.
Entry: `read`, `Picture`, `Area`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree import ElementTree

from pictures.letter_widths import width_of

NAMESPACE = "{http://www.w3.org/2000/svg}"
PAINT = {"class", "fill", "stroke"}
KNOWN = {
    "svg": {"version", "width", "height", "viewBox", "font-family", "font-size"},
    "title": set[str](),
    "desc": set[str](),
    "style": {"type"},
    "g": set[str](),
    "rect": PAINT | {"x", "y", "width", "height", "rx", "stroke-dasharray"},
    "line": PAINT | {"x1", "y1", "x2", "y2", "stroke-dasharray"},
    "polygon": PAINT | {"points"},
    "text": PAINT | {"x", "y", "text-anchor", "font-size", "font-weight"},
}
COLOUR = re.compile("none|#[0-9a-f]{6}")


@dataclass(frozen=True)
class Area:
    """What a shape covers."""

    left: float
    top: float
    right: float
    bottom: float
    name: str
    text: str = ""

    def overlaps(self, other: Area) -> bool:
        """Whether both cover a point."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Area) -> bool:
        """Whether the other one lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


@dataclass
class Picture:
    """The shapes of a picture, in the order in which they are drawn."""

    width: int = 0
    height: int = 0
    title: str = ""
    description: str = ""
    style: str = ""
    boxes: list[Area] = field(default_factory=list)
    texts: list[Area] = field(default_factory=list)
    lines: list[Area] = field(default_factory=list)
    heads: list[tuple[str, list[tuple[int, int]]]] = field(default_factory=list)
    paints: dict[str, tuple[str, str]] = field(default_factory=dict)

    def named(self, *names: str) -> list[Area]:
        """Boxes of some classes."""
        return [box for box in self.boxes if box.name in names]

    def arrows(self) -> list[Area]:
        """The level lines of messages; left and right are start and end."""
        names = ("data", "talk", "lost")
        return [line for line in self.lines if line.name in names and line.top == line.bottom]


def read(text: str) -> Picture:
    """The shapes of a picture; AssertionError where it isn't plain SVG."""
    root = ElementTree.fromstring(text)
    picture = Picture()
    for element in root.iter():
        name = element.tag.removeprefix(NAMESPACE)
        assert element.attrib.keys() <= KNOWN[name], (name, element.attrib)
        _read(picture, name, element)
    assert [child.tag.removeprefix(NAMESPACE) for child in root][:2] == ["title", "desc"]
    assert root.get("viewBox") == f"0 0 {picture.width} {picture.height}"
    assert root.get("font-family") == "sans-serif"
    return picture


def _read(picture: Picture, name: str, element: ElementTree.Element) -> None:
    def number(key: str) -> int:
        return int(element.get(key, "0"))

    text, own = element.text or "", element.get("class", "")
    if own:
        paints = element.get("fill", "none"), element.get("stroke", "none")
        assert all(COLOUR.fullmatch(paint) for paint in paints)
        assert picture.paints.setdefault(own, paints) == paints
    match name:
        case "svg":
            picture.width, picture.height = number("width"), number("height")
        case "title":
            picture.title = picture.title or text
        case "desc":
            picture.description = text
        case "style":
            picture.style = text
        case "rect":
            right, bottom = number("x") + number("width"), number("y") + number("height")
            picture.boxes.append(Area(number("x"), number("y"), right, bottom, own))
        case "line":
            start, end = (number("x1"), number("y1")), (number("x2"), number("y2"))
            picture.lines.append(Area(*start, *end, own))
        case "polygon":
            points = [
                tuple(map(int, pair.split(","))) for pair in element.get("points", "").split()
            ]
            picture.heads.append((own, [(x, y) for x, y in points]))
        case "text":
            size = int(element.get("font-size", "12"))
            wide = width_of(text, size, element.get("font-weight") == "bold")
            left = number("x") - (wide / 2 if element.get("text-anchor") == "middle" else 0)
            top, bottom = number("y") - 0.76 * size, number("y") + 0.24 * size
            picture.texts.append(Area(left, top, left + wide, bottom, own, text))
        case _:
            pass
