"""A linear look at a source text before xDSL's lexer and parser see it.

Invariant: what passes has valid UTF-8, no control bytes, only well-formed string literals, brackets
    nested at most `NESTING_MAX` deep, and words and numbers of at most `WORD_LENGTH_MAX` letters.
    The cost is linear in the length of the text, for every text.
Why: xDSL 0.75's lexer is exponential in a string literal that isn't closed or holds an unknown
    escape, its parser recurses once a bracket, reads shapes in quadratic time, and takes any
    Unicode letter or digit for an identifier or a number.
Refuses: source-size-limit, source-encoding, source-string-unterminated, source-string-escape,
    source-nesting-limit, source-integer-limit, source-token-limit.
Entry: `guard_source`, `decode_source`, `guard_text`, `nesting_of`.

Brackets that don't match are left to the parser, which says it better. `<` and `>` are also
operators of affine sets: a `>` closes only an innermost `<`, and any other closing bracket
closes every `<` inside it, so comparisons are never counted for long and hide nothing.
"""

from __future__ import annotations

import re
from typing import NoReturn

from alpha.ir.refusals import Place, Refusal

SIZE_BYTES_MAX = 64 << 20
"""Longest text, in bytes: xDSL needs minutes for this much."""

NESTING_MAX = 128
"""Deepest nesting of brackets of all kinds; a region in generic form counts twice."""

WORD_LENGTH_MAX = 1024
"""Longest identifier, number or shape, in letters."""

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"

_PLAIN = r"\t\n\r !#-'*-.0-;=?-Z\\^-z|~"
"""What never matters where a token may begin: printable ASCII without quotes, slashes, brackets."""

_TOKEN = re.compile(
    rf"[^{_PLAIN}]"
    r"(?:"
    r'(?<!["/])'
    rf"|(?<=/)(?:/[^\n{_CONTROL}]*+)?"
    rf'|(?<=")(?:[^"\\\n{_CONTROL}]++|\\(?:["nt\\]|[0-9A-Fa-f]{{2}}))*+(")?'
    r")"
)
"""What matters: brackets, comments, string literals (closed if the group matched), and any other
letter that may not stand where it does. The search for the first letter is a look-up in a table."""

_BARE_RETURN = re.compile(r"\r(?!\n)")

_LONG_WORD = re.compile(
    rf"(?<![A-Za-z0-9_$.])[A-Za-z0-9_$.]{{{WORD_LENGTH_MAX + 1}}}[A-Za-z0-9_$.]*+"
)

_OPENER = {")": "(", "]": "[", "}": "{"}


def guard_source(data: bytes, file: str) -> str:
    """The text of a source file, if a parser may look at it.

    Raises Refusal with the place of the first thing that the parser wouldn't bear.
    """
    text = decode_source(data, file)
    guard_text(text, file)
    return text


def decode_source(data: bytes, file: str) -> str:
    """The text of a source file, which isn't guarded yet.

    Raises Refusal if there is too much of it, or where it isn't UTF-8.
    """
    if len(data) > SIZE_BYTES_MAX:
        expected = f"a text of at most {SIZE_BYTES_MAX:,} bytes"
        raise Refusal("source-size-limit", expected, "more", Place(file, 1, 1))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line_start = data.rfind(b"\n", 0, error.start) + 1
        column = len(data[line_start : error.start].decode("utf-8")) + 1
        place = Place(file, data.count(b"\n", 0, line_start) + 1, column)
        found = f"the byte 0x{data[error.start]:02X} ({error.reason})"
        raise Refusal("source-encoding", "UTF-8 text", found, place) from None


def guard_text(text: str, file: str, first_line: int = 1) -> None:
    """Look at a text that begins at `first_line` of a file.

    Raises Refusal with the place of the first thing that the parser wouldn't bear.
    """
    _refuse_bare_returns(text, file, first_line)
    _Scan(text, file, first_line).depth(NESTING_MAX)


def _refuse_bare_returns(text: str, file: str, first_line: int) -> None:
    """A carriage return alone ends a line for some tools and not for others.

    xDSL's lexer doesn't end a comment there, so that all that follows would be lost.
    """
    bare = _BARE_RETURN.search(text)
    if bare is not None:
        at = bare.start()
        line = first_line + text.count("\n", 0, at)
        place = Place(file, line, at - text.rfind("\n", 0, at))
        expected = "lines that end in a line feed, perhaps after a carriage return"
        raise Refusal("source-encoding", expected, "a carriage return alone", place)


def nesting_of(text: str) -> int:
    """How deep brackets nest in a text of which the guard would refuse nothing else."""
    return _Scan(text, "", 1).depth(len(text))


class _Scan:
    """One look at a text, from its beginning to its end or to the first refusal."""

    def __init__(self, text: str, file: str, first_line: int) -> None:
        self._text = text
        self._file = file
        self._first_line = first_line

    def depth(self, nesting_max: int) -> int:
        """Look at each token that matters, in order; returns how deep brackets nest."""
        text = self._text
        stack: list[str] = []
        end = deepest = 0
        for match in _TOKEN.finditer(text):
            start = match.start()
            if start - end > WORD_LENGTH_MAX:
                self._check_words(end, start)
            end = match.end()
            letter = text[start]
            if letter in "<({[":
                stack.append(letter)
                deepest = max(deepest, len(stack))
                if deepest > nesting_max:
                    expected = f"brackets nested at most {nesting_max} deep"
                    found = f"'{letter}' at depth {deepest}"
                    self._refuse("source-nesting-limit", expected, found, start)
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
                    self._refuse_string(start, end)
            elif letter != "/":
                self._refuse_letter(start)
        if len(text) - end > WORD_LENGTH_MAX:
            self._check_words(end, len(text))
        return deepest

    def _refuse(self, code: str, expected: str, found: str, position: int) -> NoReturn:
        line_start = self._text.rfind("\n", 0, position) + 1
        line = self._text.count("\n", 0, line_start) + self._first_line
        raise Refusal(code, expected, found, Place(self._file, line, position - line_start + 1))

    def _refuse_letter(self, position: int) -> NoReturn:
        """Refuse a control byte, or a letter that may stand only in strings and comments."""
        letter = ord(self._text[position])
        if letter < 0x80:
            expected = "a text without control bytes other than tab and line ends"
            self._refuse("source-encoding", expected, f"the byte 0x{letter:02X}", position)
        expected = "ASCII outside of string literals and comments"
        self._refuse("source-encoding", expected, f"the character U+{letter:04X}", position)

    def _refuse_string(self, start: int, end: int) -> NoReturn:
        """Refuse a string literal that begins at `start` and can't be read beyond `end`."""
        after = self._text[end : end + 1]
        if after == "\\":
            expected = 'one of the escapes \\n, \\t, \\\\, \\" or two hexadecimal digits'
            escape = self._text[end : end + 3].partition("\n")[0]
            self._refuse("source-string-escape", expected, escape, end)
        if after not in ("", "\n"):
            self._refuse_letter(end)
        where = "the end of the line" if after else "the end of the text"
        expected = "a string literal that is closed on its line"
        self._refuse("source-string-unterminated", expected, where, start)

    def _check_words(self, start: int, end: int) -> None:
        """Refuse a word or number that is too long; none crosses the borders of the piece."""
        match = _LONG_WORD.search(self._text, start, end)
        if match is None:
            return
        found = f"{len(match.group()):,} letters"
        if match.group()[0].isdigit():
            expected = f"a number or shape of at most {WORD_LENGTH_MAX:,} letters"
            self._refuse("source-integer-limit", expected, found, match.start())
        expected = f"a name of at most {WORD_LENGTH_MAX:,} letters"
        self._refuse("source-token-limit", expected, found, match.start())
