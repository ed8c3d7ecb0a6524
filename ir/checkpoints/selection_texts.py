"""Coordinates as manifests and headers say them: a selection, or an empty text for none.

Invariant: a selection has one text, without a blank or a zero that means nothing.
Entry: `coordinates_text`, `read_coordinates`.
"""

from __future__ import annotations

from alpha.ir.json_document import Node
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Empty, Selection


def coordinates_text(coordinates: Selection) -> str:
    """The text of a selection."""
    return str(coordinates) if coordinates.size else ""


def read_coordinates(node: Node) -> Selection:
    """The coordinates that a text of a JSON says.

    Raises:
        Refusal: with the document's code, for what isn't a selection.
    """
    text = node.string()
    try:
        found = Selection.parse(text) if text else Empty()
    except Refusal as refusal:
        node.refuse(f"a selection ({refusal.message})")
    if coordinates_text(found) != text:
        node.refuse("a selection as alpha writes it")
    return found
