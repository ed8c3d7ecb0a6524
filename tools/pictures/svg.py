"""A round of a protocol as a message-sequence chart in SVG.

Invariant: the text is well-formed XML and plain SVG 1.1, without scripts and without anything that
    is loaded; the same protocol gives the same bytes. Colours are those of the light palette; a
    reader that knows of the preference for dark gets the other one.
Entry: `svg_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from alpha.tools.pictures.captions import heads_of, notes_of
from alpha.tools.pictures.chart_layout import LINE, NOTE_FONT, TITLE_FONT, Layout
from alpha.tools.pictures.charts import Chart
from alpha.tools.pictures.columns import FONT, PADDING
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.palette import painted, style
from alpha.tools.pictures.shapes import Arrow, Box, Divider, Frame, Label, Lifeline, Shape
from alpha.tools.pictures.wording import title_of

HEAD = 7
"""The length of the head of an arrow."""

MESSAGES_TOLD_MAX = 100
"""Most messages that the description lists."""

BASELINE = 4
"""From the middle of a line of text down to its baseline."""


def svg_text(drawing: Drawing) -> str:
    """One round of a protocol.

    Raises:
        Refusal: what programs refuse.
    """
    chart = Chart.of(drawing)
    rounds = "One round of " if chart.has_loops else ""
    title = f"{rounds}{title_of(drawing)}"
    layout = Layout.of(chart, title, heads_of(drawing, chart), notes_of(chart))
    return "".join(f"{line}\n" for line in _lines(layout, title))


def _lines(layout: Layout, title: str) -> Iterator[str]:
    size = f'width="{layout.width}" height="{layout.height}"'
    box = f'viewBox="0 0 {layout.width} {layout.height}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {size} {box}'
    yield f'    font-family="sans-serif" font-size="{FONT}">'
    yield f"  <title>{escape(title)}</title>"
    yield f"  <desc>{escape(_description(layout.shapes))}</desc>"
    yield '  <style type="text/css">'
    yield from (f"    {line}" for line in style())
    yield "  </style>"
    yield f"  <rect {painted('paper')} {size}/>"
    for shape in layout.shapes:
        yield from (f"  {line}" for line in _shape(shape))
    yield "</svg>"


def _description(shapes: Sequence[Shape]) -> str:
    """What a reader hears who doesn't see the chart: its messages in order."""
    details = [shape.detail for shape in shapes if isinstance(shape, Arrow)]
    more = len(details) - MESSAGES_TOLD_MAX
    told = details[:MESSAGES_TOLD_MAX] + ([f"{more:,} more"] if more > 0 else [])
    return f"Messages from first to last: {'; '.join(told) or 'none'}."


def _shape(shape: Shape) -> Iterator[str]:
    match shape:
        case Lifeline():
            yield _line("life", shape.x, shape.top, shape.x, shape.bottom)
        case Box():
            yield from _box(shape)
        case Arrow():
            yield from _arrow(shape)
        case Frame():
            yield f"<g><title>{escape(shape.label)}</title>"
            where = f'x="{shape.x}" y="{shape.y}" width="{shape.width}" height="{shape.height}"'
            yield f'  <rect {painted("frame")} {where} rx="4"/>'
            yield from _tab(shape.x, shape.y, shape.label_width, shape.label)
            yield "</g>"
        case Divider():
            if shape.line:
                right = shape.x + shape.width
                yield _line("frame", shape.x, shape.y, right, shape.y, dashes="6 4")
            yield from _tab(shape.x, shape.y, shape.label_width, shape.label)
        case Label(kind="title"):
            bold = f'font-size="{TITLE_FONT}" font-weight="bold"'
            yield _text("ink", shape.x, shape.y, shape.text, bold)
        case Label():
            yield _text("note", shape.x, shape.y, shape.text, f'font-size="{NOTE_FONT}"')


def _box(box: Box) -> Iterator[str]:
    """A box with its lines; of a head the first is bold."""
    look = painted("work" if box.kind == "work" else "role")
    corner = ' rx="4"' if box.kind == "work" else ""
    dashes = ' stroke-dasharray="4 3"' if box.kind == "absent" else ""
    where = f'x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}"'
    yield f"<rect {look} {where}{corner}{dashes}/>"
    middle = box.x + box.width // 2
    first = box.y + (box.height - LINE * len(box.lines)) // 2 + LINE // 2 + BASELINE
    for number, line in enumerate(box.lines):
        bold = ' font-weight="bold"' if box.kind != "work" and not number else ""
        yield _text("ink", middle, first + LINE * number, line, f'text-anchor="middle"{bold}')


def _arrow(arrow: Arrow) -> Iterator[str]:
    """An arrow with its label above; where an end is missing there is a cross."""
    way = 1 if arrow.end > arrow.start else -1
    yield f"<g><title>{escape(arrow.detail)}</title>"
    yield f"  {_line(arrow.kind, arrow.start, arrow.y, arrow.end - way, arrow.y)}"
    back = arrow.end - way * HEAD
    points = f"{arrow.end},{arrow.y} {back},{arrow.y - 4} {back},{arrow.y + 4}"
    yield f'  <polygon {painted(f"{arrow.kind}-head")} points="{points}"/>'
    if arrow.kind == "lost":
        for x in {arrow.start, arrow.end} & {arrow.middle}:
            for slope in (-5, 5):
                ends = (x - 5, arrow.y - slope, x + 5, arrow.y + slope)
                yield f"  {_line(arrow.kind, *ends)}"
    label = _text("ink", arrow.middle, arrow.y - 5, arrow.label, 'text-anchor="middle"')
    yield f"  {label}"
    yield "</g>"


def _tab(x: int, y: int, width: int, label: str) -> Iterator[str]:
    """A label in the corner of a border."""
    yield f'  <rect {painted("tab")} x="{x}" y="{y}" width="{width}" height="{LINE + 4}" rx="4"/>'
    yield f"  {_text('ink', x + PADDING, y + LINE // 2 + 2 + BASELINE, label)}"


def _line(name: str, x: int, y: int, to_x: int, to_y: int, dashes: str = "") -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line {painted(name)} x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}"{dashed}/>'


def _text(name: str, x: int, y: int, text: str, more: str = "") -> str:
    return f'<text {painted(name)} x="{x}" y="{y}"{" " if more else ""}{more}>{escape(text)}</text>'
