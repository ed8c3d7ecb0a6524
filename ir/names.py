"""Which names fields, programs, learners and observations can have.

Invariant: a name has no control character and no end of a line, so that a NUL ends it in a digest
    and one line of a table holds it. Letters of every script are legal, and so are blanks.
Refuses: region-identity.
Entry: `require_name`, `require_state_name`.
"""

from __future__ import annotations

import unicodedata

from xdsl.ir import Operation

from alpha.ir.refusals import Refusal

_FORBIDDEN = {"Cc": "a control character", "Zl": "an end of a line", "Zp": "an end of a line"}
"""Categories of characters, as Unicode calls them, and what they are in words."""

RESERVED = "__metadata__"
"""What a `.safetensors` file calls its own metadata, so no tensor in it."""


def require_name(name: str, what: str, at: Operation) -> None:
    """Refuse a name with a character that would end it in a digest or in a table.

    Raises:
        Refusal: `region-identity`, naming `what` has the name.
    """
    for position, letter in enumerate(name):
        forbidden = _FORBIDDEN.get(unicodedata.category(letter))
        if forbidden is not None:
            wanted = f"a name of {what} without control characters"
            found = f"{forbidden}, U+{ord(letter):04X}, at position {position} of {name!a}"
            raise Refusal("region-identity", wanted, found, at)


def require_state_name(name: str, at: Operation) -> None:
    """Refuse what `require_name` does, and a name under which no state can be saved.

    Raises:
        Refusal: `region-identity`.
    """
    require_name(name, "a state", at)
    if name == RESERVED:
        wanted = "another name of a state, since .safetensors files keep this one for themselves"
        raise Refusal("region-identity", wanted, f"@{name}", at)
