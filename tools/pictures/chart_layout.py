"""A chart, laid out: every row at its height, every shape at its place.

Invariant: no two rows share a y; the shapes of a section stand inside its border. Whatever text is
    shown was measured, and cut where it is longer than a name may be.
Entry: `Layout.of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from alpha.tools.pictures.charts import ArrowRow, Chart, Row, Section, WorkRow
from alpha.tools.pictures.columns import (
    FONT,
    MARGIN,
    PADDING,
    SPACE,
    Columns,
    arrow_label,
    label_gap,
    section_label,
)
from alpha.tools.pictures.lettering import text_width
from alpha.tools.pictures.programs import Choice
from alpha.tools.pictures.shapes import Arrow, Box, Divider, Frame, Label, Lifeline, Shape
from alpha.tools.pictures.wording import detail_text, is_talk

LINE = 16
"""From one line of text to the next."""

TITLE_FONT, NOTE_FONT = 15, 11
ARROW_LABEL = 18
"""From the top of an arrow's row to the arrow, above which its label stands."""


@dataclass(frozen=True)
class Layout:
    """Shapes in the order in which they are drawn, and the size of the whole."""

    width: int
    height: int
    shapes: tuple[Shape, ...]

    @classmethod
    def of(
        cls, chart: Chart, title: str, heads: Sequence[Sequence[str]], notes: Sequence[str]
    ) -> Layout:
        """Lay a chart out, with these lines in the heads of its lifelines and notes below it."""
        rows = _Rows(chart, heads)
        label = Label("title", MARGIN, MARGIN + TITLE_FONT, title)
        rows.y += TITLE_FONT + MARGIN
        begin = rows.heads(heads)
        rows.add(chart.rows)
        lifelines = [Lifeline(x, begin, rows.y) for x in rows.columns.x]
        below = [
            Label("note", MARGIN, rows.y + SPACE + LINE * number, text)
            for number, text in enumerate(notes, 1)
        ]
        widths = [text_width(title, TITLE_FONT, bold=True)]
        widths += [text_width(text, NOTE_FONT) for text in notes]
        width = max(rows.columns.right, MARGIN + max(widths)) + MARGIN
        height = rows.y + SPACE + LINE * len(notes) + MARGIN
        return cls(width, height, (label, *lifelines, *rows.shapes, *below))


class _Rows:
    """Goes down the rows; `y` is where the next one begins."""

    def __init__(self, chart: Chart, heads: Sequence[Sequence[str]]) -> None:
        self.columns = Columns.of(heads, chart.rows)
        self.shapes: list[Shape] = []
        self.y = MARGIN
        known = [role not in chart.without for role in chart.roles]
        self._names = [lines[0] for lines in heads]
        self._known = known + [False] * (len(heads) - len(known))

    def heads(self, heads: Sequence[Sequence[str]]) -> int:
        """Put the heads of the lifelines; returns where these begin."""
        height = max(map(len, heads)) * LINE + PADDING
        for lane, lines in enumerate(heads):
            kind = "role" if self._known[lane] else "absent"
            self._box(kind, lane, height, tuple(lines))
        begin = self.y + height
        self.y = begin + SPACE
        return begin

    def add(self, rows: Sequence[Row]) -> None:
        """Put rows below each other."""
        for row in rows:
            match row:
                case WorkRow():
                    height = len(row.work.lines) * LINE + PADDING
                    for lane in row.lanes:
                        self._box("work", lane, height, row.work.lines)
                    self.y += height + SPACE
                case ArrowRow():
                    self._arrow(row)
                case Section():
                    self._section(row)

    def _box(
        self,
        kind: Literal["role", "absent", "work"],
        lane: int,
        height: int,
        lines: tuple[str, ...],
    ) -> None:
        """A box as wide as its text, on a lifeline."""
        bold = kind != "work"
        widths = [text_width(line, FONT, bold and not at) for at, line in enumerate(lines)]
        half = max(widths) // 2 + 1 + PADDING
        x = self.columns.x[lane] - half
        self.shapes.append(Box(kind, x, self.y, 2 * half, height, lines))

    def _arrow(self, row: ArrowRow) -> None:
        x, gap = self.columns.x, label_gap(row)
        middle = (x[gap] + x[gap + 1]) // 2
        start, end = x[row.sender], x[row.receiver]
        if row.lost and row.message.outgoing:
            end = middle
        elif row.lost:
            start = middle
        kind = "lost" if row.lost else "talk" if is_talk(row.message) else "data"
        names = (self._names[row.sender], self._names[row.receiver])
        label, detail = arrow_label(row), detail_text(row.message, *names)
        self.shapes.append(Arrow(kind, start, end, self.y + ARROW_LABEL, label, middle, detail))
        self.y += ARROW_LABEL + SPACE

    def _section(self, row: Section) -> None:
        left, right = self.columns.extent(row)
        top, label, at = self.y, section_label(row), len(self.shapes)
        self.y += LINE + SPACE
        for number, arm in enumerate(row.arms):
            if isinstance(row.of, Choice):
                self._divider(left, right, number)
            self.add(arm)
        frame = Frame(left, top, right - left, self.y - top, label, _tab_width(label))
        self.shapes.insert(at, frame)
        self.y += SPACE

    def _divider(self, left: int, right: int, number: int) -> None:
        label = f"arm {number}"
        width = _tab_width(label)
        divider = Divider(left, self.y, right - left, label, width, line=number > 0)
        self.shapes.append(divider)
        self.y += LINE + SPACE


def _tab_width(label: str) -> int:
    return text_width(label, FONT) + 2 * PADDING
