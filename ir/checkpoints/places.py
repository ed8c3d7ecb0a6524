"""Where a path leads: into a generation, or to the name of one.

Invariant: a path is looked at as it is written and as its links lead; any folder above it counts. A
    folder is a generation here if it has the name of one and a root's manifest, whatever that says,
    or if it has the name of one that was begun or is removed.
Why: nobody changes a generation, and a file under the name of one would be taken for it.
Entry: `generation_around`, `names_generation`, `passes`.
"""

from __future__ import annotations

import os
from pathlib import Path

from alpha.ir.checkpoints.names import ROOT_MANIFEST, is_passing_name, version_of


def generation_around(path: str | Path, known: str | Path | None = None) -> Path | None:
    """The generation of which one of the folders above a path is one, the nearest, or None.

    What can't be looked at is none. A generation may have any name where it is `known` as one.
    """
    read = None if known is None else os.path.realpath(known)
    for each in _ways(path):
        for folder in each.parents:
            published = version_of(folder.name) is not None or str(folder) == read
            if published and os.path.lexists(folder / ROOT_MANIFEST):
                return folder
            if is_passing_name(folder.name):
                return folder
    return None


def names_generation(path: str | Path) -> bool:
    """Whether a path ends in a name that only a generation may have."""
    names = [each.name for each in _ways(path)]
    return any(is_passing_name(name) or version_of(name) is not None for name in names)


def passes(path: str | Path) -> bool:
    """Whether a path ends in the name of a generation that was begun, or is removed."""
    return any(is_passing_name(each.name) for each in _ways(path))


def _ways(path: str | Path) -> tuple[Path, Path]:
    """A path from the root on: as it is written, and without links."""
    return Path(os.path.abspath(path)), Path(os.path.realpath(path))
