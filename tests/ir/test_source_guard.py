"""The source guard: what it refuses and where, what it lets through, and that it is linear."""

from __future__ import annotations

import random
import re
import sys
from typing import Any

import pytest
from counted_calls import calls_of

from alpha.ir.frontend import source_guard
from alpha.ir.frontend.source_guard import (
    NESTING_MAX,
    SIZE_BYTES_MAX,
    WORD_LENGTH_MAX,
    guard_source,
    guard_text,
    nesting_of,
)
from alpha.ir.refusals import Refusal


def refused(data: bytes) -> tuple[str, int, int]:
    """The code and the place of the refusal of a text."""
    with pytest.raises(Refusal) as caught:
        guard_source(data, "in.mlir")
    place = caught.value.place
    assert place is not None
    assert place.file == "in.mlir"
    return caught.value.code, place.line, place.column


@pytest.mark.parametrize(
    "text",
    [
        "",
        "builtin.module {}",
        '"a" "b\\n\\t\\\\\\"\\C3\\A9" "é ² \ufeff" // é " < ( \\q',
        "// only a comment",
        '"// no comment" "<({[" @"odd name"',
        "a -> b -> c >>> ))) ]]] }}}",
        "affine_set<(d0) : (d0 <= 3, d0 >= 1, d0 == 2)>" * 300,
        "(d0 <= 1)" * 1000,
        "x" * WORD_LENGTH_MAX + " " + "7" * WORD_LENGTH_MAX,
        "// " + "x" * 5000 + "\n" + '"' + "0" * 5000 + '"',
        "\t\r\n",
        "/ // /",
    ],
)
def test_accepted(text: str) -> None:
    assert guard_source(text.encode("utf-8"), "in.mlir") == text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'"' + b"x" * 60, ("source-string-unterminated", 1, 1)),
        (b'a\n  @"b\n"', ("source-string-unterminated", 2, 4)),
        (b'a "', ("source-string-unterminated", 1, 3)),
        (b'"\\"', ("source-string-unterminated", 1, 1)),
        (b'"a" "b\\q"', ("source-string-escape", 1, 7)),
        (b'\n"\\F"', ("source-string-escape", 2, 2)),
        (b'"\\', ("source-string-escape", 1, 2)),
        (b"a\nb\x00c", ("source-encoding", 2, 2)),
        (b'"a\x0cb"', ("source-encoding", 1, 3)),
        (b"// \x7f", ("source-encoding", 1, 4)),
        ('"é" a\xff'.encode("latin-1"), ("source-encoding", 1, 2)),
        ('\n"é" a'.encode() + b"\xff", ("source-encoding", 2, 6)),
        (b"\xed\xa0\x80", ("source-encoding", 1, 1)),
        ("\ufeffa".encode(), ("source-encoding", 1, 1)),
        ('"é" é'.encode(), ("source-encoding", 1, 5)),
        ("²".encode(), ("source-encoding", 1, 1)),
        (b"x = " + b"7" * 100_000, ("source-integer-limit", 1, 5)),
        (b"0x" + b"F" * WORD_LENGTH_MAX, ("source-integer-limit", 1, 1)),
        (b"1x" * WORD_LENGTH_MAX + b"f64", ("source-integer-limit", 1, 1)),
        (b"\n %" + b"v" * (WORD_LENGTH_MAX + 1), ("source-token-limit", 2, 3)),
        (b"<" * 5000, ("source-nesting-limit", 1, NESTING_MAX + 1)),
        (b"({\n" * 5000, ("source-nesting-limit", NESTING_MAX // 2 + 1, 1)),
        (b"(<]>" * 200, ("source-nesting-limit", 1, 4 * NESTING_MAX - 2)),
        (b"x" * (SIZE_BYTES_MAX + 1), ("source-size-limit", 1, 1)),
    ],
)
def test_refused(data: bytes, expected: tuple[str, int, int]) -> None:
    assert refused(data) == expected


@pytest.mark.parametrize("pair", ["()", "[]", "{}", "<>"])
def test_nesting_is_exact(pair: str) -> None:
    left, right = pair
    deep = left * NESTING_MAX + right * NESTING_MAX
    assert guard_source(deep.encode(), "in.mlir") == deep
    assert nesting_of(deep * 3) == NESTING_MAX
    assert refused(f"{left}{deep}".encode())[0] == "source-nesting-limit"


def test_comparisons_hide_no_nesting() -> None:
    hidden = "{ affine_set<(d0) : (d0 >= 0, d0 >= 1)> " * (NESTING_MAX + 1)
    assert refused(hidden.encode())[0] == "source-nesting-limit"
    assert refused(("{ a -> b " * (NESTING_MAX + 1)).encode())[0] == "source-nesting-limit"


def naive_depth(text: str) -> int | None:
    """The nesting by a machine that looks at one letter at a time; None if a string is bad."""
    stack: list[str] = []
    deepest = position = 0
    openers = {")": "(", "]": "[", "}": "{"}
    while position < len(text):
        letter = text[position]
        if text.startswith("//", position):
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
            continue
        if letter == '"':
            position += 1
            while position < len(text) and text[position] not in '"\n':
                if text[position] == "\\":
                    hexadecimal = text[position + 1 : position + 3]
                    if len(hexadecimal) == 2 and all(each in "0aF" for each in hexadecimal):
                        position += 2
                    elif hexadecimal[:1] not in ("n", "\\", '"') or not hexadecimal:
                        return None
                    else:
                        position += 1
                position += 1
            if position >= len(text) or text[position] == "\n":
                return None
        elif letter in "([{<":
            stack.append(letter)
            deepest = max(deepest, len(stack))
        elif letter == ">":
            if stack and stack[-1] == "<" and text[position - 1] != "-":
                stack.pop()
        elif letter in openers:
            while stack and stack[-1] == "<":
                stack.pop()
            if stack and stack[-1] == openers[letter]:
                stack.pop()
        position += 1
    return deepest


def test_agrees_with_a_machine_of_single_letters() -> None:
    rng = random.Random(7)
    outcomes = set()
    for _ in range(20_000):
        text = "".join(rng.choices('""\\n0aF//\n()[]{}<>-x ', k=rng.randrange(1, 14)))
        expected = naive_depth(text)
        try:
            guard_source(text.encode(), "in.mlir")
            found = nesting_of(text)
        except Refusal as refusal:
            assert refusal.code.startswith("source-string-"), text
            found = None
        assert found == expected, repr(text)
        outcomes.add(found)
    assert outcomes >= {None, 0, 1, 2, 3}


class WatchedText(str):
    """A text that counts the letters which searches in it may look at."""

    looked_at = 0


def _watched(name: str) -> Any:
    plain = getattr(str, name)

    def search(text: WatchedText, part: str, start: int = 0, end: int = sys.maxsize) -> int:
        text.looked_at += max(0, min(end, len(text)) - start)
        return plain(text, part, start, end)

    return search


for _name in ("count", "find", "index", "rfind", "rindex"):
    setattr(WatchedText, _name, _watched(_name))


def work_of(text: str, patch: pytest.MonkeyPatch) -> int:
    """What the guard does for a text: calls, and letters that its searches may look at."""
    watched = WatchedText(text)
    plain = source_guard._Scan._check_words

    def check_words(scan: source_guard._Scan, start: int, end: int) -> None:
        watched.looked_at += end - start
        plain(scan, start, end)

    def guard() -> None:
        try:
            guard_text(watched, "in.mlir")
        except Refusal as refusal:
            assert refusal.place is not None

    patch.setattr(source_guard._Scan, "_check_words", check_words)
    calls = calls_of(guard)
    patch.undo()
    return calls + watched.looked_at


@pytest.mark.parametrize(
    "piece",
    [
        '"a',
        '"\\0',
        '"\\q',
        '"" ',
        "//",
        "/",
        "<(",
        "()<>[]{}",
        "->",
        "x",
        "7",
        "0.",
        "a b ",
        '@"a"',
        "a b " * WORD_LENGTH_MAX + "/",
    ],
)
def test_linear(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the text, twice the work at most; what is refused at once is the same work."""
    text = piece * (20_000 // len(piece))
    small, large = work_of(text, monkeypatch), work_of(text * 2, monkeypatch)
    assert large <= 2.05 * small
    assert large < 12 * 40_000


def backtracking_repeats(pattern: str) -> list[str]:
    """The repeats of a pattern without an upper bound that may give back what they took."""
    bare = re.sub(r"\[[^\]]*\]", "", re.sub(r"\\.", "", pattern))
    repeats = re.findall(r"([*+]|\{\d*,\})(\+?)", bare)
    return [repeat for repeat, possessive in repeats if not possessive]


def test_patterns_never_go_back() -> None:
    """What a search does isn't seen in calls: it is linear if no repeat gives anything back."""
    patterns = [each for each in vars(source_guard).values() if isinstance(each, re.Pattern)]
    assert len(patterns) == 3
    for pattern in patterns:
        assert backtracking_repeats(pattern.pattern) == []
    assert backtracking_repeats(r'"(?:[^"\\+]|\\.)*"') == ["*"]
    assert backtracking_repeats(r"a++b+c{3}d{3,}\+(?:e*+)?") == ["+", "{3,}"]
