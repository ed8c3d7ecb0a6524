"""A parser that knows the place of every position of its text.

Why: xDSL counts lines from the top for each place, which is quadratic in the operations, and
    knows nothing of a text that is a piece of a file.
Entry: `PlacedParser`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.parser import Parser, ParserState
from xdsl.utils.lexer import Input

from alpha.ir.frontend.source_lexer import SourceLexer
from alpha.ir.refusals import Place, Refusal


class PlacedParser(Parser):
    """xDSL's parser over one piece of text that begins at line `first_line` of `file`."""

    def __init__(self, ctx: Context, text: str, file: str, first_line: int = 1) -> None:
        super().__init__(ctx, "", file)
        self.file = file
        self.text = text
        self._first_line = first_line
        self._file_attribute = StringAttr(file)
        self._line_starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._line_starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._parser_state = ParserState(SourceLexer(Input(text, file)))

    def place_at(self, position: int) -> Place:
        """The place of a position of the text."""
        line = bisect_right(self._line_starts, position) - 1
        return Place(self.file, line + self._first_line, position - self._line_starts[line] + 1)

    def location_at(self, position: int) -> FileLineColLoc:
        """The place of a position as an operation carries it."""
        line = bisect_right(self._line_starts, position) - 1
        column = position - self._line_starts[line] + 1
        return FileLineColLoc(
            self._file_attribute, IntAttr(line + self._first_line), IntAttr(column)
        )

    def refuse(self, code: str, expected: str, found: str, position: int | None = None) -> NoReturn:
        """Refuse at a position, by default that of the current token.

        Raises Refusal, always.
        """
        at = self.place_at(self.pos if position is None else position)
        raise Refusal(code, expected, found, at)
