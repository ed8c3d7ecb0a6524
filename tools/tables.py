"""Tables in plain text: columns as wide as their longest entry.

Entry: `print_table`, `ROLES_SHOWN_MAX`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alpha.tools.driver.output import write_line

ROLES_SHOWN_MAX = 8
"""How many roles have a column or a row of their own."""


def print_table(title: str, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under a title and a heading; nothing if there are no rows."""
    lines = [[str(cell) for cell in row] for row in rows]
    if not lines:
        return
    lines.insert(0, list(heading))
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading))]
    write_line(f"\n{title}")
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        write_line(f"  {'  '.join(cells)}".rstrip())
