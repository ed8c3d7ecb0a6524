"""Wrong text of machine functions is refused by a code, or is another function that assembles."""

from __future__ import annotations

import random
import re
from difflib import unified_diff
from pathlib import Path

import pytest
from machine.mutated_texts import LEVELS, Level, mutant_of, text_of, tried

from alpha.ir.refusals import TABLE

MUTANTS = 40
_CODE = re.compile(r"error: \[([a-z-]+)\] ")


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_a_mutant_is_refused_by_a_code_or_assembled(level: Level, tmp_path: Path):
    text = text_of(level, tmp_path)
    statuses = [outcome.status for outcome in tried(text, level.dialect, tmp_path)]
    assert statuses == [0, 0]
    accepted = 0
    for seed in range(MUTANTS):
        changed = mutant_of(text, random.Random(seed))
        read, emitted = tried(changed, level.dialect, tmp_path)
        shown = "\n".join(unified_diff(text.splitlines(), changed.splitlines(), n=0, lineterm=""))
        shown += emitted.said
        # A frame that is too large, and a module in a module, are valid.
        if "[target-unsupported]" not in emitted.said:
            assert read.status == emitted.status, shown
        if emitted.status == 0:
            accepted += 1
            continue
        assert emitted.status == 1, shown
        found = _CODE.search(emitted.said)
        assert found is not None and found[1] in TABLE, shown
    assert 0 < accepted < MUTANTS
