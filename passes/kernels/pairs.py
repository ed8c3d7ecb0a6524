"""Sums in pairs of many words: each level of pairs is a stage, with a thread a pair.

Entry: `with_levels`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from alpha.passes.kernels.homes import Home, Homes
from alpha.passes.kernels.stages import Stage
from alpha.passes.loops.items import Shape


def with_levels(stages: Iterable[Stage], homes: Homes) -> list[Stage]:
    """The stages, with each sum in pairs as its levels."""
    found: list[Stage] = []
    for stage in stages:
        if stage.form == "pairs":
            found += _levels(stage, homes)
        else:
            found.append(stage)
    return found


def _levels(stage: Stage, homes: Homes) -> list[Stage]:
    (item,) = stage.items
    length = item.extents[-1]
    assert isinstance(length, int)
    found: list[Stage] = []
    source: Home | None = None
    while length > 1:
        pairs = (length + 1) // 2
        extents: Shape = (*stage.extents, pairs)
        target = homes.scratch(item.results[0], extents) if pairs > 1 else None
        found.append(replace(stage, extents=extents, source=source, target=target, length=length))
        source, length = target, pairs
    return found
