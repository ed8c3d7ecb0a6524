"""Participants that many tests start."""

from __future__ import annotations

from pathlib import Path

import pytest
from routines.library import MACHINES
from routines.starting import SEEN, participant


@pytest.fixture(scope="session")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Participants that give what the start handed on, by machine."""
    folder = tmp_path_factory.mktemp("seeing")
    return {each: participant(each, SEEN, folder / each) for each in MACHINES}
