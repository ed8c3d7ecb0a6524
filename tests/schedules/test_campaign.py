"""The long comparison, made short: it counts, ends with its verdict and says so by its status."""

from __future__ import annotations

from collections import Counter

import pytest
from schedules import campaign, trials


def test_all_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign.main(["--count", "30", "--size", "3", "--processes", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "random: 30 accepted and run to the end" in lines
    assert "size 3: 181 accepted and explored" in lines
    assert lines[-1] == "schedules: 223 protocols accepted, 0 wrong"


def test_what_is_wrong_is_counted_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "first_code", lambda schedules: None)
    found: Counter[str] = trials.tried_all(3)
    wrong = [name for name in found if name.startswith(trials.WRONG)]
    assert sum(found[name] for name in wrong) == 124
