"""What a build goes on with, as far as its description and the paths at hand say it.

Entry: `history_of`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.checkpoints.names import generation_name
from alpha.tools.checkpoints.histories import History, root_at

if TYPE_CHECKING:
    from alpha.tools.building.description import RunDescription


def history_of(described: RunDescription, resume: str | None = None) -> History | None:
    """The history of a build that begins with a generation; None of one that begins anew.

    A description names the generation, and not whose it is. Where that is at the path `resume`, or
    in the folder there, its learner is known as well.
    """
    if described.start is None:
        return None
    version, sha256 = described.start.version, described.start.sha256
    learners = {described.digests.learner}
    if resume is not None:
        for folder in (Path(resume) / generation_name(version), Path(resume)):
            root = root_at(folder)
            if root is not None and root.sha256 == sha256:
                learners.add(root.learner)
    return History(version, sha256, frozenset(learners))
