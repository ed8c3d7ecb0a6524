"""The heads of a chart's lifelines, and the notes below it.

Entry: `heads_of`, `notes_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from alpha.tools.pictures.charts import ArrowRow, Chart, Row, Section
from alpha.tools.pictures.drawings import Drawing
from alpha.tools.pictures.wording import BYTES_NOTE, plural, samples_of


def heads_of(drawing: Drawing, chart: Chart) -> list[list[str]]:
    """The lines of each head: the role, and how many samples it has."""
    heads: list[list[str]] = []
    for role in chart.roles:
        known = drawing.distribution
        heads.append([f"role {role:,}", *(samples_of(known, role) if known else ())])
    if chart.others:
        heads.append([plural(chart.others, "other role")])
    return heads


def notes_of(chart: Chart) -> list[str]:
    """What has to be said of the chart."""
    notes = [BYTES_NOTE]
    if chart.others:
        notes.append("What the other roles do by themselves and among each other isn't drawn.")
    if chart.without:
        notes.append(
            f"The programs of {ranges_text(chart.without)} aren't in the module; of what they do, "
            "frames from and to others are drawn."
        )
    if any(_lost(chart.rows)):
        notes.append("An arrow with a cross is a frame that its peer doesn't have at that point.")
    return notes


def _lost(rows: Iterable[Row]) -> Iterable[bool]:
    for row in rows:
        if isinstance(row, ArrowRow):
            yield row.lost
        elif isinstance(row, Section):
            for arm in row.arms:
                yield from _lost(arm)


def ranges_text(roles: Sequence[int]) -> str:
    """Ascending roles, runs of successive ones by their ends: `role 3`, `roles 0 to 2, 7`."""
    starts = [roles[0], *(after for before, after in pairwise(roles) if after != before + 1)]
    ends = [*(before for before, after in pairwise(roles) if after != before + 1), roles[-1]]
    runs = [f"{a:,}" if a == b else f"{a:,} to {b:,}" for a, b in zip(starts, ends, strict=True)]
    return f"{'role' if len(roles) == 1 else 'roles'} {', '.join(runs)}"
