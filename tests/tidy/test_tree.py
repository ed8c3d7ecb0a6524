"""This project's own tree passes every tidy check."""

from __future__ import annotations

from pathlib import Path

import pytest
from tidy.checks import CHECKS
from tidy.tree import Check

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_tree_is_tidy(check: Check) -> None:
    findings = check(ROOT)
    assert not findings, "\n" + "\n".join(findings)
