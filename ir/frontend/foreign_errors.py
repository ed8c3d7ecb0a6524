"""Errors of xDSL's front end in the form of a refusal: what was expected, what was found.

Invariant: only an error that arose in xDSL, or in the standard library under it, becomes a refusal.
    One that arose in this project's own code is a bug of this project and stays what it is.
Why: xDSL 0.75 answers malformed text with its own exceptions in several wordings, and in places
    with raw Python exceptions: `array<i0: 1>` is a ValueError, `^0bb` too.
Entry: `arose_in_xdsl`, `split_message`, `describe_token`.
"""

from __future__ import annotations

import re

from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS

from alpha.ir.scalars import PREDICATES

MESSAGE_LENGTH_MAX = 240
"""Longest message that is passed on: xDSL puts whole types and attributes into its messages."""

TOKEN_LENGTH_MAX = 40

_TOKEN = "the token at the error"

_FORMS: tuple[tuple[str, str | None, str], ...] = (
    (
        r"operand is used with type (.+), but has been previously used or defined with type (.+)",
        r"a value of type \1",
        r"one that is used or defined with type \2 before",
    ),
    (
        r"Result (\S+) is defined with type (.+), but used with type (.+)",
        r"\1 to be of type \3, as it is used before",
        r"type \2",
    ),
    (r"SSA value (\S+) is already defined", r"a new name", r"\1, which is defined already"),
    (
        r"Expected suffix identifier after \{first_char\}",
        r"a name right behind a mark such as #, % or @ (a comment begins with //)",
        _TOKEN,
    ),
    (
        r"Unknown comparison mnemonic: (.+)",
        f"one of {', '.join(PREDICATES)} as the predicate of arith.cmpf (of arith.cmpi:"
        f" {', '.join(CMPI_COMPARISON_OPERATIONS)})",
        r"'\1'",
    ),
    (r"Could not parse entire input!", r"an operation", _TOKEN),
    (r"(.+?) (?:should be of base attribute|should be of type) (.+)", r"\2", r"\1"),
    (
        r"Operation has (\d+) results?, but was given (\d+) to bind\.",
        r"names for \1 results",
        r"\2 names",
    ),
    (r"re-declaration of (block|alias) '(.*)'", r"a new name", r"the \1 '\2' declared again"),
    (
        r"region ends with missing block declarations for block\(s\) (.+)",
        r"every block that is named to stand in its region",
        r"none named \1",
    ),
    (r"undefined symbol alias '(.+)'", r"an alias that is defined before", r"'\1'"),
    (r"'(.+)' is not registered", r"the name of an attribute or a type", r"'\1'"),
    (r"Operation (\S+) does not have a custom format\.", r"the generic form", r"a bare \1"),
    (r"in block definition", r"an operation or the end of the region", _TOKEN),
    (
        r"Integer value (\S+) is out of range for type (\S+) which supports values in the range"
        r" (.+)",
        r"an integer of \2, in \3",
        r"\1",
    ),
    (
        r"Expected SymbolRefAttr with no nested symbols\. .*, but got \[(.+)\]",
        r"a symbol alone",
        r"one with \1 behind it",
    ),
    (r"[Ee]xpected (?:attribute )?(.+?),? but (?:got|had|found) (.+?)", r"\1", r"\2"),
    (r"[Ii]nvalid value (.+), expected (.+)", r"\2", r"\1"),
    (r"[Ee]xpected (.+?),? got (.+?)", r"\1", r"\2"),
    (r"attribute (.+) expected from variable '.*', but got (.+)", r"\1, as elsewhere", r"\2"),
    (r"(.+) expected from (.+), but got (.+)", r"\1, from \2", r"\3"),
    (r"[Ee]xpected (.+?)( here.*)?[.!]?", r"\1", _TOKEN),
    (r"expect (.+)", r"\1", _TOKEN),
    (r"(.+?) expected( .*)?", r"\1\2", _TOKEN),
    (r"Unexpected (?:character: )?(.+?)[.!]?", None, r"\1"),
)
"""xDSL's wordings: a pattern for the whole message, and what it says in ours; the first counts."""


_CONTEXT = re.compile(r"(.+?) (?:does not verify|do not verify): (?=\S)")
"""What xDSL puts before a message to say which operand, result or region it is about."""


def arose_in_xdsl(error: BaseException) -> bool:
    """Whether the innermost frame of xDSL or of this project that an error came from is xDSL's."""
    origin = ""
    frame = error.__traceback__
    while frame is not None:
        root = str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
        if root in ("alpha", "xdsl"):
            origin = root
        frame = frame.tb_next
    return origin == "xdsl"


def describe_token(text: str) -> str:
    """A token as a message names it; an empty one is the end of the text."""
    if not text:
        return "the end of the text"
    return f"'{shorten(text, TOKEN_LENGTH_MAX)}'"


def shorten(text: str, length: int = MESSAGE_LENGTH_MAX) -> str:
    """A text on one line, with at most `length` letters."""
    words = " ".join(text.split())
    return words if len(words) <= length else f"{words[: length - 3]}..."


def split_message(message: str, token: str | None, otherwise: str) -> tuple[str, str]:
    """What a message of xDSL says was expected and found.

    `token` is the token at the error, if there is one; `otherwise` is what was expected if the
    message doesn't say it.
    """
    text = shorten(message)
    context = _CONTEXT.match(text)
    if context is not None:
        expected, found = split_message(text[context.end() :], token, otherwise)
        return expected, f"{found} ({context.group(1)})"
    for pattern, expected, found in _FORMS:
        if token is None and found is _TOKEN:
            continue
        match = re.fullmatch(pattern, text)
        if match is not None:
            left = otherwise if expected is None else match.expand(expected)
            right = describe_token(token or "") if found is _TOKEN else match.expand(found)
            return left, right
    return otherwise, text or "an error without a message"
