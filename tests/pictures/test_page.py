"""The page about pictures: its chart is the one that is drawn today."""

from __future__ import annotations

from pictures.drawn import EXAMPLE, ROOT, drawing_of
from pictures.svg_shapes import read

from alpha.tools.pictures.svg import svg_text

PAGE = ROOT / "docs" / "pictures.md"
CHART = ROOT / "docs" / "pictures" / "round.svg"


def test_the_chart_of_the_page_is_drawn_from_the_example() -> None:
    """`make docs` writes it again."""
    assert "](pictures/round.svg)" in PAGE.read_text(encoding="utf-8")
    assert f"alpha inspect {EXAMPLE.relative_to(ROOT)} --svg round.svg" in PAGE.read_text()
    text = CHART.read_text(encoding="utf-8")
    assert text == svg_text(drawing_of(EXAMPLE.read_text(encoding="utf-8")))
    assert len(read(text).arrows()) > 10
