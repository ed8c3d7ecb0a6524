"""Checks of initial values and identities: they fit the type of the field that they belong to.

Refuses: region-domain, region-identity, select-universe, numeric-nonfinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.literals import float_bytes, float_from_bytes
from alpha.ir.attributes.region import FileAttr, IdentityAttr
from alpha.ir.frontend.foreign_errors import shorten
from alpha.ir.refusals import Refusal
from alpha.ir.selections import check_universe
from alpha.ir.shapes import element_of, shape_of, type_text, words_of


def check_inline(value: Attribute, type: Attribute, what: str, at: Operation) -> None:
    """Refuse a value whose type or number of words isn't that of `type`.

    Raises:
        Refusal: `region-domain` (number of words), `region-identity` (representation).
    """
    if isinstance(value, FileAttr):
        return
    if isinstance(value, FloatAttr):
        if value.type != element_of(type):
            wanted = f"{type_text(element_of(type))} words in {what}"
            raise Refusal("region-identity", wanted, str(value.type), at)
        return
    if not isinstance(value, DenseIntOrFPElementsAttr):
        wanted = f"a float, a dense value or a file as the value of {what}"
        raise Refusal("region-identity", wanted, value.name, at)
    if value.type.element_type != element_of(type):
        wanted = f"{type_text(element_of(type))} words in {what}"
        raise Refusal("region-identity", wanted, str(value.type.element_type), at)
    if value.type != type or len(value) != words_of(type):
        wanted = f"{words_of(type)} words of {type_text(type)} in {what}"
        raise Refusal("region-domain", wanted, f"{len(value)} words of {value.type}", at)


def check_state_finite(value: Attribute, type: Attribute, name: str, at: Operation) -> None:
    """Refuse an inline state word that isn't finite, naming the first one's index.

    Raises:
        Refusal: `numeric-nonfinite`.
    """
    if isinstance(value, FloatAttr):
        words = [value.value.data]
    elif isinstance(value, DenseIntOrFPElementsAttr):
        size = len(float_bytes(0.0, element_of(type)))
        data = value.data.data
        words = [
            float_from_bytes(data[i : i + size], element_of(type))
            for i in range(0, len(data), size)
        ]
    else:
        return
    for coordinate, word in enumerate(words[: words_of(type)]):
        if not math.isfinite(word):
            raise nonfinite(word, _index(coordinate, shape_of(type)), name, "at version 0", at)


def nonfinite(word: float, index: Sequence[int], name: str, when: str, at: Operation) -> Refusal:
    """The refusal of a word of the state `name` that isn't finite; a scalar's has no index."""
    found = f"{word} at coordinate {list(index)}" if index else f"{word}"
    return Refusal("numeric-nonfinite", f"finite words of @{name} {when}", found, at)


def _index(coordinate: int, shape: Sequence[int]) -> list[int]:
    """The index of a coordinate, which counts words in row-major order."""
    index: list[int] = []
    for extent in reversed(shape):
        coordinate, last = divmod(coordinate, extent)
        index.insert(0, last)
    return index


def check_identity(identity: IdentityAttr, type: Attribute, name: str, at: Operation) -> None:
    """Refuse an identity that isn't that of the field it stands on.

    Raises:
        Refusal: `region-identity` (name, representation, version), `select-universe` (a member
            beyond the coordinates), `region-domain` (another number of coordinates).
    """
    if identity.field.data != name:
        raise Refusal("region-identity", f"the field {name!r}", f"{identity.field.data!r}", at)
    if identity.representation != element_of(type):
        wanted = f"the representation {type_text(element_of(type))}"
        raise Refusal("region-identity", wanted, str(identity.representation), at)
    if identity.version.data != 0:
        wanted = "version 0 of an initial state"
        raise Refusal("region-identity", wanted, str(identity.version.data), at)
    domain = identity.domain.data
    words = words_of(type)
    try:
        check_universe(domain, words)
    except Refusal as refusal:
        wanted = f"{refusal.expected}, the coordinates of {type_text(type)}"
        raise Refusal(refusal.code, wanted, refusal.found, at) from None
    if domain.size != words:
        wanted = f"the {words} coordinates of {type_text(type)}"
        found = f"{shorten(str(domain), 80)}, which has {domain.size}"
        raise Refusal("region-domain", wanted, found, at)
