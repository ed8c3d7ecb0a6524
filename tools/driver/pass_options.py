"""The options of a pass: text from the command line into the fields of a frozen dataclass.

Invariant: every error names the pass, the option, what it expects and what was given.
Why: xDSL's own conversion guesses a type from the text first, doesn't take `tree<4>` for a text,
    and reports Python tuples and types.
Entry: `build_pass`.

`k=v` pairs stand apart by spaces. A value in quotes may hold spaces; a list is `1,2,3` or
`[1,2,3]`; a bare key is `true`. Dashes and underscores in a key are the same.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from alpha.tools.driver.arguments import PassRequest, UsageError

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

_OPTION = re.compile(
    r"""\s*(?P<key>[A-Za-z][\w-]*)(?:=(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<plain>[^\s"']*)))?"""
    r"(?=\s|$)"
)
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_BOOLEANS = {"true": True, "false": False}


def build_pass(pass_class: type[ModulePass], request: PassRequest) -> ModulePass:
    """The pass with the options of a request.

    Raises UsageError, and whatever refusal the pass itself makes of its options.
    """
    kinds = get_type_hints(pass_class)
    fields = {field.name: field for field in dataclasses.fields(pass_class)}
    values: dict[str, object] = {}
    for key, text in split_options(request).items():
        name = key.replace("-", "_")
        if name not in fields:
            names = ", ".join(each.replace("_", "-") for each in fields)
            known = f"its options are {names}" if names else "it has none"
            raise UsageError(f"{request.spelling}: there is no option '{key}'; {known}")
        values[name] = _value(request, key, text, kinds[name])
    for name, field in fields.items():
        if name not in values and not _has_default(field):
            expected = _describe(kinds[name])
            key = name.replace("_", "-")
            raise UsageError(f"{request.spelling}: option '{key}' expects {expected}, got nothing")
    return pass_class(**values)


def split_options(request: PassRequest) -> dict[str, str | None]:
    """The options' texts by key, in order; a bare key has none.

    Raises UsageError where the text isn't a list of options or names one twice.
    """
    text = request.options.strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip()
    options: dict[str, str | None] = {}
    position = 0
    while position < len(text):
        match = _OPTION.match(text, position)
        if match is None:
            rest = text[position:].strip()
            raise UsageError(f"{request.spelling}: expected options as 'key=value', got {rest!r}")
        key = match["key"].replace("_", "-")
        if key in options:
            raise UsageError(f"{request.spelling}: option '{key}' is given twice")
        given = (match["double"], match["single"], match["plain"])
        options[key] = next((each for each in given if each is not None), None)
        position = match.end()
    return options


def _has_default(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is not missing or field.default_factory is not missing


def _value(request: PassRequest, key: str, text: str | None, kind: Any) -> object:
    try:
        return _convert(text, kind)
    except ValueError:
        got = "no value" if text is None else f"'{text}'"
        raise UsageError(
            f"{request.spelling}: option '{key}' expects {_describe(kind)}, got {got}"
        ) from None


def _describe(kind: Any) -> str:
    """The type of an option in words."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(f"'{argument}'" for argument in arguments)
    if origin in (Union, UnionType):
        return " or ".join(_describe(member) for member in arguments if member is not NoneType)
    if origin is tuple:
        return f"a list, each {_describe(arguments[0])}"
    words = {int: "an integer", float: "a number", bool: "'true' or 'false'", str: "a text"}
    return words[kind]


def _convert(text: str | None, kind: Any) -> object:
    """The value of a text under a type; ValueError if it has none."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is bool and text is None:
        return True
    if origin in (Union, UnionType):
        return _first_fit(text, [member for member in arguments if member is not NoneType])
    if text is None:
        raise ValueError
    if origin is Literal:
        return {str(value): value for value in arguments}[_known(text, map(str, arguments))]
    if origin is tuple:
        body = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        return tuple(_convert(each.strip(), arguments[0]) for each in body.split(",") if body)
    readers: dict[object, Callable[[str], object]] = {
        bool: lambda text: _BOOLEANS[_known(text, _BOOLEANS)],
        int: lambda text: int(_matched(text, _INTEGER)),
        float: lambda text: float(_matched(text, _NUMBER)),
        str: lambda text: text,
    }
    return readers[kind](text)


def _first_fit(text: str | None, kinds: list[Any]) -> object:
    for kind in kinds:
        try:
            return _convert(text, kind)
        except ValueError:
            continue
    raise ValueError


def _known(text: str, texts: Any) -> str:
    if text not in list(texts):
        raise ValueError
    return text


def _matched(text: str, pattern: re.Pattern[str]) -> str:
    if pattern.fullmatch(text) is None:
        raise ValueError
    return text
