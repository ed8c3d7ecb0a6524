"""Which rounds a run tells of: the last one, too, whether or not it was known to be the last."""

from __future__ import annotations

import numpy as np
import pytest

from alpha.interpreters.learner import Observation
from alpha.tools.running.reporting import Recorder


def told(versions: int, capsys: pytest.CaptureFixture[str]) -> list[int]:
    """The versions in the table of a run of so many rounds."""
    record = Recorder(None)
    for version in range(versions):
        record.add(version, [Observation("loss", np.array(float(version)), 2, version)])
    record.end()
    record.end()
    lines = capsys.readouterr().out.splitlines()
    assert lines[:1] == [f"{'version':>10}{'loss':>26}"][: len(lines)]
    return [int(line.split()[0]) for line in lines[1:]]


def test_the_last_round_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert [told(versions, capsys) for versions in (0, 1, 3, 4, 6, 7, 13)] == [
        [],
        [0],
        [0, 1, 2],
        [0, 1, 2, 3],
        [0, 1, 2, 5],
        [0, 1, 2, 5, 6],
        [0, 1, 2, 5, 10, 12],
    ]


def test_a_round_without_observations_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    record = Recorder(None)
    record.add(0, [])
    record.end()
    assert capsys.readouterr().out == ""
