"""A linear look at a source text before xDSL's lexer and parser see it.

Invariant: what passes has valid UTF-8, no control bytes, only well-formed string literals, brackets
    nested at most `NESTING_MAX` deep, and words and numbers of at most `WORD_LENGTH_MAX` letters.
    The cost is linear in the length of the text, for every text.
Why: xDSL 0.75's lexer is exponential in a string literal that isn't closed or holds an unknown
    escape, its parser recurses once a bracket, reads shapes in quadratic time, and takes any
    Unicode letter or digit for an identifier or a number.
Refuses: source-size-limit, source-encoding, source-string-unterminated, source-string-escape,
    source-nesting-limit, source-integer-limit, source-token-limit.
Entry: `guard_source`, `nesting_of`, `place_in`.

Brackets that don't match are left to the parser, which says it better. `<` and `>` are also
operators of affine sets: a `>` closes only an innermost `<`, and any other closing bracket
closes every `<` inside it, so comparisons are never counted for long and hide nothing.
"""

from __future__ import annotations

import re

from alpha.ir.refusals import Place, Refusal

SIZE_BYTES_MAX = 64 << 20
"""Longest text, in bytes: xDSL needs minutes for this much."""

NESTING_MAX = 128
"""Deepest nesting of brackets of all kinds; a region in generic form counts twice."""

WORD_LENGTH_MAX = 1024
"""Longest identifier, number or shape, in letters."""

_CONTROL_BYTES = bytes(byte for byte in (*range(32), 127) if byte not in b"\t\n\r")

_TOKEN_TAIL = (
    r"(?:"
    r'(?<!["/])'
    r"|(?<=/)(?:/[^\n]*+)?"
    r'|(?<=")(?:[^"\\\n]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+(")?'
    r")"
)
_TOKEN = re.compile(r'["/<>(){}\[\]]' + _TOKEN_TAIL)
"""What matters: brackets, comments, string literals (closed if the group matched). The first letter
is a plain set, so that the search for it is a table look-up a letter."""

_TOKEN_OR_FOREIGN = re.compile(r'["/<>(){}\[\]\x80-\U0010ffff]' + _TOKEN_TAIL)
"""The same for a text with non-ASCII characters, each a token where it isn't inside one."""

_LONG_WORD = re.compile(
    rf"(?<![A-Za-z0-9_$.])[A-Za-z0-9_$.]{{{WORD_LENGTH_MAX + 1}}}[A-Za-z0-9_$.]*+"
)

_OPENER = {")": "(", "]": "[", "}": "{"}


def place_in(text: str, position: int, file: str) -> Place:
    """The place of a position of a text; columns count characters, as xDSL's do."""
    line_start = text.rfind("\n", 0, position) + 1
    return Place(file, text.count("\n", 0, line_start) + 1, position - line_start + 1)


def guard_source(data: bytes, file: str) -> str:
    """The text of a source file, if a parser may look at it.

    Raises Refusal with the place of the first thing that the parser wouldn't bear.
    """
    if len(data) > SIZE_BYTES_MAX:
        raise Refusal(
            "source-size-limit",
            f"a text of at most {SIZE_BYTES_MAX:,} bytes",
            f"{len(data):,} bytes" if len(data) > SIZE_BYTES_MAX + 1 else "more",
            Place(file, 1, 1),
        )
    text = _decode(data, file)
    if len(data.translate(None, _CONTROL_BYTES)) != len(data):
        _refuse_control(text, file)
    _scan(text, file)
    return text


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = place_in(data[: error.start].decode("utf-8"), len(data), file)
        line_start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[line_start : error.start].decode("utf-8")) + 1
        raise Refusal(
            "source-encoding",
            "UTF-8 text",
            f"the byte 0x{data[error.start]:02X} ({error.reason})",
            Place(file, place.line, column),
        ) from None


def _refuse_control(text: str, file: str) -> None:
    """Refuse the first control byte of a text that has one."""
    letters = _CONTROL_BYTES.decode("ascii")
    position = next(index for index, letter in enumerate(text) if letter in letters)
    raise Refusal(
        "source-encoding",
        "a text without control bytes other than tab and line ends",
        f"the byte 0x{ord(text[position]):02X}",
        place_in(text, position, file),
    )


def nesting_of(text: str) -> int:
    """How deep brackets nest in a text of which the guard would refuse nothing else."""
    return _scan(text, "", len(text))


def _scan(text: str, file: str, nesting_max: int = NESTING_MAX) -> int:
    """Look at each token that matters, in order; the stack holds the brackets that are open.

    Returns the depth of the nesting.
    """
    stack: list[str] = []
    end = deepest = 0
    tokens = _TOKEN if text.isascii() else _TOKEN_OR_FOREIGN
    for match in tokens.finditer(text):
        start = match.start()
        if start - end > WORD_LENGTH_MAX:
            _check_words(text, end, start, file)
        end = match.end()
        letter = text[start]
        if letter in "<({[":
            stack.append(letter)
            deepest = max(deepest, len(stack))
            if deepest > nesting_max:
                raise Refusal(
                    "source-nesting-limit",
                    f"brackets nested at most {nesting_max} deep",
                    f"'{letter}' at depth {deepest}",
                    place_in(text, start, file),
                )
        elif letter == ">":
            # In `->` it closes nothing; text[-1] at the very start has no bracket open.
            if stack and stack[-1] == "<" and text[start - 1] != "-":
                stack.pop()
        elif letter in ")]}":
            while stack and stack[-1] == "<":
                stack.pop()
            if stack and stack[-1] == _OPENER[letter]:
                stack.pop()
        elif letter == '"':
            if match.lastindex is None:
                _refuse_string(text, start, end, file)
        elif letter != "/":
            raise Refusal(
                "source-encoding",
                "ASCII outside of string literals and comments",
                f"the character U+{ord(letter):04X}",
                place_in(text, start, file),
            )
    if len(text) - end > WORD_LENGTH_MAX:
        _check_words(text, end, len(text), file)
    return deepest


def _refuse_string(text: str, start: int, end: int, file: str) -> None:
    """Refuse a string literal that begins at `start` and can't be read beyond `end`."""
    if text[end : end + 1] == "\\":
        escape = text[end : end + 3].split("\n")[0]
        raise Refusal(
            "source-string-escape",
            'one of the escapes \\n, \\t, \\\\, \\" or two hexadecimal digits',
            f"{escape}",
            place_in(text, end, file),
        )
    where = "the end of the line" if end < len(text) else "the end of the text"
    raise Refusal(
        "source-string-unterminated",
        "a string literal that is closed on its line",
        where,
        place_in(text, start, file),
    )


def _check_words(text: str, start: int, end: int, file: str) -> None:
    """Refuse a word or number that is too long; no word crosses the borders of the piece."""
    match = _LONG_WORD.search(text, start, end)
    if match is None:
        return
    word = match.group()
    number = word[0].isdigit()
    raise Refusal(
        "source-integer-limit" if number else "source-token-limit",
        f"a {'number or shape' if number else 'name'} of at most {WORD_LENGTH_MAX:,} letters",
        f"{len(word):,} letters",
        place_in(text, match.start(), file),
    )
