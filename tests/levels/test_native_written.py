"""Programs of roles that are written by hand end natively as the distribution."""

from __future__ import annotations

from pathlib import Path

import pytest
from levels.endings import at_shard_level, difference, projected
from levels.natively import MACHINES, natively
from levels.test_written_protocols import LEARNER, PUBLISHED, ROUNDS, WAYS
from oracle_comparison.running import learner_file

from alpha.ir.sharding.distribution import find_distribution


def check(text: str, folder: Path, targets: tuple[str, ...]) -> None:
    file = learner_file(text, folder)
    distribution = find_distribution(file.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, file.words, ROUNDS)
    found = natively(projected(file.context, file.module), file.words, targets)
    assert difference(found, wanted) is None


@pytest.mark.parametrize("way", WAYS)
def test_a_contribution_that_is_handed_on(way: str, tmp_path: Path) -> None:
    text = LEARNER.replace("ON_THE_WAY", WAYS[way])
    check(text.replace("PUBLISH", PUBLISHED["together"]), tmp_path, MACHINES)


@pytest.mark.parametrize("published", PUBLISHED)
def test_words_that_are_published(published: str, tmp_path: Path) -> None:
    text = LEARNER.replace("ON_THE_WAY", WAYS["a scope"])
    check(text.replace("PUBLISH", PUBLISHED[published]), tmp_path, MACHINES[::-1])


def test_programs_may_have_names_of_routines_of_the_runtime(tmp_path: Path) -> None:
    text = LEARNER.replace("ON_THE_WAY", WAYS["a scope"])
    text = text.replace("@pull", "@alpha_receive").replace("@step", "@alpha_copy")
    check(text.replace("PUBLISH", PUBLISHED["together"]), tmp_path, MACHINES)
