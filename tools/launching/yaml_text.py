"""Values as YAML, one text for each: maps in their order, lists, texts, numbers and truths.

Invariant: a text is quoted, unless nothing can take it for anything else; one of several lines is a
    block whose bytes are its own.
Entry: `yaml_text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

Value = object
"""A map, a list, a text, a whole number or a truth."""

_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9./_-]*", re.ASCII)
_TAKEN = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def yaml_text(documents: Sequence[Value]) -> str:
    """Documents, one behind another.

    Raises:
        TypeError: a value is none that this writes.
    """
    return "".join("---\n" + "".join(f"{line}\n" for line in _lines(each)) for each in documents)


def _lines(value: Value) -> Iterator[str]:
    """The lines of a map or a list."""
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from _item(f"{_scalar(name)}:", each, "  ")
    elif isinstance(value, list | tuple) and value:
        for each in value:
            if isinstance(each, Mapping) and each:
                first, *others = _lines(each)
                yield f"- {first}"
                yield from (f"  {line}" if line else line for line in others)
            else:
                yield from _item("-", each, "  ")
    else:
        yield _scalar(value)


def _item(head: str, value: Value, indent: str) -> Iterator[str]:
    """The lines of a value behind its name or the mark of its list."""
    if isinstance(value, Mapping | list | tuple) and value:
        yield head
        yield from (f"{indent}{line}" if line else line for line in _lines(value))
    elif isinstance(value, str) and _is_block(value):
        yield f"{head} |"
        yield from (f"{indent}{line}" if line else line for line in value[:-1].split("\n"))
    else:
        yield f"{head} {_scalar(value)}"


def _is_block(text: str) -> bool:
    """Whether a text can be a block: lines that all end, the first not empty or indented."""
    if text[:1].isspace() or not text.endswith("\n") or text.endswith("\n\n"):
        return False
    return all(letter == "\n" or letter.isprintable() for letter in text)


def _scalar(value: Value) -> str:
    """A value without parts, on one line."""
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _TAKEN
        return value if plain else _quoted(value)
    if isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, Mapping) and not value:
        return "{}"
    if isinstance(value, list | tuple) and not value:
        return "[]"
    raise TypeError(f"{value!r} is written by nothing here")


def _quoted(text: str) -> str:
    """A text in quotes: as JSON has it, but that YAML has an escape of its own beyond U+FFFF."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in quoted)
