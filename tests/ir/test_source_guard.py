"""The source guard: what it refuses and where, what it lets through, and that it is linear."""

from __future__ import annotations

import random
import time

import pytest

from alpha.ir.frontend.source_guard import (
    NESTING_MAX,
    SIZE_BYTES_MAX,
    WORD_LENGTH_MAX,
    guard_source,
    nesting_of,
)
from alpha.ir.refusals import Place, Refusal


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
    ],
)
def test_linear(piece: str) -> None:
    data = (piece * (1_000_000 // len(piece))).encode()
    start = time.process_time()
    try:
        guard_source(data, "in.mlir")
    except Refusal as refusal:
        assert isinstance(refusal.place, Place)
    assert time.process_time() - start < 5
