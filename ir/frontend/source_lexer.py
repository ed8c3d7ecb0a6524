"""xDSL's lexer, made linear, and exact about which string literals are text.

Invariant: lexing costs time linear in the length of the text, also where a string literal isn't
    closed. A literal whose bytes are UTF-8 is text, whatever escapes it has; any other is bytes.
Why: xDSL 0.75 reads a literal with a pattern that is exponential when it fails, and takes every
    literal with an escape for a non-ASCII byte as bytes, so that what it prints for "é" doesn't
    parse back. A float literal beyond the range of binary64 would silently become infinite.
Entry: `SourceLexer`.
"""

from __future__ import annotations

import re
from math import isinf

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral


class SourceLexer(MLIRLexer):
    """The lexer of a guarded text."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        match = self._unescaped_characters_regex.match(self.input.content, start_pos)
        if match is None:
            span = Span(start_pos, start_pos + 1, self.input)
            raise ParseError(span, "Expected a string literal that is closed on its line")
        self.pos = match.end()
        literal = StringLiteral(start_pos, self.pos, self.input)
        kind = MLIRTokenKind.STRING_LIT
        if "\\" in match.group():
            try:
                literal.bytes_contents.decode("utf-8")
            except UnicodeDecodeError:
                kind = MLIRTokenKind.BYTES_LIT
        return MLIRToken(kind, literal)

    def _lex_number(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if token.kind is MLIRTokenKind.FLOAT_LIT and isinf(float(token.text)):
            raise ParseError(token.span, "Expected a float literal within the range of f64")
        return token
