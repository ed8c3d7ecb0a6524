"""The text of shard maps: `cyclic`, `block_cyclic<2>`, `[stride(0, 1, 3), empty, family(...)]`.

Invariant: what `str` writes for a map reads back as an equal one. Reading is linear in the length
    of the text, for every text.
Refuses: source-syntax, source-integer-limit, source-nesting-limit, and what constructors refuse.
Entry: `parse_map_text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alpha.ir.refusals import Note, Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Selection
from alpha.ir.selections.form import DEPTH_MAX
from alpha.ir.selections.text import DIGITS_MAX
from alpha.ir.sharding.families import Family
from alpha.ir.sharding.maps import Block, BlockCyclic, Cyclic, Explicit, ShardMap
from alpha.ir.sharding.shaped_maps import Rows, Sizes

KINDS = "cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets"

_REGULAR = re.compile(r"\s*(cyclic|block|block_cyclic\s*<\s*([0-9]+)\s*>)\s*", re.ASCII)
_ROWS = re.compile(r"\s*rows\s*<\s*([0-9]+)\s*,(.*)>\s*", re.ASCII | re.DOTALL)
_LIST = re.compile(r"\s*\[(.*)\]\s*", re.DOTALL)
_SIZE = r"\s*(?:[0-9]+|repeat\s*\(\s*[0-9]+\s*,\s*[0-9]+\s*\))\s*"
_SIZES = re.compile(f"{_SIZE}(?:,{_SIZE})*", re.ASCII)
_RUN = re.compile(r"repeat\s*\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)|([0-9]+)", re.ASCII)
_FAMILY = re.compile(r"\s*family\s*\(\s*([0-9]+)\s*,\s*([0-9]+)\s*,", re.ASCII)
_WORD = re.compile(r"\s*(\w*)")
_MARK = re.compile(r"[(),]")


def parse_map_text(text: str) -> ShardMap:
    """The map that a text says; white space between words and marks doesn't matter.

    Raises:
        Refusal: `source-syntax` where the text isn't a map, `source-integer-limit` for a number of
            more than 20 digits, `source-nesting-limit`, and those of the constructors; a note says
            in which item of a list it is.
    """
    widths: list[int] = []
    while (rows := _ROWS.fullmatch(text)) is not None:
        if len(widths) == DEPTH_MAX:
            wanted = f"rows nested at most {DEPTH_MAX} deep"
            raise Refusal("source-nesting-limit", wanted, f"{len(widths) + 1}")
        widths.append(_number(rows.group(1)))
        text = rows.group(2)
    result = _parse_map(text)
    for width in reversed(widths):
        result = Rows(width, result)
    return result


def _parse_map(text: str) -> ShardMap:
    regular = _REGULAR.fullmatch(text)
    if regular is not None:
        kind, block = regular.groups()
        if block is not None:
            return BlockCyclic(_number(block))
        return Cyclic() if kind == "cyclic" else Block()
    pieces = _LIST.fullmatch(text)
    if pieces is None:
        raise Refusal("source-syntax", KINDS, f"'{text.strip()[:20]}'")
    inside = pieces.group(1)
    if _SIZES.fullmatch(inside):
        return Sizes(Runs(tuple(map(_run, _RUN.finditer(inside)))))
    return Explicit(tuple(_items(inside)))


def _run(match: re.Match[str]) -> tuple[int, int]:
    """One item of a list of sizes: how many blocks in turn have a size."""
    count, size, single = match.groups()
    if single is not None:
        return 1, _number(single)
    if not (blocks := _number(count)):
        raise Refusal("source-syntax", "a run of at least 1 size", f"'{match.group()[:20]}'")
    return blocks, _number(size)


def _items(text: str) -> Iterator[Selection | Family]:
    """The items between the brackets of a list."""
    for number, part in enumerate(_parts(text) if text.strip() else ()):
        try:
            yield _item(part)
        except Refusal as refusal:
            note = Note(f"in item {number} of the map, '{part.strip()[:40]}'")
            raise Refusal(
                refusal.code, refusal.expected, refusal.found, notes=(*refusal.notes, note)
            ) from None


def _parts(text: str) -> Iterator[str]:
    """The text between commas that stand in no brackets."""
    depth, start = 0, 0
    for mark in _MARK.finditer(text):
        match mark.group():
            case "(":
                depth += 1
            case ")":
                depth -= 1
            case _ if depth <= 0:
                yield text[start : mark.start()]
                start = mark.end()
    yield text[start:]


def _item(text: str) -> Selection | Family:
    """One item: a selection, or families around one."""
    levels: list[tuple[int, int]] = []
    start, end = 0, len(text)
    while (match := _FAMILY.match(text, start, end)) is not None:
        if len(levels) == DEPTH_MAX:
            wanted = f"families nested at most {DEPTH_MAX} deep"
            raise Refusal("source-nesting-limit", wanted, f"{len(levels) + 1}")
        levels.append((_number(match.group(1)), _number(match.group(2))))
        start, end = match.end(), len(text[:end].rstrip())
        if end <= start or text[end - 1] != ")":
            raise Refusal("source-syntax", "')' at the end of a family", f"'{text[start:][-20:]}'")
        end -= 1
    word = _WORD.match(text, start, end)
    if word is not None and word.group(1) not in ("stride", "repeat", "join", "empty"):
        wanted = "stride, repeat, join, empty or family(COUNT, STEP, ...)"
        raise Refusal("source-syntax", wanted, f"'{text[start:end].strip()[:20]}'")
    item: Selection | Family = Selection.parse(text[start:end])
    for count, step in reversed(levels):
        item = Family(count, step, item)
    return item


def _number(digits: str) -> int:
    if len(digits) > DIGITS_MAX:
        wanted = f"a number of at most {DIGITS_MAX} digits"
        raise Refusal("source-integer-limit", wanted, f"{len(digits)} digits")
    return int(digits)
