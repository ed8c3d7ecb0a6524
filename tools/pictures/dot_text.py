"""Text in the language of Graphviz: lines between braces, quoted texts, attributes.

Entry: `DotText`, `quoted`, `attributes`, and the colours of graphs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from alpha.tools.pictures.lettering import clean

INK, PAPER, FAINT = "#1f2328", "#ffffff", "#8c959f"
DATA, TALK, LOST = "#0550ae", "#6639ba", "#a40e26"
ROLE_FILL, WORK_FILL, GROUP_FILL = "#f6f8fa", "#ddf4ff", "#fffbe5"


class DotText:
    """Lines, indented by the braces around them."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._indent = ""

    def line(self, text: str) -> None:
        """Add a line."""
        self._lines.append(f"{self._indent}{text}\n")

    @contextmanager
    def braces(self, head: str) -> Iterator[None]:
        """Put what is added within between braces."""
        self.line(f"{head} {{")
        self._indent += "  "
        yield
        self._indent = self._indent[2:]
        self.line("}")

    def whole(self) -> str:
        """The text."""
        return "".join(self._lines)


def quoted(text: str) -> str:
    """A text as DOT writes it; its lines are centred below each other."""
    lines = (clean(line).replace("\\", "\\\\").replace('"', '\\"') for line in text.split("\n"))
    joined = "\\n".join(lines)
    return f'"{joined}"'


def attributes(**values: str) -> str:
    """A list of attributes in their order, such as ` [label="a", color="#ffffff"]`."""
    return f" [{', '.join(f'{name}={quoted(value)}' for name, value in values.items())}]"
