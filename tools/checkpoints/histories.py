"""Which generations of a folder are of one history, as their roots' manifests say.

Invariant: a history has the generations of the learners that it is said to have, those that a run
    of it went on from, and of their learners all others. What can't be read is of none.
Why: generations of two learners in one folder look alike; who keeps the newest of one would remove
    those of the other. With leave a run goes on from a generation of a learner of other parts.
Entry: `History`, `Root`, `root_at`, `roots_of`, `strangers`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from alpha.ir.checkpoints.names import version_of
from alpha.ir.refusals import Refusal


class History(NamedTuple):
    """What a run goes on from: a generation, and the learners that it may be of."""

    version: int
    sha256: str
    learners: frozenset[str]
    """Digests: that of the run's learner, and of the generation's where that is known."""


class Root(NamedTuple):
    """What the root's manifest of a generation says of its history."""

    name: str
    """The learner's."""
    version: int
    learner: str
    """The learner's digest."""
    sha256: str
    """What names the generation."""
    resumed: str | None
    """What names the generation that its run went on from."""


def root_at(folder: Path) -> Root | None:
    """The root of a generation; None of what can't be read."""
    from alpha.ir.checkpoints.trees import read_root

    try:
        manifest, whole, digest = read_root(folder)
    except (Refusal, OSError):
        return None
    resumed = None if whole.resumed is None else whole.resumed[1]
    return Root(whole.name, manifest.version, manifest.learner, digest.sha256.hex(), resumed)


def roots_of(folder: Path, names: Sequence[str]) -> dict[str, Root]:
    """The roots of these generations of a folder; those that can't be read are left out."""
    found: dict[str, Root] = {}
    for name in names:
        root = None if (folder / name).is_symlink() else root_at(folder / name)
        if root is not None and root.version == version_of(name):
            found[name] = root
    return found


def strangers(
    roots: Mapping[str, Root], learners: Collection[str], generations: Collection[str]
) -> list[str]:
    """The names of those that aren't of the history with these learners and generations."""
    known, met = set(learners), set(generations)
    left = dict(roots)
    while found := [
        name for name, root in left.items() if root.learner in known or root.sha256 in met
    ]:
        for name in found:
            root = left.pop(name)
            known.add(root.learner)
            if root.resumed is not None:
                met.add(root.resumed)
    return list(left)
