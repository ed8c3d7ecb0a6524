"""Where the lifelines of a chart stand, so that every box and every label has room.

Invariant: between two neighbouring lifelines there is room for the boxes of both, for the borders
    of the loops and choices around them, and for the label of every arrow that has it there.
Entry: `Columns.of`, `label_gap`, `arrow_label`, `section_label`, `depth_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from alpha.tools.pictures.charts import ArrowRow, Row, Section, WorkRow
from alpha.tools.pictures.lettering import text_width
from alpha.tools.pictures.programs import Loop
from alpha.tools.pictures.wording import message_text, repeat_text

FONT = 12
PADDING = 8
"""Between a text and the border of its box."""

SPACE = 10
"""Between two borders: of boxes, and of a loop and what is in it."""

MARGIN = 16
"""Around the whole picture."""

LABEL_ROOM = 28
"""What an arrow is longer than its label: the head, and air on both sides."""


@dataclass(frozen=True)
class Columns:
    """The x of every lifeline, and of each half the width of its widest box."""

    x: tuple[int, ...]
    half: tuple[int, ...]
    depth: int
    """How many loops and choices stand in one another at most."""

    @classmethod
    def of(cls, heads: Sequence[Sequence[str]], rows: Sequence[Row]) -> Columns:
        """The columns of a chart, whose lifelines have these lines in their heads."""
        depth = depth_of(rows)
        half = [_half(lines, bold=True) for lines in heads]
        gaps = [0] * (len(heads) - 1)
        for row in _flat(rows):
            if isinstance(row, WorkRow):
                for lane in row.lanes:
                    half[lane] = max(half[lane], _half(row.work.lines))
            elif isinstance(row, ArrowRow):
                gap, width = label_gap(row), text_width(arrow_label(row), FONT)
                gaps[gap] = max(gaps[gap], width + LABEL_ROOM)
        columns = cls._placed(half, gaps, depth)
        for row in _flat(rows):
            if isinstance(row, Section):
                left, right = columns.extent(row)
                lacking = text_width(section_label(row), FONT) + 2 * PADDING + SPACE - right + left
                if lacking > 0:
                    half[row.lanes[-1]] += lacking
                    columns = cls._placed(half, gaps, depth)
        return columns

    @classmethod
    def _placed(cls, half: Sequence[int], gaps: Sequence[int], depth: int) -> Columns:
        border = SPACE * (depth + 1)
        x = [MARGIN + border + half[0]]
        for lane, gap in enumerate(gaps):
            boxes = half[lane] + half[lane + 1] + 2 * border
            x.append(x[-1] + max(gap, boxes if depth else boxes - SPACE))
        return cls(tuple(x), tuple(half), depth)

    @property
    def right(self) -> int:
        """Where the last column ends, with the borders around it."""
        return self.x[-1] + self.half[-1] + SPACE * (self.depth + 1)

    def extent(self, section: Section) -> tuple[int, int]:
        """The left and the right border of a loop or choice."""
        border = SPACE * (1 + max(map(depth_of, section.arms)))
        first, last = section.lanes[0], section.lanes[-1]
        return self.x[first] - self.half[first] - border, self.x[last] + self.half[last] + border


def _half(lines: Iterable[str], bold: bool = False) -> int:
    widths = [text_width(line, FONT, bold and not at) for at, line in enumerate(lines)]
    return max(widths) // 2 + 1 + PADDING


def _flat(rows: Iterable[Row]) -> Iterator[Row]:
    """All rows, those of a section behind it."""
    for row in rows:
        yield row
        if isinstance(row, Section):
            for arm in row.arms:
                yield from _flat(arm)


def depth_of(rows: Sequence[Row]) -> int:
    """How many loops and choices stand in one another at most."""
    inner = [1 + max(map(depth_of, row.arms)) for row in rows if isinstance(row, Section)]
    return max(inner, default=0)


def label_gap(row: ArrowRow) -> int:
    """The gap, between a lifeline and the next, in which an arrow has its label.

    It is the leftmost one that the arrow crosses; of half an arrow the one beside its end.
    """
    left, right = sorted((row.sender, row.receiver))
    if not row.lost:
        return left
    here = row.sender if row.message.outgoing else row.receiver
    return left if here == left else right - 1


def arrow_label(row: ArrowRow) -> str:
    """What stands above an arrow."""
    name, rest = message_text(row.message)
    return f"{name}: {rest}"


def section_label(section: Section) -> str:
    """What stands in the corner of a loop or choice."""
    return repeat_text(section.of) if isinstance(section.of, Loop) else "choice"
