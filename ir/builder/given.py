"""What a user of the builder gives: checked where it enters, so that no error of Python's leaks.

Invariant: behind these checks an argument is of the kind that the builder's code computes with.
Refuses: source-structure (an argument of another kind), pointwise-type (of another type).
Entry: `here`, `described`, and the `require_...` functions, which give back what they are given.
"""

from __future__ import annotations

import inspect
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, SupportsFloat, SupportsIndex, TypeVar

from xdsl.ir import Attribute

from alpha.ir.frontend.foreign_errors import shorten
from alpha.ir.refusals import Place, Refusal
from alpha.ir.shapes import FloatType, is_float, require_value_type

PACKAGE = __name__.rpartition(".")[0]
"""Frames of these modules are the builder's own, not the user's."""

Kind = TypeVar("Kind")

REPR_LENGTH_MAX = 60


def here() -> Place:
    """The place of the Python expression outside the builder that is being evaluated."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"].startswith(PACKAGE):
        frame = frame.f_back
    line, _, column, _ = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    return Place(frame.f_code.co_filename, line or frame.f_lineno, (column or 0) + 1)


def described(given: object) -> str:
    """What was given, in words: numbers and texts as they are written, others by their class."""
    if isinstance(given, str):
        return f"the text {shorten(repr(given), REPR_LENGTH_MAX)}"
    if given is None or isinstance(given, bool | int | float | complex):
        return repr(given)
    if isinstance(given, Attribute):
        return f"the type or attribute {shorten(str(given), REPR_LENGTH_MAX)}"
    if inspect.isfunction(given) or inspect.isbuiltin(given):
        return f"the function {given.__name__}"
    if isinstance(given, list | tuple | Mapping):
        return f"a {type(given).__name__} of {len(given)}"
    return f"a {type(given).__name__}"


def require_kind(given: object, kind: type[Kind], wanted: str) -> Kind:
    """Refuse what isn't of the kind; a truth isn't a number.

    Raises:
        Refusal: `source-structure`.
    """
    if not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
        raise Refusal("source-structure", wanted, described(given), here())
    return given


def require_text(given: object, what: str) -> str:
    """A text, as `what`."""
    return require_kind(given, str, f"a text as {what}")


def require_whole(given: object, what: str) -> int:
    """A whole number, as `what`; one of numpy's counts."""
    if not isinstance(given, bool) and isinstance(given, SupportsIndex):
        with suppress(TypeError):  # A class has the method, too, and arrays have it in vain.
            return operator.index(given)
    return require_kind(given, int, f"a whole number as {what}")


def require_list(given: object, kind: type[Kind], what: str, of: str) -> list[Kind]:
    """A list or tuple of parts of one kind, as `what`; `of` names one part."""
    wanted = f"a list as {what}, each of its parts {of}"
    parts: Sequence[Any] = require_kind(given, Sequence, wanted)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(given, str | bytes):
        raise Refusal("source-structure", wanted, described(given), here())
    return [require_kind(part, kind, f"{of} in {what}") for part in parts]


def require_wholes(given: object, what: str) -> list[int]:
    """A list of whole numbers, as `what`."""
    parts: list[object] = require_list(given, object, what, "a whole number")
    return [require_whole(part, f"a part of {what}") for part in parts]


def require_axes(given: object, what: str) -> dict[str, int]:
    """Extents by the names of their axes, as `what`."""
    wanted = f"a dict of extents by the names of axes, such as {{'i': 4}}, as {what}"
    axes: Mapping[Any, Any] = require_kind(given, Mapping, wanted)  # pyright: ignore[reportUnknownVariableType]
    for name in axes:
        require_text(name, f"the name of an axis in {what}")
    return {name: require_whole(axes[name], f"the extent of {name} in {what}") for name in axes}


def require_type(given: object, what: str) -> Attribute:
    """The type of a value, as that of `what`.

    Raises:
        Refusal: `pointwise-type`, or `region-domain` for too many words.
    """
    if not isinstance(given, Attribute):
        wanted = f"f32, f64 or tensor(...) of the builder, not a text, as the type of {what}"
        if not isinstance(given, str):
            wanted = f"f32, f64 or tensor(...) of the builder as the type of {what}"
        raise Refusal("pointwise-type", wanted, described(given), here())
    require_value_type(given, what, here())
    return given


def require_types(given: object, what: str) -> list[Attribute]:
    """A list of types, as those of `what`."""
    parts: list[object] = require_list(given, object, f"the types of {what}", "f32, f64 or tensor")
    return [require_type(part, what) for part in parts]


def require_element(given: object) -> FloatType:
    """The type of one word.

    Raises:
        Refusal: `pointwise-type`.
    """
    if isinstance(given, Attribute) and is_float(given):
        return given  # pyright: ignore[reportReturnType]
    wanted = "f32 or f64 of the builder as the type of a word"
    raise Refusal("pointwise-type", wanted, described(given), here())


def require_number(given: object) -> float:
    """A number, as binary64.

    Raises:
        Refusal: `source-structure`; `source-syntax` if it is out of range.
    """
    if not isinstance(given, SupportsFloat):
        raise Refusal("source-structure", "a number", described(given), here())
    try:
        return float(given)
    except OverflowError:
        wanted = "a number in the range of f64"
        raise Refusal("source-syntax", wanted, shorten(str(given)), here()) from None
    except (TypeError, ValueError):
        raise Refusal("source-structure", "a number", described(given), here()) from None


def require_callable(given: object, what: str, arguments: Sequence[object]) -> list[str]:
    """The names of the parameters of a function that can be called with these arguments."""
    if not callable(given) or isinstance(given, type):
        raise Refusal("source-structure", f"a function as {what}", described(given), here())
    try:
        signature = inspect.signature(given)
    except (TypeError, ValueError):
        wanted = f"a function that says what it takes as {what}"
        raise Refusal("source-structure", wanted, described(given), here()) from None
    try:
        signature.bind(*arguments)
    except TypeError as error:
        takes = f"{len(arguments)} argument" + "s" * (len(arguments) != 1)
        wanted = f"a function that takes {takes} as {what}"
        raise Refusal("source-structure", wanted, f"{signature} ({error})", here()) from None
    return list(signature.parameters)


def require_symbol(given: object, rule: Callable[..., object], what: str) -> str:
    """The name of a part: the one that is given, else that of its function."""
    name = getattr(rule, "__name__", None) if given is None else given
    if given is None and (not isinstance(name, str) or not name.isidentifier()):
        wanted = f"name = ... for {what} whose function has no name"
        raise Refusal("source-structure", wanted, described(rule), here())
    return require_text(name, f"the name of {what}")
