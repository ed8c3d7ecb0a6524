"""Charts in SVG: plain and well-formed, with every text in its place and every colour readable."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from random import Random

import pytest
from pictures.drawn import EXAMPLE, distributed, drawing_of
from pictures.letter_widths import width_of
from pictures.random_texts import random_text
from pictures.svg_shapes import Area, Picture, read

from alpha.ir.dialects.protocol_role import FrameOp, ReceiveOp, SendOp
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.lettering import shortened, text_width
from alpha.tools.pictures.palette import DARK, LIGHT
from alpha.tools.pictures.svg import MESSAGES_TOLD_MAX, svg_text

TEXTS = 30
LONG = "a_name_that_is_much_longer_than_a_picture_can_bear_without_being_cut"
WIDE = EXAMPLE.read_text().replace("@gradient", '@"MMMM@@@@WWWW%%%%mmmm<&>漢字"')
NAMED = EXAMPLE.read_text().replace("@adam", f"@{LONG}")


def pictures() -> list[Picture]:
    """Pictures of every kind."""
    drawings = [drawing_of(random_text(Random(seed))[0]) for seed in range(TEXTS)]
    drawings += [drawing_of(text) for text in (WIDE, NAMED, NARROW)]
    drawings += [
        Drawing.of(distributed(4)),
        Drawing.of(distributed(8, "star", True, "sharded")),
        Drawing.of(distributed(30, "tree<3>")),
        Drawing.of(distributed(200_000, "tree<64>")),
        Drawing.of(distributed(5, project=True, roles=(0, 3))),
        Drawing.of(distributed(40, "tree<3>", project=True, roles=(0, 3, 39))),
        misfit(),
    ]
    return [read(svg_text(drawing)) for drawing in drawings]


def misfit() -> Drawing:
    """Programs that don't fit: role 0 doesn't receive what role 3 sends, nor send to role 3."""
    module = distributed(4, project=True)
    frames = [op for op in module.walk() if isinstance(op, FrameOp) and op.peer.data == 3]
    next(op for op in frames if isinstance(op, ReceiveOp)).detach()
    next(op for op in frames if isinstance(op, SendOp)).detach()
    return Drawing.of(module)


NARROW = """
protocol.global @narrow group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> {
  %s = protocol.local at role 1 {
    %n = arith.constant 0 : i64
    protocol.yield %n
  }
  protocol.repeat 1234567890123456789 {
    protocol.local at role 1 {
      protocol.yield
    }
    protocol.until %s by 1 along []
  }
}
"""


@pytest.fixture(scope="module")
def drawn() -> list[Picture]:
    return pictures()


def test_all_that_is_drawn_is_inside_the_picture(drawn: list[Picture]) -> None:
    for picture in drawn:
        paper = picture.boxes[0]
        assert paper == Area(0, 0, picture.width, picture.height, "paper")
        margin = Area(8, 8, picture.width - 8, picture.height - 8, "")
        for shape in (*picture.boxes[1:], *picture.texts):
            assert margin.holds(shape), shape


def test_every_text_of_a_box_fits_into_it(drawn: list[Picture]) -> None:
    """A box has at least one text, and a text that touches a box lies inside it."""
    for picture in drawn:
        for box in picture.named("role", "work", "tab"):
            touching = [text for text in picture.texts if box.overlaps(text)]
            assert touching, box
            for text in touching:
                assert box.left + 4 <= text.left and text.right <= box.right - 4, (box, text)
                assert box.holds(text)


def test_no_two_texts_and_no_two_boxes_overlap(drawn: list[Picture]) -> None:
    for picture in drawn:
        for shapes in (picture.texts, picture.named("role", "work", "tab")):
            for one, other in combinations(sorted(shapes, key=lambda each: each.top), 2):
                assert not one.overlaps(other), (one, other)


def test_no_line_leads_through_the_label_of_an_arrow(drawn: list[Picture]) -> None:
    """Neither a lifeline nor a border; other texts stand in boxes that cover what is behind."""
    for picture in drawn:
        covers = picture.named("role", "work", "tab")
        lifelines = [line for line in picture.lines if line.name == "life"]
        bare = [text for text in picture.texts if not any(box.holds(text) for box in covers)]
        assert bare
        for text in bare:
            for line in lifelines:
                assert not (
                    text.left - 2 < line.left < text.right + 2
                    and line.top < text.bottom
                    and text.top < line.bottom
                ), (text, line)
            for frame in picture.named("frame"):
                for x in (frame.left, frame.right):
                    inside = frame.top < text.bottom and text.top < frame.bottom
                    assert not (inside and text.left < x < text.right), (text, frame)
            for arrow in picture.arrows():
                assert not text.top < arrow.top < text.bottom, (text, arrow)


def test_every_arrow_has_a_row_of_its_own_and_ends_at_lifelines(drawn: list[Picture]) -> None:
    for picture in drawn:
        columns = {line.left for line in picture.lines if line.name == "life"}
        rows = [arrow.top for arrow in picture.arrows()]
        assert rows == sorted(rows) and all(b - a >= 20 for a, b in pairwise(rows))
        assert len(picture.heads) == len(rows)
        for arrow, (name, points) in zip(picture.arrows(), picture.heads, strict=True):
            tip, *back = points
            assert name == f"{arrow.name}-head" and tip[1] == arrow.top
            way = 1 if arrow.right > arrow.left else -1
            assert tip[0] == arrow.right + way
            assert all((tip[0] - x) * way > 0 and abs(y - tip[1]) < 6 for x, y in back)
            ends = {arrow.left, tip[0]}
            assert len(ends & columns) == (1 if arrow.name == "lost" else 2), arrow
            above = [
                text
                for text in picture.texts
                if 0 < arrow.top - text.bottom < 10
                and min(ends) < text.left < text.right < max(ends)
            ]
            if arrow.name != "lost":
                assert len(above) == 1, arrow


def test_half_an_arrow_stands_beside_the_end_that_there_is() -> None:
    picture = read(svg_text(misfit()))
    columns = sorted({line.left for line in picture.lines if line.name == "life"})
    lost = [arrow for arrow in picture.arrows() if arrow.name == "lost"]
    assert len(lost) == 2
    sent, received = lost
    assert sent.left == columns[3] and columns[2] < sent.right < columns[3]
    assert columns[2] < received.left < received.right == columns[3] - 1
    for arrow, nowhere in ((sent, sent.right - 1), (received, received.left)):
        crosses = [
            line
            for line in picture.lines
            if line.name == "lost" and {line.top, line.bottom} == {arrow.top - 5, arrow.top + 5}
        ]
        assert [line.left + 5 for line in crosses] == [nowhere, nowhere]
    said = "An arrow with a cross is a frame that its peer doesn't have at that point."
    assert said in {text.text for text in picture.texts}


def test_boxes_stand_on_lifelines_and_inside_borders(drawn: list[Picture]) -> None:
    for picture in drawn:
        columns = {line.left for line in picture.lines if line.name == "life"}
        frames = picture.named("frame")
        for box in picture.named("role", "work"):
            assert (box.left + box.right) / 2 in columns
            for frame in frames:
                assert frame.holds(box) or not frame.overlaps(box), (frame, box)
        for one, other in combinations(frames, 2):
            assert one.holds(other) or other.holds(one) or not one.overlaps(other)
            assert len({one.left, other.left, one.top, other.top}) > 2 or not one.overlaps(other)


def test_the_order_of_arrows_is_that_of_the_description() -> None:
    picture = read(svg_text(Drawing.of(distributed(3))))
    assert picture.title == "One round of @least_squares_adam: 3 roles, star"
    told = picture.description.removeprefix("Messages from first to last: ").split("; ")
    columns = sorted({line.left for line in picture.lines if line.name == "life"})
    ways: list[tuple[int, int]] = []
    for each in told:
        said = re.match(r"site \d+: role (\d) to role (\d), \w+", each)
        assert said
        ways.append((int(said[1]), int(said[2])))
    assert len(told) == len(picture.arrows()) == 10
    for (sender, receiver), arrow in zip(ways, picture.arrows(), strict=True):
        assert arrow.left == columns[sender]
        assert abs(arrow.right - columns[receiver]) == 1


def test_a_long_description_says_how_much_is_left_out(drawn: list[Picture]) -> None:
    long = [each for each in drawn if len(each.arrows()) > MESSAGES_TOLD_MAX]
    assert long
    for picture in long:
        assert picture.description.endswith(f"; {len(picture.arrows()) - MESSAGES_TOLD_MAX} more.")


def test_programs_are_named_in_the_boxes_of_local_work() -> None:
    picture = read(svg_text(drawing_of(EXAMPLE.read_text())))
    texts = [text.text for text in picture.texts]
    for line in ("contribute @gradient", "update @adam", "advance", "publish"):
        assert texts.count(line) == 4
    assert texts.count('observe "loss"') == 1
    assert {"one round", "1 of 6 samples of data", "0 of 6 samples of data"} <= set(texts)


def test_of_many_roles_a_lifeline_stands_for_those_that_are_not_drawn() -> None:
    picture = read(svg_text(Drawing.of(distributed(200_000, "tree<64>"))))
    texts = [text.text for text in picture.texts]
    assert [text for text in texts if text.startswith("role ")] == [f"role {n}" for n in range(8)]
    assert "199,992 other roles" in texts
    assert "What the other roles do by themselves and among each other isn't drawn." in texts


def test_only_where_there_are_loops_there_are_rounds(drawn: list[Picture]) -> None:
    titles = [picture.title for picture in drawn[:TEXTS]]
    assert {"@random", "One round of @random"} == {title.partition(":")[0] for title in titles}
    for picture in drawn:
        names = {text.text for text in picture.texts}
        loops = any(name.startswith(("one round", "repeat")) for name in names)
        assert loops or not picture.title.startswith("One round of")


def test_loops_and_arms_are_labelled() -> None:
    labels: set[str] = set()
    for seed in range(TEXTS):
        picture = read(svg_text(drawing_of(random_text(Random(seed))[0])))
        tabs = picture.named("tab")
        labels |= {text.text for text in picture.texts for tab in tabs if tab.holds(text)}
    assert {
        "repeat 2 times",
        "repeat until decided, at most 3 times",
        "one round",
        "choice",
    } < labels
    assert {"arm 0", "arm 1", "arm 2"} < labels


@pytest.mark.parametrize("bold", [False, True])
def test_no_letter_is_wider_than_the_tool_takes_it_for(bold: bool) -> None:
    for letter in (*map(chr, range(32, 127)), "…", "漢"):
        assert text_width(10 * letter, 100, bold) >= width_of(10 * letter, 100, bold), letter


def test_what_is_shown_is_clean_and_not_too_long() -> None:
    assert shortened("ab\x1b\u202e\u2028\nc") == "ab\ufffd\ufffd\ufffd\ufffdc"
    assert shortened("x" * 32) == "x" * 32
    assert shortened("x" * 33) == "x" * 31 + "…"


def test_arms_stand_apart(drawn: list[Picture]) -> None:
    """A line across the border above every arm but the first."""
    for picture in drawn:
        tabs = {text.text: text for text in picture.texts if text.text.startswith("arm ")}
        across = [line for line in picture.lines if line.name == "frame"]
        numbered = [text for text in picture.texts if re.fullmatch(r"arm [1-9]\d*", text.text)]
        assert len(across) == len(numbered)
        for line, text in zip(across, numbered, strict=True):
            assert 0 < text.top - line.top < 16 and line.top == line.bottom
            borders = {(frame.left, frame.right) for frame in picture.named("frame")}
            assert (line.left, line.right) in borders
        assert bool(tabs) == any(text.text == "choice" for text in picture.texts)


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_colours_can_be_told_from_what_is_behind_them(palette: dict) -> None:
    paper = palette["paper"].fill
    for behind in ("paper", "role", "work", "tab"):
        assert contrast(palette["ink"].fill, palette[behind].fill) >= 7
    assert contrast(palette["note"].fill, paper) >= 4.5
    for name, look in palette.items():
        if look.stroke is not None:
            assert contrast(look.stroke, paper) >= 3, name
        if name.endswith("-head"):
            assert look.fill == palette[name.removesuffix("-head")].stroke


def test_the_style_sheet_has_the_dark_palette_for_every_class(drawn: list[Picture]) -> None:
    for picture in drawn:
        rules = dict(re.findall(r"\.([\w-]+) \{ (.*?) \}", picture.style))
        assert set(rules) >= set(picture.paints)
        assert picture.style.strip().startswith("@media (prefers-color-scheme: dark) {")
        for name, (fill, stroke) in picture.paints.items():
            assert (fill, stroke) == (LIGHT[name].fill or "none", LIGHT[name].stroke or "none")
            said = dict(part.split(": ") for part in rules[name].rstrip(";").split("; "))
            look = {"fill": DARK[name].fill, "stroke": DARK[name].stroke}
            assert said == {key: value for key, value in look.items() if value is not None}


def test_the_same_protocol_has_the_same_picture() -> None:
    texts = {svg_text(Drawing.of(distributed(4, project=project))) for project in (False, True)}
    texts.add(svg_text(Drawing.of(distributed(4))))
    assert len(texts) == 1
